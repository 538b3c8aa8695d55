import { findIntentAnywhere } from '../../intents/queries.ts';
import { isSignature } from '../../platform/lib/base58.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { requestPaymentCheck } from '../watcher/request-payment-check.ts';
import { isWaiting, type PublicIntentParts, presentToPayer } from './read-public-intent.ts';

/** "I’ve paid": asks the watcher for a closer look. Nothing is believed, and no node is called here. */
export async function checkPayment(parts: PublicIntentParts, id: string, signature: string | undefined) {
  if (signature !== undefined && !isSignature(signature))
    throw badField('signature', 'must be a transaction signature: 64 bytes in base58');
  const intent = await findIntentAnywhere(parts.db, id);
  if (!intent) throw new AppError('NOT_FOUND');
  const now = parts.clock.now();
  if (isWaiting(intent, now))
    await parts.db.transaction((tx) => requestPaymentCheck(tx, intent, signature, now));
  return presentToPayer(parts, intent);
}
