import { RpcFailure } from '../../chain/solana/rpc.ts';
import { findBlockTime } from '../watcher/block-time.ts';
import { type ChainNode, chainNodes } from '../watcher/chain.ts';
import type { MppParts } from './parts.ts';

/** Whether the final history of every node that answers reaches beyond a moment without this transaction. */
export async function isMissing(parts: MppParts, signature: string, beyond: Date): Promise<boolean> {
  let isKnown = false;
  for (const node of chainNodes(parts.rpc)) {
    const isMissingHere = await isMissingAt(parts, node, { signature, beyond }).catch((error: unknown) => {
      if (error instanceof RpcFailure) return undefined;
      throw error;
    });
    if (isMissingHere === false) return false;
    isKnown ||= isMissingHere === true;
  }
  return isKnown;
}

/** The time is read first, so a transaction that lands during the search is still found. */
async function isMissingAt(
  { rpc }: MppParts,
  node: ChainNode,
  { signature, beyond }: { signature: string; beyond: Date },
): Promise<boolean> {
  if ((await findBlockTime(rpc, node.index, await node.finalSlot())) <= beyond) return false;
  const [status] = await node.statuses([signature]);
  return status === 'unknown';
}
