import { findProject } from '../../accounts/projects/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { findPrice } from '../catalog/queries.ts';
import { closeSession } from '../checkout-sessions/close-session.ts';
import { lockWholeSession } from '../checkout-sessions/lock-session.ts';
import { findIntentOfInvoice } from '../checkout-sessions/queries.ts';
import { seatsOf } from '../checkout-sessions/session.ts';
import { type Invoice, withPeriod } from '../invoices/invoice.ts';
import { changeSubscription, type SubscriptionEvent } from '../subscriptions/change-subscription.ts';
import { lockSubscription } from '../subscriptions/queries.ts';
import {
  advance,
  isRunning,
  type PaidPlan,
  prepay,
  type Subscription,
  startAt,
  startTrial,
  withDiscountUsed,
} from '../subscriptions/subscription.ts';
import { applyPaidChange } from './apply-paid-change.ts';
import { scheduled } from './schedule.ts';

export interface PaidInvoice {
  /** Locked, about to be paid or just paid. */
  invoice: Invoice;
  /** When the customer paid: the block time of the transaction that completed it, or when a person decided that it did. */
  paidAt: Date;
  now: Date;
}

/**
 * Applies a paid invoice to its subscription: starts it, renews it, restores it or changes its plan. Called with
 * intent, session and invoice locked; returns the events for the caller to append after its own.
 */
export async function applyPaidInvoice(tx: Tx, paid: PaidInvoice): Promise<NewEvent[]> {
  const { invoice, now } = paid;
  const { merchantId } = invoice;
  if (invoice.billingReason === 'subscription_change') return applyPaidChange(tx, invoice, now);
  const { subscription, outcome } = await weigh(tx, paid);
  const project = (await findProject(tx, { merchantId, id: invoice.projectId }))!;
  const after = scheduled({ ...outcome.after, latestInvoiceId: invoice.id }, project, null);
  const dropped = await dropOvertaken(tx, subscription, now);
  const { event } = await changeSubscription(tx, {
    before: subscription,
    after: { ...after, pendingChange: null },
    event: outcome.event ?? 'subscription.updated',
    txSignature: invoice.txSignature,
  });
  return [...dropped, event];
}

/**
 * The invoice with the period that its payment buys. A period that starts with the payment is only known now, and
 * must be set before the invoice's paid event is written.
 */
export async function withBoughtPeriod(tx: Tx, paid: PaidInvoice): Promise<Invoice> {
  const { invoice } = paid;
  if (invoice.billingReason === 'subscription_change') return invoice;
  const { outcome } = await weigh(tx, paid);
  const { currentPeriodStart: periodStart, currentPeriodEnd: periodEnd } = outcome.after;
  return outcome.event ? withPeriod(invoice, { periodStart, periodEnd }) : invoice;
}

async function weigh(tx: Tx, paid: PaidInvoice): Promise<{ subscription: Subscription; outcome: Outcome }> {
  const { merchantId, subscriptionId, lines, discount } = paid.invoice;
  const subscription = (await lockSubscription(tx, { merchantId, id: subscriptionId! }))!;
  const price = (await findPrice(tx, { merchantId, id: subscription.priceId }))!;
  const boughtPrice = (await findPrice(tx, { merchantId, id: lines[0]!.priceId! }))!;
  // A trial uses nothing of a discount up.
  const discountId = startsTrial(subscription) ? null : (discount?.id ?? null);
  const bought = { price: boughtPrice, quantity: seatsOf(lines), discountId };
  const used = withDiscountUsed(subscription, bought.discountId);
  return { subscription, outcome: outcomeOf(used, price, bought, paid) };
}

/** A change calculated for a period no longer fits once the next period is paid. */
async function dropOvertaken(
  tx: Tx,
  { merchantId, pendingChange }: Subscription,
  now: Date,
): Promise<NewEvent[]> {
  if (!pendingChange) return [];
  const intentId = (await findIntentOfInvoice(tx, merchantId, pendingChange.invoiceId))!;
  return (await closeSession(tx, await lockWholeSession(tx, merchantId, intentId), now)).events;
}

function startsTrial({ status, trialDays }: Subscription): boolean {
  return trialDays !== null && (status === 'incomplete' || status === 'incomplete_expired');
}

interface Outcome {
  after: Subscription;
  /** Absent: the period is paid ahead, and begins later. */
  event?: SubscriptionEvent;
}

function outcomeOf(
  subscription: Subscription,
  price: CatalogPrice,
  bought: PaidPlan<CatalogPrice>,
  { invoice, paidAt, now }: PaidInvoice,
): Outcome {
  switch (subscription.status) {
    case 'incomplete':
    case 'incomplete_expired':
      if (startsTrial(subscription))
        return { after: startTrial(subscription, paidAt, bought), event: 'subscription.activated' };
      return { after: startAt(subscription, paidAt, bought), event: 'subscription.activated' };
    case 'canceled':
      // Paid before the deadline after all: what was revoked is restored as if nothing had happened.
      if (paidAt <= subscription.graceEndsAt!)
        return { after: advance(subscription, price, bought), event: 'subscription.reactivated' };
      return { after: startAt(subscription, paidAt, bought), event: 'subscription.reactivated' };
    default:
      if (isRunning(subscription) && now < subscription.currentPeriodEnd!) {
        const period = { start: invoice.periodStart!, end: invoice.periodEnd! };
        return { after: prepay(subscription, period, bought) };
      }
      return { after: advance(subscription, price, bought), event: 'subscription.renewed' };
  }
}
