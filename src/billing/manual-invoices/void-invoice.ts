import { isUnseen } from '../../intents/intent.ts';
import { paymentInProgress } from '../../intents/payment-in-progress.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { inState } from '../../platform/lib/in-state.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { closeSession } from '../checkout-sessions/close-session.ts';
import { lockWholeSession } from '../checkout-sessions/lock-session.ts';
import { findIntentOfInvoice } from '../checkout-sessions/queries.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { findInvoice } from '../invoices/queries.ts';

/**
 * Voids an open manual invoice: it keeps its number, and nothing is owed. A part payment becomes the customer's account
 * credit and an exception, from which it can be refunded.
 */
export async function voidInvoice(tx: Tx, ref: Ref, now: Date): Promise<Invoice> {
  const found = await findInvoice(tx, ref);
  if (!found) throw new AppError('NOT_FOUND');
  if (found.status === 'draft') throw refusal('A draft cannot be voided. Delete it, or open it first.');
  if (found.billingReason !== 'manual') {
    throw refusal(
      found.subscriptionId === null
        ? 'This invoice belongs to a checkout session; cancel the session instead.'
        : 'This invoice belongs to a subscription; cancel or change the subscription instead.',
    );
  }
  const intentId = (await findIntentOfInvoice(tx, ref.merchantId, ref.id))!;
  const locked = await lockWholeSession(tx, ref.merchantId, intentId);
  if (locked.invoice.status !== 'open')
    throw refusal(`${inState(locked.invoice.status, 'invoice')} cannot be voided.`);
  const isSettled = isUnseen(locked.intent) || locked.intent.status === 'underpaid';
  if (!isSettled || (await hasPaymentUnderWay(tx, locked.intent)))
    throw paymentInProgress('A payment for this invoice is in progress. Try again when it is final.');
  const { events } = await closeSession(tx, locked, now);
  await appendEvents(tx, events, now);
  return (await findInvoice(tx, ref))!;
}

function refusal(message: string): AppError {
  return new AppError('INVALID_STATE', { message });
}
