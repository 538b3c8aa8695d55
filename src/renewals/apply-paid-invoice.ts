import { findPrice } from '../catalog/find-price.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { closeSession } from '../checkout-sessions/close-session.ts';
import { findIntentOfInvoice, lockWholeSession } from '../checkout-sessions/lock-session.ts';
import type { Tx } from '../db/database.ts';
import type { NewEvent } from '../events/append-events.ts';
import { storeInvoiceQuietly } from '../invoices/change-invoice.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { findProject } from '../projects/find-project.ts';
import {
  changeSubscription,
  lockSubscription,
  type SubscriptionEvent,
  storeSubscriptionQuietly,
} from '../subscriptions/change-subscription.ts';
import { advance, prepay, type Subscription, startAt } from '../subscriptions/subscription.ts';
import { applyPaidChange } from './apply-paid-change.ts';
import { scheduled } from './schedule.ts';

export interface PaidInvoice {
  /** As stored, paid. */
  invoice: Invoice;
  /** The block time of the transaction that completed it: when the customer paid. */
  paidAt: Date;
  now: Date;
}

/**
 * What a paid invoice does to its subscription: begins it, renews it, brings it back, or changes its plan. Called
 * with intent, session and invoice locked; answers the events, for the caller to append after theirs.
 */
export async function applyPaidInvoice(tx: Tx, paid: PaidInvoice): Promise<NewEvent[]> {
  const { invoice, now } = paid;
  const { merchantId } = invoice;
  if (invoice.billingReason === 'subscription_change') return applyPaidChange(tx, invoice, now);
  const subscription = (await lockSubscription(tx, { merchantId, id: invoice.subscriptionId! }))!;
  const project = (await findProject(tx, { merchantId, id: invoice.projectId }))!;
  const price = (await findPrice(tx, { merchantId, id: subscription.priceId }))!;
  const bought = (await findPrice(tx, { merchantId, id: invoice.lines[0]!.priceId! }))!;
  const outcome = outcomeOf(subscription, price, bought, paid);
  const after = scheduled({ ...outcome.after, latestInvoiceId: invoice.id }, project, null);
  await notePeriod(tx, invoice, after, outcome);
  if (!outcome.event && !subscription.pendingChange) {
    await storeSubscriptionQuietly(tx, after);
    return [];
  }
  const dropped = await dropOvertaken(tx, subscription, now);
  const { event } = await changeSubscription(tx, {
    before: subscription,
    after: { ...after, pendingChange: null },
    event: outcome.event ?? 'subscription.updated',
    txSignature: invoice.txSignature,
  });
  return [...dropped, event];
}

/** A change reckoned for a period after which another is paid now fits no more. */
async function dropOvertaken(
  tx: Tx,
  { merchantId, pendingChange }: Subscription,
  now: Date,
): Promise<NewEvent[]> {
  if (!pendingChange) return [];
  const intentId = (await findIntentOfInvoice(tx, merchantId, pendingChange.invoiceId))!;
  return (await closeSession(tx, await lockWholeSession(tx, merchantId, intentId), now)).events;
}

interface Outcome {
  after: Subscription;
  /** Absent: nothing is told before the period has begun. */
  event?: SubscriptionEvent;
  /** The period begins with the payment, not where the invoice said. */
  isNewAnchor?: boolean;
}

function outcomeOf(
  subscription: Subscription,
  price: CatalogPrice,
  bought: CatalogPrice,
  { invoice, paidAt, now }: PaidInvoice,
): Outcome {
  switch (subscription.status) {
    case 'incomplete':
    case 'incomplete_expired':
      return {
        after: startAt(subscription, paidAt, bought),
        event: 'subscription.activated',
        isNewAnchor: true,
      };
    case 'canceled':
      // Paid before the last moment after all: what was taken away is given back as if it had never been.
      if (paidAt <= subscription.graceEndsAt!)
        return { after: advance(subscription, price, bought), event: 'subscription.reactivated' };
      return {
        after: startAt(subscription, paidAt, bought),
        event: 'subscription.reactivated',
        isNewAnchor: true,
      };
    default:
      if (subscription.status === 'active' && now < subscription.currentPeriodEnd!) {
        const period = { start: invoice.periodStart!, end: invoice.periodEnd! };
        return { after: prepay(subscription, period, bought) };
      }
      return { after: advance(subscription, price, bought), event: 'subscription.renewed' };
  }
}

/** The invoice says which period was bought; one that begins with the payment is known only now. */
async function notePeriod(
  tx: Tx,
  invoice: Invoice,
  { currentPeriodStart, currentPeriodEnd }: Subscription,
  { isNewAnchor }: Outcome,
): Promise<void> {
  if (!isNewAnchor) return;
  await storeInvoiceQuietly(tx, { ...invoice, periodStart: currentPeriodStart, periodEnd: currentPeriodEnd });
}
