import type { Tx } from '../db/database.ts';
import type { Intent } from '../intents/intent.ts';
import { askForReferenceCheck } from '../intents/reference-checks.ts';
import { limitReached } from '../lib/errors.ts';
import { insertPasted } from './queries.ts';

/** So many transactions may wait to be read for one intent. */
const MAX_WAITING = 3;
const RETRY_AFTER_SECONDS = 15;

/**
 * Somebody says the intent is paid, maybe with which transaction. The watcher, wherever it runs, looks soon;
 * asking again and again costs no further looks.
 */
export async function askForLook(
  tx: Tx,
  intent: Intent,
  signature: string | undefined,
  now: Date,
): Promise<void> {
  if (signature !== undefined && !(await insertPasted(tx, intent, signature, now, MAX_WAITING)))
    throw limitReached(MAX_WAITING, RETRY_AFTER_SECONDS);
  await askForReferenceCheck(tx, intent, now);
}
