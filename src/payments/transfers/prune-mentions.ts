import { listWatched } from '../../chain/solana/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { deleteInSlices } from '../../platform/db/delete-in-slices.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { deleteMentions } from './queries.ts';

/** Longer than a rescan reaches back: what is forgotten must not be read again the same night. */
const KEEP_DAYS = 7;
const SLICE = 1_000;

/**
 * Forgets old transactions that named an account and moved nothing there: anybody can make any number of them, and
 * the books need none. What was credited or listed as an exception stays, and so does all that reading starts from.
 */
export async function pruneMentions(db: Database, now: Date): Promise<number> {
  const before = addDays(now, -KEEP_DAYS);
  let pruned = 0;
  for (const { destination } of await listWatched(db, now))
    pruned += await deleteInSlices(SLICE, (limit) => deleteMentions(db, destination, before, limit));
  return pruned;
}
