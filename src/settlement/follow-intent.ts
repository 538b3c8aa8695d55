import { changeSession, laneOf, lockSessionOfIntent } from '../checkout-sessions/change-session.ts';
import { closeSession } from '../checkout-sessions/close-session.ts';
import { followPayment, type Session } from '../checkout-sessions/session.ts';
import type { Tx } from '../db/database.ts';
import { appendEvents, type NewEvent } from '../events/append-events.ts';
import { type Intent, receivedCents } from '../intents/intent.ts';
import { changeInvoice, lockInvoiceOfSession, storeInvoiceQuietly } from '../invoices/change-invoice.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { tellCustomer } from '../invoices/tell-customer.ts';
import { post, retakeInvoiceCredit } from '../ledger/post.ts';
import { countLinkPayment } from '../payment-links/count-payment.ts';
import { changeStillFits } from '../renewals/apply-paid-change.ts';
import { applyPaidInvoice } from '../renewals/apply-paid-invoice.ts';
import { endUnpaid } from '../renewals/end-unpaid.ts';
import { clearStrayAt } from './session-queries.ts';

export interface Money {
  /** The block time of the transaction: when the customer paid. */
  paidAt: Date;
  now: Date;
  /** Arrived before, but is told of only now. */
  isUntoldPart?: boolean;
}

/**
 * What money means for the session behind an intent: its invoice, the session itself, and what was bought. Called
 * with the intent locked and stored, once for each change of it; effects happen when the invoice becomes paid.
 */
export async function followIntent(tx: Tx, before: Intent, after: Intent, money: Money): Promise<void> {
  if (after.lane === null) return;
  const session = await lockSessionOfIntent(tx, after.merchantId, after.id);
  if (!session) return;
  const invoice = (await lockInvoiceOfSession(tx, after.merchantId, session.id))!;
  const isMore = receivedCents(after) > receivedCents(before) || money.isUntoldPart === true;
  if (session.status === 'canceled') return noteStray(tx, session, invoice, after);
  if (await isDeadChange(tx, invoice, session, after, money))
    return refuse(tx, session, invoice, after, money.now);

  const { now } = money;
  const paid = await followInvoice(tx, invoice, session, after, isMore, now);
  const followed = await followSession(tx, session, after, isMore, now);
  const isPaid = after.status === 'succeeded' && before.status !== 'succeeded';
  const applied =
    isPaid && session.subscriptionId ? await applyPaidInvoice(tx, { invoice: paid.invoice, ...money }) : [];
  const events = [paid.event, followed, ...applied];
  await appendEvents(
    tx,
    events.filter((event) => event !== undefined),
    now,
  );
  if (!isPaid) return;
  if (invoice.creditAppliedCents > 0n) {
    const lane = laneOf(session);
    await retakeInvoiceCredit(tx, { merchantId: after.merchantId, invoiceId: invoice.id, lane, now });
  }
  await deliver(tx, session, now);
  await tellCustomer(tx, paid.invoice, { kind: 'receipt' });
}

/** What a closed session receives buys nothing: it is dealt with as stray money, a moment later. */
async function noteStray(tx: Tx, session: Session, invoice: Invoice, intent: Intent): Promise<void> {
  await storeInvoiceQuietly(tx, {
    ...invoice,
    amountPaidCents: receivedCents(intent),
    txSignature: intent.txSignature,
  });
  await clearStrayAt(tx, session.merchantId, session.id);
}

/** A change of plan is paid within its time, by the chain's own clock, and while it still fits, or not at all. */
async function isDeadChange(
  tx: Tx,
  invoice: Invoice,
  session: Session,
  intent: Intent,
  { paidAt }: Money,
): Promise<boolean> {
  if (invoice.billingReason !== 'subscription_change' || invoice.status !== 'open') return false;
  if (intent.status !== 'succeeded') return false;
  return paidAt > session.expiresAt || !(await changeStillFits(tx, invoice));
}

async function refuse(tx: Tx, session: Session, invoice: Invoice, intent: Intent, now: Date): Promise<void> {
  // Closed as one that money came for, so that what came is found and dealt with.
  const seen: Session = { ...session, paymentStatus: 'processing' };
  const { events } = await closeSession(tx, { intent, session: seen, invoice }, now);
  const dropped = await endUnpaid(tx, invoice, now);
  await appendEvents(tx, [...events, dropped], now);
  await noteStray(tx, session, { ...invoice, status: 'void', sequence: invoice.sequence + 1 }, intent);
}

async function followInvoice(
  tx: Tx,
  before: Invoice,
  session: Session,
  intent: Intent,
  isMore: boolean,
  now: Date,
): Promise<{ invoice: Invoice; event?: NewEvent }> {
  const funded = { ...before, amountPaidCents: receivedCents(intent), txSignature: intent.txSignature };
  const lane = laneOf(session);
  const numbered = { sequence: before.sequence + 1 };
  if (intent.status === 'succeeded' && before.status !== 'paid') {
    const after: Invoice = { ...funded, status: 'paid', paidAt: now };
    const event = await changeInvoice(tx, { before, after, event: 'invoice.paid', lane, now });
    return { invoice: { ...after, ...numbered }, event };
  }
  if (isMore && intent.status === 'underpaid') {
    const event = await changeInvoice(tx, { before, after: funded, event: 'invoice.underpaid', lane, now });
    return { invoice: { ...funded, ...numbered }, event };
  }
  if (funded.txSignature === before.txSignature) return { invoice: before };
  await storeInvoiceQuietly(tx, funded);
  return { invoice: funded };
}

async function followSession(
  tx: Tx,
  before: Session,
  intent: Intent,
  isMore: boolean,
  now: Date,
): Promise<NewEvent | undefined> {
  const after = followPayment({ ...before, amountReceivedCents: receivedCents(intent) }, intent.status, now);
  const isPart = isMore && after.paymentStatus === 'underpaid';
  if (after.paymentStatus === before.paymentStatus && !isPart) return undefined;
  return changeSession(tx, {
    before,
    after,
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
