import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { changeSubscription } from '../subscriptions/change-subscription.ts';
import { lockSubscription } from '../subscriptions/queries.ts';
import { NO_NEXT_PLAN, type Subscription } from '../subscriptions/subscription.ts';

/**
 * Applies an invoice that was not paid by its deadline to its subscription: one that never started never will, a live
 * one ends, a plan change is dropped. Called with the session locked; returns the event.
 */
export async function endUnpaid(tx: Tx, invoice: Invoice, now: Date): Promise<NewEvent> {
  const { merchantId, subscriptionId } = invoice;
  const before = (await lockSubscription(tx, { merchantId, id: subscriptionId! }))!;
  const { event } = await changeSubscription(tx, { before, ...consequence(before, invoice, now) });
  return event;
}

/** Leaves a subscription ended whose unpaid renewal can no longer be paid late. Called with the session locked; returns the event. */
export async function dropLateRenewal(tx: Tx, { merchantId, subscriptionId }: Invoice): Promise<NewEvent> {
  const before = (await lockSubscription(tx, { merchantId, id: subscriptionId! }))!;
  const after = { ...before, renewalInvoiceId: null, renewalCheckoutUrl: null };
  return (await changeSubscription(tx, { before, after, event: 'subscription.updated' })).event;
}

function consequence(before: Subscription, { billingReason }: Invoice, now: Date) {
  switch (billingReason) {
    case 'subscription_create':
      return {
        after: { ...before, status: 'incomplete_expired' as const },
        event: 'subscription.incomplete_expired' as const,
      };
    case 'subscription_change':
      return { after: { ...before, pendingChange: null }, event: 'subscription.updated' as const };
    default:
      return {
        after: {
          ...before,
          status: 'canceled' as const,
          canceledAt: now,
          cancelReason: 'payment_overdue' as const,
          pendingChange: null,
          ...NO_NEXT_PLAN,
          cancelAtPeriodEnd: false,
          nextStepAt: null,
        },
        event: 'subscription.canceled' as const,
      };
  }
}
