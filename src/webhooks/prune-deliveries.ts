import type { Database } from '../platform/db/database.ts';
import { DAY_MS } from '../platform/lib/clock.ts';
import { deleteOlderThan } from './queries.ts';

const SLICE = 1_000;

/** Deletes finished deliveries and their attempts after so many days; the events stay. Returns how many were deleted. */
export async function pruneDeliveries(db: Database, keepDays: number, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keepDays * DAY_MS);
  let pruned = 0;
  for (;;) {
    const count = await deleteOlderThan(db, before, SLICE);
    pruned += count;
    if (count < SLICE) return pruned;
  }
}
