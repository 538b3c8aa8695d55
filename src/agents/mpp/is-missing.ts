import { findBlockTime } from '../../chain/nodes/block-time.ts';
import { type ChainNode, chainNodes } from '../../chain/nodes/chain-node.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { MppParts } from './parts.ts';

export interface Sought {
  signature: string;
  /** The transaction cannot have landed before this. */
  from: Date;
  /** Time after which it can no longer land. */
  until: Date;
}

/**
 * True if every node that answers has final history of the whole time, without this transaction. A node that has
 * pruned part of it does not count, and a time that no node covers proves nothing.
 */
export async function isMissing(parts: MppParts, sought: Sought): Promise<boolean> {
  let isKnown = false;
  for (const node of chainNodes(parts.rpc)) {
    const isMissingHere = await isMissingAt(parts, node, sought).catch((error: unknown) => {
      if (error instanceof RpcFailure) return undefined;
      throw error;
    });
    if (isMissingHere === false) return false;
    isKnown ||= isMissingHere === true;
  }
  return isKnown;
}

/** The time is read first, so a transaction that lands during the search is still found. Undefined where the node cannot know. */
async function isMissingAt(
  { rpc }: MppParts,
  node: ChainNode,
  { signature, from, until }: Sought,
): Promise<boolean | undefined> {
  const slot = await node.finalSlot();
  const isThrough = (await findBlockTime(rpc, node.index, slot)) > until;
  const { slot: answeredSlot, statuses } = await node.statuses([signature]);
  if (statuses[0] !== 'unknown') return false;
  if (!isThrough || answeredSlot < slot) return undefined;
  // Read last: what was pruned meanwhile was perhaps no longer searched.
  const horizon = await node.horizon(slot);
  return horizon !== undefined && horizon.time > from ? undefined : true;
}
