/** Channels on which people read notifications. `https` is any other server that takes a sentence. */
export const CHANNELS = ['slack', 'discord', 'telegram', 'https', 'email'] as const;
export type Channel = (typeof CHANNELS)[number];

export const TEST_NOTIFICATION = 'notification.test';

/** The events of a day, in one message. */
export const SUMMARY = 'notification.summary';

/** The events there is a sentence for: those that people may want to hear of. */
export const NOTIFIABLE = [
  'payment_intent.succeeded',
  'payment_intent.underpaid',
  'payment_intent.failed',
  'payment_intent.expired',
  'invoice.paid',
  'invoice.refunded',
  'invoice.overdue',
  'invoice.uncollectible',
  'checkout.session.completed',
  'checkout.session.expired',
  'subscription.activated',
  'subscription.trial_will_end',
  'subscription.renewed',
  'subscription.past_due',
  'subscription.canceled',
  'subscription.reactivated',
  'customer.balance_depleted',
  'refund.address_received',
  'refund.succeeded',
  'refund.expired',
  'refund_request.created',
  'exception.created',
  'exception.resolved',
  'payout_address.changed',
  SUMMARY,
] as const;
export type Notifiable = (typeof NOTIFIABLE)[number];

/** Without a choice: money that came or did not, what needs a person, and where money goes. */
export const USUAL: readonly Notifiable[] = [
  'payment_intent.succeeded',
  'payment_intent.failed',
  'exception.created',
  'refund_request.created',
  'subscription.past_due',
  'payout_address.changed',
];
