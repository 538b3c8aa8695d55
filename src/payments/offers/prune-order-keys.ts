import type { Database } from '../../platform/db/database.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { deleteOldOrderKeys } from './queries.ts';

/** Far longer than any client retries. */
const KEEP_DAYS = 30;
const SLICE = 1_000;

/** Forgets the keys of old orders; the orders stay. */
export async function pruneOrderKeys(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  while ((await deleteOldOrderKeys(db, before, SLICE)) === SLICE);
}
