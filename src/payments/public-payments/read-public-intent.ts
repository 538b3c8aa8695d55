import { readIntentBrand } from '../../billing/checkout-sessions/read-intent-brand.ts';
import { dueBaseUnits, type Intent, isWaiting, receivedCents, whyNotPayable } from '../../intents/intent.ts';
import { paymentInProgress } from '../../intents/payment-in-progress.ts';
import { paymentUrlOf } from '../../intents/payment-url.ts';
import { findIntentAnywhere } from '../../intents/queries.ts';
import { requestReferenceCheck } from '../../intents/reference-checks.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';

export interface PublicIntentParts {
  db: Database;
  clock: Clock;
  mint: string;
  publicUrl(): string;
}

/** Returns only what a payer may see. Reading also requests a closer look at the chain. */
export async function readPublicIntent(parts: PublicIntentParts, id: string) {
  const intent = await findIntentAnywhere(parts.db, id);
  if (!intent) throw new AppError('NOT_FOUND');
  if (isWaiting(intent, parts.clock.now())) await requestReferenceCheck(parts.db, intent, parts.clock.now());
  return presentToPayer(parts, intent);
}

export async function presentToPayer(parts: PublicIntentParts, intent: Intent) {
  const { name: merchantName } = await readIntentBrand(parts.db, intent);
  return {
    merchantName,
    expectedAmountCents: intent.expectedAmountCents,
    amountReceivedCents: saturateInt64(receivedCents(intent)),
    destinationAddress: intent.destinationAddress,
    referenceAddress: intent.referenceAddress,
    status: intent.status,
    expiresAt: intent.expiresAt,
    paymentUrl: (isWaiting(intent, parts.clock.now()) && paymentUrlOf(intent, parts, merchantName)) || null,
  };
}

export { dueBaseUnits, isWaiting };

export function notPayable(intent: Intent): AppError {
  return new AppError('INVALID_STATE', { message: whyNotPayable(intent) });
}

/** Sent before, perhaps in vain: until that is known, nobody pays twice. */
export function onItsWay(): AppError {
  const message =
    'Another payment for this is on its way. If it does not arrive within two minutes, try again.';
  return paymentInProgress(message);
}
