import type { Database } from '../db/database.ts';
import { DAY_MS } from '../lib/clock.ts';
import { deleteOlderThan } from './queries.ts';

export const KEPT_DAYS = 7;
const SLICE = 5_000;

/** Keys from before this moment count no more, whether they were pruned yet or not. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_DAYS * DAY_MS);
}

/** Deletes keys after a week. Safe in any number of processes. */
export async function pruneKeys(db: Database, now: Date): Promise<number> {
  const before = keptSince(now);
  let pruned = 0;
  for (;;) {
    const count = await deleteOlderThan(db, before, SLICE);
    pruned += count;
    if (count < SLICE) return pruned;
  }
}
