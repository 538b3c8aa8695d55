import type { Intent } from '../../money/intents/intent.ts';
import { requestReferenceCheck } from '../../money/intents/reference-checks.ts';
import type { Tx } from '../../platform/db/database.ts';
import { limitReached } from '../../platform/lib/errors.ts';
import { insertSubmittedSignature } from './queries.ts';

/** So many transactions may wait to be read for one intent. */
const MAX_WAITING = 3;
const RETRY_AFTER_SECONDS = 15;

/**
 * Somebody says the intent is paid, maybe with which transaction. The watcher, wherever it runs, looks soon;
 * asking again and again costs no further looks.
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
