import assert from 'node:assert';
import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { updateAsked } from './due-queries.ts';
import { presentSubscription } from './present.ts';
import { toRow } from './queries.ts';
import { type Subscription, subscriptions, TRANSITIONS } from './subscription.ts';

export type SubscriptionEvent =
  | 'subscription.created'
  | 'subscription.activated'
  | 'subscription.incomplete_expired'
  | 'subscription.trial_will_end'
  | 'subscription.renewal_due'
  | 'subscription.renewed'
  | 'subscription.past_due'
  | 'subscription.updated'
  | 'subscription.canceled'
  | 'subscription.reactivated';

export interface SubscriptionChange {
  before: Subscription;
  after: Subscription;
  event: SubscriptionEvent;
  txSignature?: string | null;
}

export const insertSubscription = (tx: Tx, subscription: Subscription) =>
  subscriptions.insert(tx, toRow(subscription));

/** Stores a locked subscription's change and answers its event, for the caller to append in the right order. */
export async function changeSubscription(
  tx: Tx,
  change: SubscriptionChange,
): Promise<{ subscription: Subscription; event: NewEvent }> {
  const { before, event, txSignature = null } = change;
  const after = { ...change.after, sequence: before.sequence + 1 };
  assert(
    before.status === after.status || TRANSITIONS[before.status].includes(after.status),
    `a subscription cannot go from ${before.status} to ${after.status}`,
  );
  await storeSubscriptionQuietly(tx, after);
  return { subscription: after, event: subscriptionEvent(event, after, before.status, txSignature) };
}

/** Stores the requested next period of many locked subscriptions; returns an event for each. */
export async function askForRenewals(
  tx: Tx,
  asked: readonly { before: Subscription; after: Subscription }[],
): Promise<NewEvent[]> {
  const changed = asked.map(({ before, after }) => ({ ...after, sequence: before.sequence + 1 }));
  await updateAsked(tx, changed);
  return changed.map((after) => subscriptionEvent('subscription.renewal_due', after, after.status, null));
}

/** Stores a change that has no event of its own, such as how far time has come. */
export async function storeSubscriptionQuietly(tx: Tx, subscription: Subscription): Promise<void> {
  await subscriptions.update(tx, subscription, toRow(subscription));
}

export function subscriptionEvent(
  event: SubscriptionEvent,
  subscription: Subscription,
  previousStatus: string | null,
  txSignature: string | null,
): NewEvent {
  return {
    merchantId: subscription.merchantId,
    event,
    objectType: 'subscription',
    objectId: subscription.id,
    sequence: subscription.sequence,
    status: subscription.status,
    previousStatus,
    orderingKey: subscription.id,
    data: {
      projectId: subscription.projectId,
      status: subscription.status,
      previousStatus,
      customerId: subscription.customerId,
      externalCustomerId: subscription.externalCustomerId,
      merchantReference: subscription.merchantReference,
      clientReferenceId: subscription.clientReferenceId,
      txSignature,
      subscription: presentSubscription(subscription),
    },
  };
}
