import type { Database } from '../db/database.ts';
import { moveIntents } from './move-intents.ts';
import { lockDueIntents } from './queries.ts';

const SLICE = 500;

/**
 * Expires every intent whose time is up with nothing received, and answers how many. Rows are claimed with
 * SKIP LOCKED, so any number of workers share the work and none does it twice.
 */
export async function expireDueIntents(db: Database, now: Date): Promise<number> {
  let expired = 0;
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const due = await lockDueIntents(tx, now, SLICE);
      if (due.length > 0) await moveIntents(tx, due, 'expired', now);
      return due.length;
    });
    expired += count;
    if (count < SLICE) return expired;
  }
}
