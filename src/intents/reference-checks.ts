import type { Queryable } from '../platform/db/database.ts';
import { addMinutes, addSeconds } from '../platform/lib/clock.ts';
import type { Ref } from '../platform/lib/ref.ts';
import { type Intent, isCanceled } from './intent.ts';
import type { MerchantTurns } from './merchant-turns.ts';
import { lockDueReferenceCheck, updateReferenceCheck, updateReferenceCheckSooner } from './queries.ts';

/** Minutes after expiry at which an intent whose page was opened is checked once more. */
const AFTER_EXPIRY_MINUTES = [0, 5, 60, 24 * 60];
/** Requests more frequent than this cost no further check. */
const REST_SECONDS = 5;
/** A check that started and never ended is due again after this. */
const LEASE_SECONDS = 30;

export interface ReferenceCheck {
  intent: Intent;
  leaseUntil: Date;
}

/** Somebody opened the intent's page, or reported a payment: check it soon. */
export function requestReferenceCheck(db: Queryable, intent: Ref, now: Date): Promise<void> {
  return updateReferenceCheckSooner(db, intent, now, REST_SECONDS);
}

/** Claims one that is due, of the merchant whose turn it is; each is claimed by one caller only. */
export async function claimReferenceCheck(
  db: Queryable,
  now: Date,
  turns: MerchantTurns,
): Promise<ReferenceCheck | undefined> {
  const leaseUntil = addSeconds(now, LEASE_SECONDS);
  const intent = await lockDueReferenceCheck(db, { now, leaseUntil, served: turns.served });
  if (!intent) return undefined;
  turns.note(intent.merchantId);
  return { intent, leaseUntil };
}

/** After a check: schedules the next one, or `againAt` if that is known to be worth it. */
export function scheduleReferenceCheck(
  db: Queryable,
  { intent, leaseUntil }: ReferenceCheck,
  now: Date,
  againAt?: Date,
): Promise<void> {
  return updateReferenceCheck(db, intent, leaseUntil, againAt ?? nextReferenceCheck(intent, now));
}

/** When to check next, or null if no further check is worth it. */
export function nextReferenceCheck(intent: Intent, now: Date): Date | null {
  if (intent.status === 'succeeded' || isCanceled(intent)) return null;
  const moments = AFTER_EXPIRY_MINUTES.map((minutes) => addMinutes(intent.expiresAt, minutes));
  return moments.find((moment) => moment > now) ?? null;
}
