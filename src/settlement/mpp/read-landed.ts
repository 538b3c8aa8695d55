import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { chainNodes, firstAnswer } from '../watcher/chain.ts';
import type { SettleAt } from '../x402/parts.ts';
import type { MppParts } from './parts.ts';

/** Waits until it is as far as wanted; undefined where that is not known in time. A failed one is shown as such. */
export async function readLanded(
  parts: MppParts,
  signature: string,
  settleAt: SettleAt,
): Promise<LandedTransaction | undefined> {
  const landing = await parts.landings.landing(signature, settleAt, parts.settleWaitMs);
  if (landing === 'unknown') return undefined;
  return firstAnswer(chainNodes(parts.rpc), (node) => node.transaction(signature, 'confirmed'));
}
