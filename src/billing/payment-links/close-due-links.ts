import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { cancelSession } from '../checkout-sessions/cancel-session.ts';
import { SESSION_LIFE_MS } from '../checkout-sessions/session.ts';
import { listUnseenOfEnded, updateExpired } from './queries.ts';

const SLICE = 200;

/**
 * Links past their end are closed, together with their unpaid sessions. Money that was already seen is accepted, and
 * a session that is being paid right now is left alone.
 */
export async function closeDueLinks(db: Database, now: Date): Promise<number> {
  await updateExpired(db, now);
  // No session outlives its link's end for longer than its own life.
  const endedSince = new Date(now.getTime() - 2 * SESSION_LIFE_MS);
  let canceled = 0;
  for (;;) {
    const sessions = await listUnseenOfEnded(db, endedSince, SLICE);
    let moved = 0;
    for (const ref of sessions) {
      const isDone = await db.transaction((tx) => cancelSession(tx, ref, now)).then(() => true, unlessPaid);
      if (isDone) moved++;
    }
    canceled += moved;
    if (sessions.length < SLICE || moved === 0) return canceled;
  }
}

function unlessPaid(error: unknown): false {
  if (error instanceof AppError && error.code === 'INVALID_STATE') return false;
  throw error;
}
