import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { SettleAt, X402Parts } from './parts.ts';

/**
 * Waits until it is as far as wanted; undefined where that is not known in time. A failed one is shown as such. One that its
 * payer has sent may have landed an hour ago, and is searched first.
 */
export async function readLanded(
  parts: X402Parts,
  signature: string,
  settleAt: SettleAt,
  { isSearched = false } = {},
): Promise<LandedTransaction | undefined> {
  const found = isSearched ? await parts.landings.search(signature, settleAt) : 'unknown';
  const landing =
    found === 'unknown' ? await parts.landings.landing(signature, settleAt, parts.settleWaitMs) : found;
  if (landing === 'unknown') return undefined;
  return parts.witnesses.transaction(signature);
}
