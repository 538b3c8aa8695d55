import type { Database } from '../../platform/db/database.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { deleteExpiredBefore } from './queries.ts';

/** How long an expired link is kept, so that "expired" can be told from "unknown". */
const KEPT_DAYS = 7;
const SLICE = 5_000;

/** Deletes old links with their visits, which are over by then. Safe in any number of processes. */
export async function prunePortalSessions(db: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  let pruned = 0;
  for (;;) {
    const count = await deleteExpiredBefore(db, before, SLICE);
    pruned += count;
    if (count < SLICE) return pruned;
  }
}
