import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { newId } from '../../platform/lib/ids.ts';
import { NO_METADATA } from '../../platform/lib/metadata.ts';
import { type Discount, startingDiscount } from '../discounts/discount.ts';
import type { BillingReason } from '../invoices/invoice.ts';
import {
  insertSubscription,
  storeSubscriptionQuietly,
  subscriptionEvent,
} from '../subscriptions/change-subscription.ts';
import { newSubscription } from '../subscriptions/subscription.ts';
import { type OpenSession, openSession } from './create-session-with-invoice.ts';
import { type Mode, type Session, seatsOf } from './session.ts';

export const BILLING_REASONS: Record<Mode, BillingReason> = {
  one_time: 'one_time',
  balance_top_up: 'balance_top_up',
  subscription: 'subscription_create',
};

export type NewCheckout = Omit<OpenSession, 'billingReason'> & {
  /** The discount that a subscription starts with. */
  given?: Discount;
};

/**
 * A checkout created by key or by link: the session and, for a subscription price, the subscription. An anonymous
 * buyer's subscription is created when their money arrives.
 */
export async function createCheckout(tx: Tx, input: NewCheckout): Promise<Session> {
  const billingReason = BILLING_REASONS[input.mode];
  if (input.mode !== 'subscription' || input.origin === 'link') {
    const { session, events } = await openSession(tx, { ...input, billingReason });
    await appendEvents(tx, events, input.now);
    return session;
  }
  const { project, customer, now, merchantReference, clientReferenceId } = input;
  const subscription = newSubscription({
    id: newId(now),
    merchantId: project.merchantId,
    projectId: project.id,
    customerId: customer!.id,
    externalCustomerId: customer!.externalCustomerId,
    priceId: input.priceId!,
    quantity: seatsOf(input.lines),
    ...startingDiscount(input.given),
    merchantReference,
    clientReferenceId,
    metadata: input.metadata ?? NO_METADATA,
    trialDays: input.trialDays ?? null,
    successUrl: input.successUrl,
    cancelUrl: input.cancelUrl,
    createdAt: now,
  });
  await insertSubscription(tx, subscription);
  const { session, events } = await openSession(tx, {
    ...input,
    billingReason,
    subscriptionId: subscription.id,
  });
  // The invoice names the subscription, so it can be named by it only now.
  const begun = { ...subscription, latestInvoiceId: session.invoiceId };
  await storeSubscriptionQuietly(tx, begun);
  const created = subscriptionEvent('subscription.created', begun, null, null);
  await appendEvents(tx, [...events, created], now);
  return session;
}
