import { changeSession, orderingKeyOf } from '../../billing/checkout-sessions/change-session.ts';
import { clearUnapplied } from '../../billing/checkout-sessions/mark-unapplied.ts';
import { lockSessionOfIntent } from '../../billing/checkout-sessions/queries.ts';
import { registerBuyer } from '../../billing/checkout-sessions/register-buyer.ts';
import { followPayment, redemptionOf, type Session } from '../../billing/checkout-sessions/session.ts';
import { regainsTrial } from '../../billing/checkout-sessions/session-trial.ts';
import { keepRedemption } from '../../billing/discounts/redeem.ts';
import { adjustInvoice, changeInvoice } from '../../billing/invoices/change-invoice.ts';
import { numberInvoice } from '../../billing/invoices/create-invoice.ts';
import { emailCustomer } from '../../billing/invoices/email-customer.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { lockInvoiceOfSession } from '../../billing/invoices/queries.ts';
import { post, reapplyInvoiceCredit } from '../../billing/ledger/post.ts';
import { countLinkPayment } from '../../billing/payment-links/count-payment.ts';
import { isOversold } from '../../billing/payment-links/create-link-session.ts';
import { changeStillFits } from '../../billing/renewals/apply-paid-change.ts';
import { applyPaidInvoice, withBoughtPeriod } from '../../billing/renewals/apply-paid-invoice.ts';
import { endUnpaid } from '../../billing/renewals/end-unpaid.ts';
import { type Intent, receivedCents, waivedCents } from '../../intents/intent.ts';
import { isSeen } from '../../intents/seen.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { announceSubscription } from './announce-subscription.ts';
import { isOfArchived } from './close-archived.ts';
import { isCreditSpent } from './close-without-credit.ts';
import { type Funded, refusePayment, withMoney } from './refuse-payment.ts';

export interface Money {
  /** When the customer paid: the block time of the transaction, or when a person decided that it is theirs. */
  paidAt: Date;
  now: Date;
  /** Unless a person has decided against it. */
  sendsReceipt?: boolean;
  /** True if a person decides now: what can no longer be sold is an error, and nothing changes. */
  isDecision?: boolean;
}

/**
 * Applies money to the session behind an intent: to its invoice, the session itself, and what was bought. Called with
 * the intent locked and stored, once for each change of it; effects happen when the invoice becomes paid.
 */
export async function followIntent(tx: Tx, before: Intent, after: Intent, money: Money): Promise<void> {
  if (after.sessionOrderingKey === null) return;
  const locked = await lockSessionOfIntent(tx, after.merchantId, after.id);
  if (!locked) return;
  const invoice = (await lockInvoiceOfSession(tx, after.merchantId, locked.id))!;
  const isMore = receivedCents(after) > receivedCents(before);
  if (locked.status === 'canceled') return noteUnapplied(tx, locked, invoice, { before, after }, money.now);
  const isFinal = isSeen(after.receivedBaseUnits) || after.status === 'succeeded';
  const refusal = await whyRefused(tx, { session: locked, invoice, before, after, isFinal }, money);
  if (refusal !== undefined && money.isDecision) throw new AppError('INVALID_STATE', { message: refusal });
  if (refusal !== undefined) return refusePayment(tx, locked, invoice, { before, after }, money.now);

  const { now } = money;
  // Money that may vanish again creates nothing permanent: a stranger becomes a customer with the first final cent,
  // or with an order that costs nothing.
  const isFirstMoney = invoice.number === null && isFinal;
  const buyer = isFirstMoney ? await registerBuyer(tx, locked, now) : undefined;
  const session = buyer?.session ?? locked;
  const followed = await followSession(tx, session, after, { isMore, isFirstMoney }, now);
  // After the volume, because all lock in one order.
  const numbered =
    buyer && (await numberInvoice(tx, { ...invoice, ...buyerOf(session) }, orderingKeyOf(session), now));
  const isPaid = after.status === 'succeeded' && before.status !== 'succeeded';
  const buysPeriod = isPaid && session.subscriptionId !== null;
  const opened = numbered?.invoice ?? invoice;
  const billed = buysPeriod ? await withBoughtPeriod(tx, { invoice: opened, ...money }) : opened;
  const paid = await followInvoice(tx, billed, session, after, isMore, now);
  const started = buyer?.subscription && (await announceSubscription(tx, buyer.subscription, invoice));
  const applied = buysPeriod ? await applyPaidInvoice(tx, { invoice: paid.invoice, ...money }) : [];
  const isTooLate = started && !isPaid && session.status === 'expired';
  const ended = isTooLate ? await endUnpaid(tx, paid.invoice, now) : undefined;
  const events = [numbered?.event, paid.event, followed, started, ...applied, ended];
  await appendEvents(
    tx,
    events.filter((event) => event !== undefined),
    now,
  );
  if (!isPaid) return;
  if (invoice.creditAppliedCents > 0n) {
    const orderingKey = orderingKeyOf(session);
    await reapplyInvoiceCredit(tx, { merchantId: after.merchantId, invoiceId: invoice.id, orderingKey, now });
  }
  await deliver(tx, session, now);
  if (money.sendsReceipt !== false) await emailBuyer(tx, session, paid.invoice);
}

