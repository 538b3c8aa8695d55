import type { Database } from '../platform/db/database.ts';
import { DAY_MS } from '../platform/lib/clock.ts';
import { deleteOlderThan } from './queries.ts';

const KEEP_DAYS = 30;
/** Longer than the refund waits for an address: until then the merchant may ask whether the customer was written to. */
const KEEP_CLAIM_DAYS = 100;
const SLICE = 1_000;

/** Deletes finished e-mails after 30 days: they contain what a customer bought. Returns how many were deleted. */
export async function pruneEmails(db: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  const claimsBefore = new Date(now.getTime() - KEEP_CLAIM_DAYS * DAY_MS);
  let pruned = 0;
  for (;;) {
    const count = await deleteOlderThan(db, before, claimsBefore, SLICE);
    pruned += count;
    if (count < SLICE) return pruned;
  }
}
