import type { Database } from '../../platform/db/database.ts';
import { realNow } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';
import { eraseStep } from './erase-step.ts';
import { listUnfinished, lockErasure } from './queries.ts';

const AT_ONCE = 100;
/** Longest turn of one customer's erasure before the next one's. */
const TURN_MS = 2_000;

/**
 * Overwrites what was recorded of deleted customers, a batch in each transaction. One that fails does not keep the
 * others waiting; it is tried again at the next run. Safe in any number of processes.
 */
export async function runDueErasures(
  { db, log }: { db: Database; log: Logger },
  now: Date,
  turnMs = TURN_MS,
): Promise<void> {
  for (const ref of await listUnfinished(db, AT_ONCE)) {
    try {
      await runTurn(db, ref, now, turnMs);
    } catch (err) {
      log.error({ err, ...ref }, 'erasing a customer failed; retrying');
    }
  }
}

async function runTurn(db: Database, ref: CustomerRef, now: Date, turnMs: number): Promise<void> {
  const until = realNow().getTime() + turnMs;
  let isMore: boolean;
  do {
    isMore = await db.transaction(async (tx) => {
      const erasure = await lockErasure(tx, ref);
      const after = erasure && (await eraseStep(tx, erasure, now));
      return after !== undefined && after.finishedAt === null;
    });
  } while (isMore && realNow().getTime() <= until);
}
