import type { Database } from '../db/database.ts';
import { deleteInSlices } from '../db/delete-in-slices.ts';
import { addDays } from '../lib/clock.ts';
import { deleteOlderThan } from './queries.ts';

export const KEPT_DAYS = 7;
const SLICE = 5_000;

/** Keys from before this moment count no more, whether they were pruned yet or not. */
export function keptSince(now: Date): Date {
  return addDays(now, -KEPT_DAYS);
}

/** Deletes keys after a week. Safe in any number of processes. */
export async function pruneKeys(db: Database, now: Date): Promise<number> {
  const before = keptSince(now);
  return deleteInSlices(SLICE, (limit) => deleteOlderThan(db, before, limit));
}
