import type { Intent } from '../../money/intents/intent.ts';
import { requestReferenceCheck } from '../../money/intents/reference-checks.ts';
import type { Tx } from '../../platform/db/database.ts';
import { limitReached } from '../../platform/lib/errors.ts';
import { deleteSubmittedSignature, insertSubmittedSignature, type SubmittedSignature } from './queries.ts';

/** Maximum transactions queued for one intent. */
const MAX_WAITING = 3;
const RETRY_AFTER_SECONDS = 15;

/**
 * A payer reports a payment, maybe with its transaction. The watcher, wherever it runs, checks soon; repeated reports
 * cost no further checks.
 */
export async function requestPaymentCheck(
  tx: Tx,
  intent: Intent,
  signature: string | undefined,
  now: Date,
): Promise<void> {
  if (signature !== undefined) await submit(tx, intent, { signature, submittedAt: now, wasSent: false });
  await requestReferenceCheck(tx, intent, now);
}

/** The same for a payment that was checked and that we send: while it may land, what it pays for cannot be canceled. */
export async function noteSentPayment(tx: Tx, intent: Intent, signature: string, now: Date): Promise<void> {
  await submit(tx, intent, { signature, submittedAt: now, wasSent: true });
  await requestReferenceCheck(tx, intent, now);
}

/** It can no longer land, and so is no longer awaited. */
export async function forgetSentPayment(tx: Tx, intent: Intent, signature: string): Promise<void> {
  await deleteSubmittedSignature(tx, intent, signature);
}

async function submit(tx: Tx, intent: Intent, submitted: SubmittedSignature): Promise<void> {
  if (!(await insertSubmittedSignature(tx, intent, submitted, MAX_WAITING)))
    throw limitReached(MAX_WAITING, RETRY_AFTER_SECONDS);
}
