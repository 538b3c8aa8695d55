import type { Intent } from '../../money/intents/intent.ts';
import { requestReferenceCheck } from '../../money/intents/reference-checks.ts';
import type { Tx } from '../../platform/db/database.ts';
import { limitReached } from '../../platform/lib/errors.ts';
import { insertSubmittedSignature } from './queries.ts';

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
  if (signature !== undefined && !(await insertSubmittedSignature(tx, intent, signature, now, MAX_WAITING)))
    throw limitReached(MAX_WAITING, RETRY_AFTER_SECONDS);
  await requestReferenceCheck(tx, intent, now);
}
