import type { WatchedAccount } from '../../chain/solana/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { listNewestBalances, sumMovements } from '../transfers/queries.ts';
import type { Snapshot } from './account-snapshots.ts';

/**
 * Whether the transactions we know explain what the account holds: it held exactly this after the newest of them,
 * and from the last moment at which all agreed, everything that came and went adds up to it. So a transaction that
 * a node has left out is missed, whether it was the newest or not.
 */
export async function accountsForAll(
  db: Database,
  { destination, provenSlot, provenBalance }: WatchedAccount,
  { slot, balance }: Snapshot,
): Promise<boolean> {
  const newest = await listNewestBalances(db, destination, slot);
  if (newest.length > 0 && !newest.includes(balance)) return false;
  // A node that is behind the proof can say nothing about what came after it.
  if (provenSlot !== null && BigInt(slot) < provenSlot) return true;
  const moved = await sumMovements(db, destination, provenSlot ?? -1n, slot);
  if (!moved) return true;
  const starts = provenBalance === null ? moved.before : [provenBalance];
  // Before the first transaction of ours there is nothing to compare with.
  return starts.length === 0 || starts.some((start) => start + moved.change === balance);
}
