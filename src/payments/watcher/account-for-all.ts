import type { Snapshot } from '../../chain/nodes/account-snapshots.ts';
import type { WatchedAccount } from '../../chain/solana/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { listNewestBalances, sumMovements } from '../transfers/queries.ts';

/**
 * True if the known transactions explain the balance: it is what the newest of them left, and since the last moment
 * at which all agreed, all movements add up to it. So a transaction that a node has left out is noticed, whether it
 * was the newest or not.
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
