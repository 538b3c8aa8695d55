import { changeSession, laneOf, lockSessionOfIntent } from '../checkout-sessions/change-session.ts';
import { followPayment, type Session } from '../checkout-sessions/session.ts';
import type { Tx } from '../db/database.ts';
import { appendEvents, type NewEvent } from '../events/append-events.ts';
import { type Intent, receivedCents } from '../intents/intent.ts';
import { changeInvoice, lockInvoiceOfSession, storeInvoiceQuietly } from '../invoices/change-invoice.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { post } from '../ledger/post.ts';
import { countLinkPayment } from '../payment-links/count-payment.ts';

/**
 * What money means for the session behind an intent: its invoice, the session itself, and what was bought. Called
 * with the intent locked and stored, once for each change of it; effects happen when the invoice becomes paid.
 */
export async function followIntent(tx: Tx, before: Intent, after: Intent, now: Date): Promise<void> {
  if (after.lane === null) return;
  const session = await lockSessionOfIntent(tx, after.merchantId, after.id);
  if (!session) return;
  const invoice = (await lockInvoiceOfSession(tx, after.merchantId, session.id))!;
  const isMore = after.receivedBaseUnits > before.receivedBaseUnits;
  const events = [
    await followInvoice(tx, invoice, session, after, isMore, now),
    await followSession(tx, session, after, isMore, now),
  ];
  await appendEvents(
    tx,
    events.filter((event) => event !== undefined),
    now,
  );
  if (after.status === 'succeeded' && before.status !== 'succeeded') await deliver(tx, session, now);
}

async function followInvoice(
  tx: Tx,
  before: Invoice,
  session: Session,
  intent: Intent,
  isMore: boolean,
  now: Date,
): Promise<NewEvent | undefined> {
  const funded = { ...before, amountPaidCents: receivedCents(intent), txSignature: intent.txSignature };
  const lane = laneOf(session);
  if (intent.status === 'succeeded' && before.status !== 'paid') {
    const after: Invoice = { ...funded, status: 'paid', paidAt: now };
    return changeInvoice(tx, { before, after, event: 'invoice.paid', lane, now });
  }
  if (!isMore) return undefined;
  if (intent.status === 'underpaid') {
    return changeInvoice(tx, { before, after: funded, event: 'invoice.underpaid', lane, now });
  }
  await storeInvoiceQuietly(tx, funded);
  return undefined;
}

async function followSession(
  tx: Tx,
  before: Session,
  intent: Intent,
  isMore: boolean,
  now: Date,
): Promise<NewEvent | undefined> {
  const after = followPayment(before, intent.status, now);
  const isPart = isMore && after.paymentStatus === 'underpaid';
  if (after.paymentStatus === before.paymentStatus && !isPart) return undefined;
  return changeSession(tx, {
    before,
    after: { ...after, amountReceivedCents: receivedCents(intent) },
    event: eventOf(after),
    txSignature: intent.txSignature,
  });
}

function eventOf({ paymentStatus }: Session) {
  if (paymentStatus === 'paid') return 'checkout.session.completed';
  return paymentStatus === 'processing' ? 'checkout.session.processing' : 'checkout.session.updated';
}

/** What was bought, given once: the ledger's unique index stands behind it. */
async function deliver(tx: Tx, session: Session, now: Date): Promise<void> {
  const { merchantId, paymentLinkId, creditAmount, customerId, invoiceId } = session;
  if (creditAmount !== null) {
    await post(tx, {
      merchantId,
      customerId: customerId!,
      deltaCredits: creditAmount,
      otherSide: 'top_up',
      invoiceId,
      lane: laneOf(session),
      now,
    });
  }
  if (paymentLinkId) await countLinkPayment(tx, { merchantId, id: paymentLinkId }, now);
}
