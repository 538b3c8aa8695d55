import type { Database } from '../db/database.ts';
import { deleteInSlices } from '../db/delete-in-slices.ts';
import { addDays } from '../lib/clock.ts';
import { firstIdAt } from '../lib/ids.ts';
import { deleteOldEvents, listMerchantsWithOldEvents } from './prune-queries.ts';

const SLICE = 1_000;
const MERCHANTS = 1_000;
const ROUND_DAYS = 7;
const NO_ONE = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes events after so many days, one merchant at a time, oldest first. The last event of each object stays, because
 * it says how often the object has changed, and so does what is still to be sent; once a week what stayed is looked at again.
 * Safe in any number of processes.
 */
export async function pruneEvents(
  db: Database,
  keepDays: number,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const daysAgo = (days: number) => addDays(now, -days);
  const old = { before: firstIdAt(daysAgo(keepDays)), roundBefore: daysAgo(ROUND_DAYS), now };
  let merchantIds: string[] = [];
  do {
    merchantIds = await listMerchantsWithOldEvents(db, merchantIds.at(-1) ?? NO_ONE, old, MERCHANTS);
    for (const merchantId of merchantIds)
      await deleteInSlices(SLICE, (limit) => deleteOldEvents(db, merchantId, old, limit), signal);
  } while (!signal?.aborted && merchantIds.length === MERCHANTS);
}
