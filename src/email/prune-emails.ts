import type { Database } from '../platform/db/database.ts';
import { deleteInSlices } from '../platform/db/delete-in-slices.ts';
import { addDays } from '../platform/lib/clock.ts';
import { deleteOlderThan } from './queries.ts';

const KEEP_DAYS = 30;
/** Longer than the refund waits for an address: until then the merchant may ask whether the customer was written to. */
const KEEP_CLAIM_DAYS = 100;
const SLICE = 1_000;

/** Deletes finished e-mails after 30 days: they contain what a customer bought. Returns how many were deleted. */
export async function pruneEmails(db: Database, now: Date): Promise<number> {
  const before = addDays(now, -KEEP_DAYS);
  const claimsBefore = addDays(now, -KEEP_CLAIM_DAYS);
  return deleteInSlices(SLICE, (limit) => deleteOlderThan(db, before, claimsBefore, limit));
}
