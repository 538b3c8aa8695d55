import type { Database } from '../../platform/db/database.ts';
import { deleteInSlices } from '../../platform/db/delete-in-slices.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { deleteOldOrderKeys } from './queries.ts';

/** Far longer than any client retries. */
const KEEP_DAYS = 30;
const SLICE = 1_000;

/** Forgets the keys of old orders; the orders stay. */
export function pruneOrderKeys(db: Database, now: Date): Promise<number> {
  const before = addDays(now, -KEEP_DAYS);
  return deleteInSlices(SLICE, (limit) => deleteOldOrderKeys(db, before, limit));
}
