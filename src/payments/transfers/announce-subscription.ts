import type { Invoice } from '../../billing/invoices/invoice.ts';
import {
  storeSubscriptionQuietly,
  subscriptionEvent,
} from '../../billing/subscriptions/change-subscription.ts';
import type { Subscription } from '../../billing/subscriptions/subscription.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';

/** A subscription created by its first money has its event after its invoice's. */
export async function announceSubscription(
  tx: Tx,
  subscription: Subscription,
  { id: latestInvoiceId }: Invoice,
): Promise<NewEvent> {
  const started = { ...subscription, latestInvoiceId };
  await storeSubscriptionQuietly(tx, started);
  return subscriptionEvent('subscription.created', started, null, null);
}
