import { orderingKeyOf } from '../../billing/checkout-sessions/change-session.ts';
import { lockSessionOfIntent } from '../../billing/checkout-sessions/queries.ts';
import { refundInvoice } from '../../billing/invoices/refund-invoice.ts';
import { receivedCents } from '../../intents/intent.ts';
import { markRefunding } from '../../intents/mark-refunding.ts';
import type { Tx } from '../../platform/db/database.ts';
import { baseUnitsToCents } from '../../platform/lib/money.ts';
import { isOfIntent, isUndecided, type PaymentException } from '../transfers/exception.ts';
import { listExceptionsOfIntent, lockException } from '../transfers/exception-queries.ts';
import { endAsReturned, holdForRefund } from '../transfers/refund-exception.ts';
import { changeRefund } from './change-refund.ts';
import { createCreditNote } from './create-credit-note.ts';
import { emailRefundSent } from './email-customer.ts';
import { type Refund, refundNumber } from './refund.ts';
import type { Source } from './refundable.ts';
import { sumSucceededOfException, sumSucceededOfIntent } from './sum-queries.ts';

export interface Booking {
  before: Refund;
  /** Refund with all that the chain has shown, and the amount that counts. */
  after: Refund;
  source: Source;
  mint: string;
  now: Date;
}

/** The chain has proven a refund: its credit note, its invoice, its exception and its event, all or nothing. */
export async function bookRefund(tx: Tx, { before, after, source, mint, now }: Booking): Promise<Refund> {
  const note = await createCreditNote(tx, after, source, now);
  const hasEffects = after.revokeCredits || after.cancelSubscription;
  const succeeded = await changeRefund(tx, {
    before,
    after: {
      ...after,
      status: 'succeeded',
      succeededAt: now,
      canceledAt: null,
      effectsDueAt: hasEffects ? now : null,
      creditNoteId: note.id,
      creditNoteNumber: note.number,
    },
    event: 'refund.succeeded',
    mint,
    now,
  });
  await bookInvoice(tx, succeeded, now);
  if (source.intent) await markRefunding(tx, source.intent, true);
  await endExceptions(tx, succeeded, source, now);
  await emailRefundSent(tx, succeeded);
  return succeeded;
}

async function bookInvoice(tx: Tx, refund: Refund, now: Date): Promise<void> {
  const { merchantId, invoiceId, paymentIntentId, amountCents } = refund;
  if (invoiceId === null || paymentIntentId === null) return;
  const session = (await lockSessionOfIntent(tx, merchantId, paymentIntentId))!;
  const orderingKey = orderingKeyOf(session);
  await refundInvoice(tx, { merchantId, id: invoiceId }, { cents: amountCents, orderingKey, now });
}

/** An exception ends when its money is back, whether the refund named it, returned what was paid beyond the price, or all of it. */
async function endExceptions(
  tx: Tx,
  refund: Refund,
  { exception, intent }: Source,
  now: Date,
): Promise<void> {
  const { merchantId, id } = refund;
  const ended = { refund: refundNumber(refund.number), signature: refund.txSignature!, now };
  if (exception && isUndecided(exception)) {
    await holdForRefund(tx, exception, { refundId: id, now });
    const returned = await sumSucceededOfException(tx, merchantId, exception.id);
    if (returned >= baseUnitsToCents(exception.baseUnits))
      await endAsReturned(tx, { ...exception, refundId: id }, ended);
  }
  if (!intent) return;
  const returned = await sumSucceededOfIntent(tx, merchantId, intent.id);
  const isAllBack = returned.cents >= receivedCents(intent);
  const isBack = ({ kind, baseUnits }: PaymentException) =>
    isAllBack || (kind === 'surplus' && returned.overpaidCents >= baseUnitsToCents(baseUnits));
  for (const other of await listExceptionsOfIntent(tx, merchantId, intent.id)) {
    const isOpen = (found: PaymentException | undefined) =>
      found && found.status === 'open' && isOfIntent(found) && found.intentId === intent.id && isBack(found);
    if (!isOpen(other)) continue;
    const locked = await lockException(tx, merchantId, other.id);
    if (isOpen(locked)) await endAsReturned(tx, { ...locked!, refundId: id }, ended);
  }
}
