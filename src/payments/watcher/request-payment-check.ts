import type { Intent } from '../../intents/intent.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import { requestReferenceCheck } from '../../intents/reference-checks.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { limitReached } from '../../platform/lib/errors.ts';
import {
  deleteSubmittedSignature,
  insertSigned,
  insertSubmittedSignature,
  listSubmittedSignatures,
  type SubmittedSignature,
  updateNotSent,
  updateSentAgain,
} from './queries.ts';

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

/**
 * True if a payment that was checked may be sent: no other of the intent may land, or it was sent before. Asked with the intent
 * locked, and noted under the same lock.
 */
export async function maySend(db: Queryable, intent: Intent, signature: string): Promise<boolean> {
  return (await wasSentBefore(db, intent, signature)) || !(await hasPaymentUnderWay(db, intent));
}

/** True if this very transaction was sent by us, and its end is not known. */
export async function wasSentBefore(db: Queryable, intent: Intent, signature: string): Promise<boolean> {
  const submitted = await listSubmittedSignatures(db, intent);
  return submitted.some((each) => each.wasSent && each.signature === signature);
}

/** Written before it is sent: while it may land, what it pays for cannot be canceled, and no other payment is sent. */
export async function noteSentPayment(tx: Tx, intent: Intent, signature: string, now: Date): Promise<void> {
  await submit(tx, intent, { signature, submittedAt: now, wasSent: true });
  await requestReferenceCheck(tx, intent, now);
}

/**
 * Notes what our fee payer has signed for a merchant that is about to be moved. What signs stays behind: where the merchant goes,
 * these are payments of their payers, awaited until they are read or too old to land.
 */
export async function noteSigned(tx: Tx, merchantId: string, now: Date): Promise<void> {
  for (const intent of await insertSigned(tx, merchantId, now)) await requestReferenceCheck(tx, intent, now);
}

/** One that was sent before is about to be sent again; false for another. */
export function noteSentAgain(db: Queryable, intent: Intent, signature: string): Promise<boolean> {
  return updateSentAgain(db, intent, signature);
}

/** Every node refused it this time, so it is no longer awaited; true if it is, because it was sent another time as well. */
export async function noteNotSent(tx: Tx, intent: Intent, signature: string): Promise<boolean> {
  return (await updateNotSent(tx, intent, signature)) > 0 || forgetSentPayment(tx, intent, signature);
}

/** It can no longer land, and so is no longer awaited. */
export async function forgetSentPayment(tx: Tx, intent: Intent, signature: string): Promise<false> {
  await deleteSubmittedSignature(tx, intent, signature);
  return false;
}

async function submit(
  tx: Tx,
  intent: Intent,
  submitted: Omit<SubmittedSignature, 'lapsesAtHeight'>,
): Promise<void> {
  if (!(await insertSubmittedSignature(tx, intent, submitted, MAX_WAITING)))
    throw limitReached(MAX_WAITING, RETRY_AFTER_SECONDS);
}
