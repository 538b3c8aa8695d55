import type { Database } from '../db/database.ts';
import { DAY_MS } from '../lib/clock.ts';
import { deleteOlderThan } from './queries.ts';

const SLICE = 2_000;

/** Deletes requests after so many days, all of them where none are kept. Returns how many were deleted. */
export async function pruneRequests(
  db: Database,
  keepDays: number,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  const before = new Date(now.getTime() - keepDays * DAY_MS);
  let pruned = 0;
  while (!signal?.aborted) {
    const count = await deleteOlderThan(db, before, SLICE);
    pruned += count;
    if (count < SLICE) break;
  }
  return pruned;
}
