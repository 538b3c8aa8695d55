import type { Database } from '../platform/db/database.ts';
import { deleteInSlices } from '../platform/db/delete-in-slices.ts';
import { addDays } from '../platform/lib/clock.ts';
import { deleteOlderThan } from './queries.ts';

const SLICE = 1_000;

/** Deletes finished deliveries and their attempts after so many days; the events stay. Returns how many were deleted. */
export async function pruneDeliveries(db: Database, keepDays: number, now: Date): Promise<number> {
  const before = addDays(now, -keepDays);
  return deleteInSlices(SLICE, (limit) => deleteOlderThan(db, before, limit));
}
