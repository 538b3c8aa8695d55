import type { Database } from '../db/database.ts';
import { deleteInSlices } from '../db/delete-in-slices.ts';
import { addDays } from '../lib/clock.ts';
import { deleteOlderThan } from './queries.ts';

const SLICE = 2_000;

/** Deletes requests after so many days, all of them where none are kept. Returns how many were deleted. */
export async function pruneRequests(
  db: Database,
  keepDays: number,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  const before = addDays(now, -keepDays);
  return deleteInSlices(SLICE, (limit) => deleteOlderThan(db, before, limit), signal);
}
