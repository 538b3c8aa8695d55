import type { Database } from '../db/database.ts';
import { DAY_MS } from '../lib/clock.ts';
import { deleteOlderThan } from './queries.ts';

export const KEPT_DAYS = 7;
const SLICE = 5_000;

/** Forgets keys after a week. Safe in any number of processes at once. */
export async function pruneKeys(db: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  let pruned = 0;
  for (;;) {
    const count = await deleteOlderThan(db, before, SLICE);
    pruned += count;
    if (count < SLICE) return pruned;
  }
}
