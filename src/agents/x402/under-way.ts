import type { Intent } from '../../intents/intent.ts';
import { findIntentAnywhere, hasPaymentUnderWay } from '../../intents/queries.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { awaitOutcome, findPaidOutcome, type Outcome } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import { defaultSettleAt, type IntentPlace } from './place.ts';
import { findUnbooked } from './queries.ts';

/** Long enough to ask the network once. */
const LOOK_MS = 50;
const RETRY_SECONDS = 2;

/** Finds the outcome of an intent's payment; pending while it may still land; undefined if the intent can be paid. */
export async function findOutcome(parts: X402Parts, { intent }: IntentPlace): Promise<Outcome | undefined> {
  const { db } = parts;
  // Asked before the intent is read: a payment that is booked in between is seen there.
  const isUnderWay = await hasPaymentUnderWay(db, intent);
  const now = (await findIntentAnywhere(db, intent.id))!;
  const settleAt = defaultSettleAt(now.expectedAmountCents);
  const booked = await findPaidOutcome(db, now, settleAt);
  if (booked || !isUnderWay) return booked;
  const signed = await findUnbooked(db, now);
  const outcome = signed && (await awaitOutcome({ ...parts, settleWaitMs: LOOK_MS }, signed, settleAt));
  return outcome?.kind === 'paid'
    ? outcome
    : { kind: 'pending', payer: '', signature: signed?.signature ?? '' };
}

/** A client that sends its own transaction would pay a second time. */
export async function requireNothingUnderWay({ db }: X402Parts, intent: Intent): Promise<void> {
  if (await hasPaymentUnderWay(db, intent)) throw underWay();
}

export function underWay(): AppError {
  const message = 'A payment for this is under way. Ask again in a moment; do not pay again.';
  return new AppError('SERVICE_UNAVAILABLE', {
    message,
    reason: 'under_way',
    retryAfterSeconds: RETRY_SECONDS,
  });
}
