import { BillingEventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { SubscriptionView } from './present.ts';
import { SUBSCRIPTION_STATUSES } from './subscription.ts';

const MEANINGS = {
  'subscription.created':
    'A subscription was created with a key, or its first money arrived through a payment link.',
  'subscription.activated': 'The first payment arrived, or a trial began: give access.',
  'subscription.incomplete_expired': 'The first payment did not arrive in time.',
  'subscription.trial_will_end':
    'A trial ends soon, and the invoice of the first paid period is open: the customer can pay it now.',
  'subscription.renewal_due': 'The next period’s invoice is open: the customer can pay it now.',
  'subscription.renewed': 'The next period has begun and is paid.',
  'subscription.past_due': 'The period ended unpaid. Access continues until graceEndsAt.',
  'subscription.updated':
    'The subscription changed in another way: its plan, its discount, its next period paid ahead, or a cancellation planned or undone.',
  'subscription.canceled': 'The subscription ended: take access away.',
  'subscription.reactivated': 'An overdue renewal was paid after all: give access again.',
};

const body = BillingEventBody('SubscriptionEvent', Object.keys(MEANINGS), SUBSCRIPTION_STATUSES, {
  subscription: SubscriptionView,
});

export const subscriptionWebhooks: WebhookDescription[] = Object.entries(MEANINGS).map(
  ([event, summary]) => ({ event, summary, body }),
);
