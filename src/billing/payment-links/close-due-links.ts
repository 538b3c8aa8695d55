import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { cancelSession } from '../checkout-sessions/cancel-session.ts';
import { SESSION_LIFE_MS } from '../checkout-sessions/session.ts';
import { LINKS_TO_CLOSE, listUnseenOfEnded, updateExpired } from './queries.ts';

const SLICE = 200;

/**
 * Links past their end are closed, together with their unpaid sessions. Money that was already seen is accepted, and
 * a session that is being paid right now is left alone.
 */
export async function closeDueLinks(db: Database, now: Date, log?: Logger): Promise<number> {
  await updateExpired(db, now);
  // No session outlives its link's end for longer than its own life.
  const endedSince = new Date(now.getTime() - 2 * SESSION_LIFE_MS);
  return eachAlone({ db, log }, LINKS_TO_CLOSE, now, async (alone) => {
    let canceled = 0;
    for (;;) {
      const failed = alone.failures();
      const sessions = await listUnseenOfEnded(db, { endedSince, now }, SLICE);
      let moved = 0;
      for (const ref of sessions) {
        const cancel = () => db.transaction((tx) => cancelSession(tx, ref, now)).then(() => true, unlessPaid);
        if (await alone(ref, cancel)) moved++;
      }
      canceled += moved;
      if (sessions.length < SLICE || (moved === 0 && alone.failures() === failed)) return canceled;
    }
  });
}

function unlessPaid(error: unknown): false {
  if (error instanceof AppError && error.code === 'INVALID_STATE') return false;
  throw error;
}