interface Offer extends Funded {
  session: Session;
  invoice: Invoice;
  /** True if money of it is final. */
  isFinal: boolean;
}

/** Returns the reason why the money can no longer buy what it was for, if there is one. */
async function whyRefused(
  tx: Tx,
  { session, invoice, before, after, isFinal }: Offer,
  money: Money,
): Promise<string | undefined> {
  if (isFinal && (await isOfArchived(tx, session, invoice))) return 'Its project is archived.';
  if (await isDeadChange(tx, invoice, session, after, money))
    return 'The change of plan that it pays for is no longer possible.';
  if (await isSecondTrial(tx, session, after)) return 'The customer has used up the trial since.';
  if (await isWithoutPlace(tx, session, before, after, money.now))
    return 'Its place among a limited number has gone to somebody else.';
  if (await isWithoutDiscount(tx, session, after))
    return 'Its discount was given back while nobody paid, and there is none left.';
  if (after.status === 'succeeded' && (await isCreditSpent(tx, invoice)))
    return 'The account credit that paid the rest has come back to the customer and been spent.';
  return undefined;
}

/** Sends the trial's e-mail and the receipt. A trial that cost nothing has no receipt. */
async function emailBuyer(tx: Tx, { trialDays }: Session, invoice: Invoice): Promise<void> {
  if (trialDays !== null)
    await emailCustomer(tx, invoice, { kind: 'trial_started', endsAt: invoice.periodEnd });
  if (trialDays === null || invoice.totalCents > 0n) await emailCustomer(tx, invoice, { kind: 'receipt' });
}

function buyerOf({ customerId, subscriptionId }: Session) {
  return { customerId, subscriptionId };
}

/**
 * Money for a closed session buys nothing: a moment later it is handled as unapplied. Until then it is on the
 * invoice, without anything that became account credit before.
 */
async function noteUnapplied(
  tx: Tx,
  session: Session,
  invoice: Invoice,
  funded: Funded,
  now: Date,
): Promise<void> {
  const { txSignature } = funded.after;
  const events: NewEvent[] = [];
  if (receivedCents(funded.after) > receivedCents(funded.before)) {
    const orderingKey = orderingKeyOf(session);
    const after = withMoney(invoice, funded);
    events.push(...(await adjustInvoice(tx, { before: invoice, after, orderingKey, now })));
  }
  const after = asCanceled(session, funded.after);
  if (after.paymentStatus !== session.paymentStatus || events.length > 0) {
    const event = 'checkout.session.updated';
    events.push(await changeSession(tx, { before: session, after, event, txSignature }));
  }
  await appendEvents(tx, events, now);
  await clearUnapplied(tx, session.merchantId, session.id);
}

