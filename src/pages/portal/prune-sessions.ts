import { forgetEmailChanges } from '../../accounts/customers/change-email-change.ts';
import type { Database } from '../../platform/db/database.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { deleteExpiredBefore } from './queries.ts';

/** Days for which an expired link is kept, so that "expired" can be told from "unknown". */
const KEPT_DAYS = 7;
const SLICE = 5_000;

/** Deletes old links with their visits, which are over by then. Safe in any number of processes. */
export function prunePortalSessions(db: Database, now: Date): Promise<number> {
  return prune(now, (before) => deleteExpiredBefore(db, before, SLICE));
}

/** The same for addresses that were to be confirmed, by which the next ones are counted until then. */
export function pruneEmailChanges(db: Database, now: Date): Promise<number> {
  return prune(now, (before) => forgetEmailChanges(db, before, SLICE));
}

async function prune(now: Date, deleteBefore: (before: Date) => Promise<number>): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  let pruned = 0;
  for (;;) {
    const count = await deleteBefore(before);
    pruned += count;
    if (count < SLICE) return pruned;
  }
}
