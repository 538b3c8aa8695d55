import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { findPrice } from '../catalog/queries.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { changeSubscription } from '../subscriptions/change-subscription.ts';
import { lockSubscription } from '../subscriptions/queries.ts';
import {
  isLive,
  isPrepaid,
  NO_NEXT_PLAN,
  type PaidPlan,
  type Subscription,
  startAt,
  withDiscountUsed,
} from '../subscriptions/subscription.ts';
import { emailPlan } from './email-plan.ts';
import { lockSubscriptionWithSessions } from './lock-subscription.ts';
import { coversUnusedTime } from './period-payments.ts';
import { reopenRenewal } from './reopen-renewal.ts';

/**
 * True if it is still the pending change, of a period that no other paid period has followed and whose payment was
 * not sent back.
 */
export async function changeStillFits(tx: Tx, invoice: Invoice): Promise<boolean> {
  const { merchantId, subscriptionId, id } = invoice;
  const subscription = (await lockSubscription(tx, { merchantId, id: subscriptionId! }))!;
  const { pendingChange, currentPeriodStart } = subscription;
  if (pendingChange?.invoiceId !== id || !isLive(subscription) || isPrepaid(subscription)) return false;
  if (pendingChange.prorationDate < currentPeriodStart!) return false;
  return coversUnusedTime(tx, subscription, invoice);
}

/** The customer has paid for a change of plan: it applies as it was previewed. */
export async function applyPaidChange(tx: Tx, invoice: Invoice, now: Date): Promise<NewEvent[]> {
  const { merchantId } = invoice;
  const agreement = (await lockSubscriptionWithSessions(tx, { merchantId, id: invoice.subscriptionId! }))!;
  const change = agreement.subscription.pendingChange!;
  const price = (await findPrice(tx, { merchantId, id: change.priceId }))!;
  const next = { price, quantity: change.quantity, discountId: invoice.discount?.id ?? null };
  // Paid just before the period ended, the subscription may be past due by now; then the renewal is requested again
  // as well.
  const changed: Subscription = {
    ...withPlan(agreement.subscription, next, change),
    status: 'active',
    pendingChange: null,
  };
  const reopened = await reopenRenewal(tx, agreement, changed, now);
  const { subscription, event } = await changeSubscription(tx, {
    before: agreement.subscription,
    after: { ...reopened.subscription, latestInvoiceId: invoice.id },
    event: 'subscription.updated',
    txSignature: invoice.txSignature,
  });
  await emailPlan(tx, subscription, 'plan_changed', { of: next });
  return [...reopened.events, event];
}

/** The subscription on its new plan: in the same period, or in a new one that started with the change. */
export function withPlan(
  subscription: Subscription,
  next: PaidPlan<CatalogPrice>,
  { prorationBehavior, prorationDate }: { prorationBehavior: string; prorationDate: Date },
): Subscription {
  if (prorationBehavior !== 'reset') {
    return { ...subscription, priceId: next.price.id, quantity: next.quantity, ...NO_NEXT_PLAN };
  }
  const used = withDiscountUsed(subscription, next.discountId);
  return { ...startAt(used, prorationDate, next), ...renewalOf(subscription), ...NO_NEXT_PLAN };
}

/** Returns the fields of the open renewal; it stays open until the caller that changes the plan closes it. */
function renewalOf({ renewalInvoiceId, renewalCheckoutUrl, graceEndsAt, remindersSent }: Subscription) {
  return { renewalInvoiceId, renewalCheckoutUrl, graceEndsAt, remindersSent };
}
