import type { Queryable } from '../db/database.ts';
import { addMinutes } from '../lib/clock.ts';
import type { Intent } from './intent.ts';
import { listReferenceChecks, updateReferenceCheck } from './queries.ts';

/** Minutes after expiry at which an intent that somebody looked at is checked once more. */
const AFTER_EXPIRY_MINUTES = [0, 5, 60, 24 * 60];

export function dueReferenceChecks(db: Queryable, now: Date, limit: number): Promise<Intent[]> {
  return listReferenceChecks(db, now, limit);
}

/** Somebody looks at the intent: check it soon. */
export function askForReferenceCheck(db: Queryable, intent: Intent, now: Date): Promise<void> {
  return updateReferenceCheck(db, intent, now);
}

/** The next moment worth a look after this one, or none any more. */
export function nextReferenceCheck(intent: Intent, now: Date): Date | null {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return null;
  const moments = AFTER_EXPIRY_MINUTES.map((minutes) => addMinutes(intent.expiresAt, minutes));
  return moments.find((moment) => moment > now) ?? null;
}

export function scheduleReferenceCheck(db: Queryable, intent: Intent, now: Date): Promise<void> {
  return updateReferenceCheck(db, intent, nextReferenceCheck(intent, now));
}
