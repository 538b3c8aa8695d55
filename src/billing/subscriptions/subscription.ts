import { PAYABLE_DAYS_AFTER_EXPIRY } from '../../chain/solana/watched-account.ts';
import {
  boolean,
  integer,
  json,
  jsonText,
  nullable,
  oneOf,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { addDays, DAY_MS } from '../../platform/lib/clock.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { Price } from '../catalog/price.ts';
import { type Period, periodAt, type Recurrence } from './period.ts';

export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const CANCEL_REASONS = ['requested', 'payment_overdue'] as const;

/** A plan change that is awaiting payment: applied as previewed, or not at all. */
export interface PendingChange {
  priceId: string;
  quantity: number;
  prorationBehavior: 'charge_now' | 'reset';
  prorationDate: Date;
  invoiceId: string;
  checkoutUrl: string;
  amountDueCents: Cents;
  expiresAt: Date;
}

/** Customers' running agreements to pay a price again and again, each time by their own hand. */
export const subscriptions = table(
  'subscriptions',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    customerId: uuid,
    priceId: uuid,
    /** Quantity of its plan. */
    quantity: withDefault(integer),
    status: withDefault(oneOf(SUBSCRIPTION_STATUSES)),
    merchantReference: nullable(text),
    clientReferenceId: nullable(text),
    /** Copied to the sessions and invoices of its renewals and changes. */
    metadata: withDefault(json<Metadata>()),
    /** URL to which the customer is redirected after paying its invoices, or after not paying them. */
    successUrl: nullable(text),
    cancelUrl: nullable(text),
    /** Days for which it is free at first. */
    trialDays: nullable(integer),
    /** End of its trial, past or future. */
    trialEndsAt: nullable(timestamp),
    /** Periods are counted from here. */
    anchorAt: nullable(timestamp),
    /** A trial is the period before the first: -1. */
    periodIndex: nullable(integer),
    currentPeriodStart: nullable(timestamp),
    currentPeriodEnd: nullable(timestamp),
    /** The end of the last period that was paid for. */
    paidThrough: nullable(timestamp),
    cancelAtPeriodEnd: withDefault(boolean),
    canceledAt: nullable(timestamp),
    cancelReason: nullable(oneOf(CANCEL_REASONS)),
    graceEndsAt: nullable(timestamp),
    /** The unpaid invoice of the next period; of one that ended for it, that invoice still. */
    renewalInvoiceId: nullable(uuid),
    latestInvoiceId: nullable(uuid),
    /** The price of the period that is paid ahead, and how many of it; null: as many as now. */
    prepaidPriceId: nullable(uuid),
    prepaidQuantity: nullable(integer),
    /** The price that takes effect when the paid time is used up, and how many of it; null: as many as now. */
    nextPriceId: nullable(uuid),
    nextQuantity: nullable(integer),
    pendingChange: nullable(jsonText),
    /** Discount on its next periods, and the number of them; null means all. */
    discountId: nullable(uuid),
    discountPeriodsLeft: nullable(integer),
    /** Discount on the current period and on the one paid ahead. */
    periodDiscountId: nullable(uuid),
    prepaidDiscountId: nullable(uuid),
    nextStepAt: nullable(timestamp),
    remindersSent: withDefault(integer),
    sequence: withDefault(integer),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);

/** Subscription with what its customer and its unpaid renewal know of it. */
export interface Subscription extends Omit<RowOf<typeof subscriptions>, 'pendingChange'> {
  externalCustomerId: string | null;
  /** Page where the invoice of the next period is paid. */
  renewalCheckoutUrl: string | null;
  pendingChange: PendingChange | null;
}

/** Fields of a subscription without debts or a cancellation. */
export const NOTHING_OWED = {
  canceledAt: null,
  cancelReason: null,
  graceEndsAt: null,
  renewalInvoiceId: null,
  renewalCheckoutUrl: null,
  remindersSent: 0,
} as const;

/** The plan stays as it is. */
export const NO_NEXT_PLAN = { nextPriceId: null, nextQuantity: null } as const;

/** Fields of a subscription whose first payment is pending. */
const UNPAID = {
  status: 'incomplete',
  trialEndsAt: null,
  anchorAt: null,
  periodIndex: null,
  currentPeriodStart: null,
  currentPeriodEnd: null,
  paidThrough: null,
  cancelAtPeriodEnd: false,
  ...NOTHING_OWED,
  latestInvoiceId: null,
  ...{ prepaidPriceId: null, prepaidQuantity: null, periodDiscountId: null, prepaidDiscountId: null },
  ...NO_NEXT_PLAN,
  pendingChange: null,
  nextStepAt: null,
  sequence: 1,
} as const;

export function newSubscription(beginning: Omit<Subscription, keyof typeof UNPAID>): Subscription {
  return { ...beginning, ...UNPAID };
}

/** Every legal transition. */
export const TRANSITIONS: Record<SubscriptionStatus, readonly SubscriptionStatus[]> = {
  incomplete: ['trialing', 'active', 'incomplete_expired', 'canceled'],
  incomplete_expired: ['trialing', 'active'],
  trialing: ['active', 'past_due', 'canceled'],
  active: ['past_due', 'canceled'],
  past_due: ['active', 'canceled'],
  canceled: ['active'],
};

export function isLive(subscription: Pick<Subscription, 'status'>): boolean {
  return isRunning(subscription) || subscription.status === 'past_due';
}

/** Its current period is paid, or free. */
export function isRunning({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'active' || status === 'trialing';
}

/** It ended unpaid, and comes back when its renewal is paid: for 30 days after its grace period. */
export function canReturn({ status, renewalInvoiceId, graceEndsAt }: Subscription, now: Date): boolean {
  if (status !== 'canceled' || renewalInvoiceId === null || graceEndsAt === null) return false;
  return now.getTime() <= graceEndsAt.getTime() + PAYABLE_DAYS_AFTER_EXPIRY * DAY_MS;
}

/** A period ahead of the current one has been paid. */
export function isPrepaid({ paidThrough, currentPeriodEnd }: Subscription): boolean {
  return paidThrough !== null && currentPeriodEnd !== null && paidThrough > currentPeriodEnd;
}

/** Returns the time until which the customer may use what they pay for; null if they never could. */
export function accessUntil(subscription: Subscription): Date | null {
  switch (subscription.status) {
    case 'trialing':
    case 'active':
      return subscription.paidThrough;
    case 'past_due':
      return subscription.graceEndsAt;
    default:
      return subscription.anchorAt && subscription.canceledAt;
  }
}

export type RecurringPrice = Pick<Price, 'id' | 'recurringInterval' | 'recurringIntervalCount'>;

/** Quantity of a recurring price. */
export interface Plan<Sold extends RecurringPrice = RecurringPrice> {
  price: Sold;
  quantity: number;
}

/** A plan as it was paid for: with the discount it had then. */
export interface PaidPlan<Sold extends RecurringPrice = RecurringPrice> extends Plan<Sold> {
  discountId: string | null;
}

/** Returns the quantity in the next period, and in the one that is paid ahead. */
export function nextQuantityOf({ nextPriceId, nextQuantity, quantity }: Subscription): number {
  return nextPriceId === null ? quantity : (nextQuantity ?? quantity);
}

export const prepaidQuantityOf = ({ prepaidQuantity, quantity }: Subscription) => prepaidQuantity ?? quantity;

export function recurrenceOf(price: RecurringPrice): Recurrence {
  return { interval: price.recurringInterval!, count: price.recurringIntervalCount! };
}

/** Starts over: the first period of `anchor`, paid. */
export function startAt(subscription: Subscription, anchor: Date, plan: PaidPlan): Subscription {
  const period = periodAt(anchor, recurrenceOf(plan.price), 0);
  return inPeriod(subscription, { ...period, anchorAt: anchor, periodIndex: 0 }, plan);
}

/** Free at first: the paid periods are counted from the trial's end. A discount waits for them. */
export function startTrial(subscription: Subscription, from: Date, plan: Plan): Subscription {
  const trialEndsAt = addDays(from, subscription.trialDays!);
  const period = { start: from, end: trialEndsAt, anchorAt: trialEndsAt, periodIndex: -1 };
  const started = inPeriod(subscription, period, { ...plan, discountId: null });
  return { ...started, status: 'trialing', trialEndsAt };
}

/** The next period has started, paid. */
export function advance(subscription: Subscription, price: RecurringPrice, next: PaidPlan): Subscription {
  const period = nextPeriod(subscription, recurrenceOf(price), recurrenceOf(next.price));
  return inPeriod(subscription, period, next);
}

function inPeriod(subscription: Subscription, period: NextPeriod, plan: PaidPlan): Subscription {
  return {
    ...subscription,
    ...NOTHING_OWED,
    status: 'active',
    priceId: plan.price.id,
    quantity: plan.quantity,
    anchorAt: period.anchorAt,
    periodIndex: period.periodIndex,
    currentPeriodStart: period.start,
    currentPeriodEnd: period.end,
    paidThrough: period.end,
    prepaidPriceId: null,
    prepaidQuantity: null,
    periodDiscountId: plan.discountId,
    prepaidDiscountId: null,
    ...planAfter(subscription, plan),
  };
}

/** The next period is paid before it starts. */
export function prepay(subscription: Subscription, period: Period, plan: PaidPlan): Subscription {
  return {
    ...subscription,
    ...NOTHING_OWED,
    paidThrough: period.end,
    prepaidPriceId: plan.price.id,
    prepaidQuantity: plan.quantity,
    prepaidDiscountId: plan.discountId,
    ...planAfter(subscription, plan),
  };
}

/** One more period was paid for with a discount; after the last it is over. */
export function withDiscountUsed(subscription: Subscription, discountId: string | null): Subscription {
  const { discountId: own, discountPeriodsLeft: left } = subscription;
  if (discountId === null || discountId !== own || left === null) return subscription;
  if (left > 1) return { ...subscription, discountPeriodsLeft: left - 1 };
  return { ...subscription, discountId: null, discountPeriodsLeft: null };
}

/** A planned change is done once its plan is paid for. */
function planAfter(subscription: Subscription, { price, quantity }: Plan) {
  const { nextPriceId, nextQuantity } = subscription;
  const isReached = nextPriceId === price.id && (nextQuantity ?? subscription.quantity) === quantity;
  return isReached ? NO_NEXT_PLAN : { nextPriceId, nextQuantity };
}

/** The period after the current one, at the price that will hold then. */
export interface NextPeriod extends Period {
  anchorAt: Date;
  periodIndex: number;
}

/** A price with another interval starts a new anchor where the current period ends. */
export function nextPeriod(
  { anchorAt, periodIndex, currentPeriodEnd }: Subscription,
  current: Recurrence,
  next: Recurrence,
): NextPeriod {
  const isSame = current.interval === next.interval && current.count === next.count;
  const anchor = isSame ? anchorAt! : currentPeriodEnd!;
  const index = isSame ? periodIndex! + 1 : 0;
  return { ...periodAt(anchor, next, index), anchorAt: anchor, periodIndex: index };
}