/** Whatever has arrived for it, it is not paid. */
function asCanceled(session: Session, intent: Intent): Session {
  const amountReceivedCents = receivedCents(intent);
  const rest = intent.status === 'processing' ? 'processing' : 'unpaid';
  return {
    ...session,
    amountReceivedCents,
    paymentStatus: intent.receivedBaseUnits > 0n ? 'underpaid' : rest,
  };
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

async function isSecondTrial(tx: Tx, session: Session, intent: Intent): Promise<boolean> {
  return intent.status === 'succeeded' && !(await regainsTrial(tx, session));
}

/** Its place among a limited number was given back, and somebody else has it. */
async function isWithoutPlace(
  tx: Tx,
  { status, paymentLinkId, merchantId, id: sessionId }: Session,
  before: Intent,
  after: Intent,
  now: Date,
): Promise<boolean> {
  if (paymentLinkId === null || status !== 'expired') return false;
  if (after.status !== 'succeeded' || before.status === 'succeeded') return false;
  return isOversold(tx, { merchantId, id: paymentLinkId }, { now, besides: { sessionId } });
}

/** Its discount was given back while nobody paid, and there is none left: at that price it is not sold once more. */
async function isWithoutDiscount(tx: Tx, session: Session, intent: Intent): Promise<boolean> {
  if (session.discount === null || session.origin === 'renewal' || session.status === 'complete')
    return false;
  return intent.status === 'succeeded' && !(await keepRedemption(tx, redemptionOf(session)));
}

async function followInvoice(
  tx: Tx,
  before: Invoice,
  session: Session,
  intent: Intent,
  isMore: boolean,
  now: Date,
): Promise<{ invoice: Invoice; event?: NewEvent }> {
  const funded = {
    ...before,
    amountPaidCents: receivedCents(intent),
    waivedCents: waivedCents(intent),
    txSignature: intent.txSignature,
  };
  const orderingKey = orderingKeyOf(session);
  const numbered = { sequence: before.sequence + 1 };
  if (intent.status === 'succeeded' && before.status !== 'paid') {
    const after: Invoice = { ...funded, status: 'paid', paidAt: now };
    const event = await changeInvoice(tx, { before, after, event: 'invoice.paid', orderingKey, now });
    return { invoice: { ...after, ...numbered }, event };
  }
  if (isMore) {
    const event = await changeInvoice(tx, {
      before,
      after: funded,
      event: 'invoice.underpaid',
      orderingKey,
      now,
    });
    return { invoice: { ...funded, ...numbered }, event };
  }
  return { invoice: before };
}

async function followSession(
  tx: Tx,
  before: Session,
  intent: Intent,
  { isMore, isFirstMoney }: { isMore: boolean; isFirstMoney: boolean },
  now: Date,
): Promise<NewEvent | undefined> {
  const after = followPayment({ ...before, amountReceivedCents: receivedCents(intent) }, intent.status, now);
  const isMoved = after.paymentStatus !== before.paymentStatus || isMore;
  if (!isMoved && !isFirstMoney) return undefined;
  return changeSession(tx, {
    before,
    after,
    event: isMoved ? eventOf(before, after) : 'checkout.session.updated',
    txSignature: intent.txSignature,
  });
}

function eventOf(before: Session, { paymentStatus }: Session) {
  if (paymentStatus === 'paid') return 'checkout.session.completed';
  const isBegun = paymentStatus === 'processing' && before.paymentStatus !== 'processing';
  return isBegun ? 'checkout.session.processing' : 'checkout.session.updated';
}

/** Credits what was bought, once: the ledger's unique index guarantees it. */
async function deliver(tx: Tx, session: Session, now: Date): Promise<void> {
  const { merchantId, paymentLinkId, creditAmount, customerId, invoiceId } = session;
  if (creditAmount !== null) {
    await post(tx, {
      merchantId,
      customerId: customerId!,
      deltaCredits: creditAmount,
      counterAccount: 'top_up',
      invoiceId,
      orderingKey: orderingKeyOf(session),
      now,
    });
  }
  if (paymentLinkId) await countLinkPayment(tx, { merchantId, id: paymentLinkId }, now);
}
