import { forgetEmailChanges } from '../../accounts/customers/change-email-change.ts';
import type { Database } from '../../platform/db/database.ts';
import { deleteInSlices } from '../../platform/db/delete-in-slices.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { deleteExpiredBefore } from './queries.ts';

/** Days for which an expired link is kept, so that "expired" can be told from "unknown". */
const KEPT_DAYS = 7;
const SLICE = 5_000;

/** Deletes old links with their visits, which are over by then. Safe in any number of processes. */
export function prunePortalSessions(db: Database, now: Date): Promise<number> {
  const before = keptSince(now);
  return deleteInSlices(SLICE, (limit) => deleteExpiredBefore(db, before, limit));
}

/** The same for addresses that were to be confirmed, by which the next ones are counted until then. */
export function pruneEmailChanges(db: Database, now: Date): Promise<number> {
  const before = keptSince(now);
  return deleteInSlices(SLICE, (limit) => forgetEmailChanges(db, before, limit));
}

function keptSince(now: Date): Date {
  return addDays(now, -KEPT_DAYS);
}
