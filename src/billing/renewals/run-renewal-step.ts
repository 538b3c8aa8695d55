import { findWatched } from '../../chain/solana/queries.ts';
import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { readSharedTime } from '../../platform/db/installation.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { findPrice } from '../catalog/queries.ts';
import { requireDestination, withDestination } from '../checkout-sessions/destination.ts';
import { isSettling } from '../checkout-sessions/settling-queries.ts';
import { changeInvoice } from '../invoices/change-invoice.ts';
import { emailCustomer } from '../invoices/email-customer.ts';
import { changeSubscription, storeSubscriptionQuietly } from '../subscriptions/change-subscription.ts';
import type { DueRef } from '../subscriptions/due-queries.ts';
import {
  advance,
  NO_NEXT_PLAN,
  prepaidQuantityOf,
  type Subscription,
} from '../subscriptions/subscription.ts';
import { nextStep, remindersOver, type Step } from '../subscriptions/timeline.ts';
import { createRenewal } from './create-renewal.ts';
import { type LockedSubscription, lockSubscriptionWithSessions } from './lock-subscription.ts';
import { scheduled } from './schedule.ts';

export interface RenewalParts {
  db: Database;
  log: Logger;
  ensureWatched: EnsureWatched;
  publicUrl(): string;
}

/** Time by which a step is postponed that has to wait for the chain to be read. */
const REST_MS = 15_000;

/** True if a step ran; false if another scheduler ran it, or it has to wait. */
export function runRenewalStep(
  { db, ensureWatched, publicUrl }: RenewalParts,
  ref: DueRef,
  now: Date,
): Promise<boolean> {
  return withDestination(db, ensureWatched, ref, watchUntil(now), (destination) =>
    db.transaction(async (tx) => {
      const agreement = await lockSubscriptionWithSessions(tx, ref);
      if (!agreement) return false;
      const { subscription, project, renewal } = agreement;
      const step = nextStep(subscription, project.settings, renewal?.invoice.createdAt ?? null);
      if (!step || step.at > now) {
        await storeSubscriptionQuietly(tx, { ...subscription, nextStepAt: step?.at ?? null });
        return false;
      }
      if (step.kind === 'open') {
        if (destination === undefined) return rest(tx, agreement, now);
        // It stays due: what comes of that money pays a part of the renewal, in a moment.
        if (await isSettling(tx, ref)) return false;
        await requireDestination(tx, ref, destination);
        await createRenewal(tx, { ...agreement, destination, publicUrl: publicUrl(), now });
        return true;
      }
      return take(tx, agreement, step, now);
    }),
  );
}

const LONGEST_RENEWAL_MS = 400 * DAY_MS;

/** A renewal may be paid until its grace period ends; its address is watched for long enough whatever that is. */
export function watchUntil(now: Date): Date {
  return new Date(now.getTime() + LONGEST_RENEWAL_MS);
}

function take(tx: Tx, agreement: LockedSubscription, step: Step, now: Date): Promise<boolean> {
  switch (step.kind) {
    case 'remind':
      return remind(tx, agreement, now);
    case 'overdue':
      return fallDue(tx, agreement, now);
    case 'renew':
      return renew(tx, agreement, now);
    default:
      return end(tx, agreement, step, now);
  }
}

async function remind(
  tx: Tx,
  { subscription, project, renewal }: LockedSubscription,
  now: Date,
): Promise<boolean> {
  const { invoice } = renewal!;
  const openedAt = invoice.createdAt;
  const remindersSent = remindersOver(project.settings, subscription.currentPeriodEnd!, openedAt, now);
  await storeSubscriptionQuietly(tx, scheduled({ ...subscription, remindersSent }, project, openedAt));
  const upcoming = await changeInvoice(tx, {
    before: invoice,
    after: invoice,
    event: 'invoice.upcoming',
    orderingKey: subscription.id,
    now,
  });
  await appendEvents(tx, [upcoming], now);
  const kind = subscription.status === 'trialing' ? 'trial_reminder' : 'reminder';
  await emailCustomer(tx, invoice, { kind, ...askFor(subscription) });
  return true;
}

function askFor({ renewalCheckoutUrl, graceEndsAt }: Subscription) {
  return { payUrl: renewalCheckoutUrl, endsAt: graceEndsAt };
}

/** The period ended unpaid; but only once the chain was read past that moment, and nothing is on its way. */
async function fallDue(tx: Tx, agreement: LockedSubscription, now: Date): Promise<boolean> {
  const { subscription, renewal } = agreement;
  const { intent, invoice } = renewal!;
  const end = subscription.currentPeriodEnd!;
  const readThrough = (await findWatched(tx, intent.destinationAddress))?.readThrough;
  if (!readThrough || readThrough < end || intent.status === 'processing') return rest(tx, agreement, now);
  const overdue = await changeInvoice(tx, {
    before: invoice,
    after: invoice,
    event: 'invoice.overdue',
    orderingKey: subscription.id,
    now,
  });
  const pastDue = await changeSubscription(tx, {
    before: subscription,
    after: { ...subscription, status: 'past_due', nextStepAt: null },
    event: 'subscription.past_due',
  });
  await appendEvents(tx, [overdue, pastDue.event], now);
  await emailCustomer(tx, invoice, { kind: 'past_due', ...askFor(subscription) });
  return true;
}

/** Paid ahead: the next period starts. */
async function renew(
  tx: Tx,
  { subscription, project, price }: LockedSubscription,
  now: Date,
): Promise<boolean> {
  const { merchantId, prepaidPriceId } = subscription;
  const prepaidPrice = (await findPrice(tx, { merchantId, id: prepaidPriceId! }))!;
  const prepaid = {
    price: prepaidPrice,
    quantity: prepaidQuantityOf(subscription),
    discountId: subscription.prepaidDiscountId,
  };
  const renewed = await changeSubscription(tx, {
    before: subscription,
    after: scheduled(advance(subscription, price, prepaid), project, null),
    event: 'subscription.renewed',
  });
  await appendEvents(tx, [renewed.event], now);
  return true;
}

/** The last paid period of a canceled subscription is over; a change paid at the last moment comes first. */
async function end(tx: Tx, agreement: LockedSubscription, step: Step, now: Date): Promise<boolean> {
  const { subscription, change } = agreement;
  if (change) return rest(tx, agreement, now);
  const canceled = await changeSubscription(tx, {
    before: subscription,
    after: {
      ...subscription,
      status: 'canceled',
      canceledAt: step.at,
      cancelReason: 'requested',
      pendingChange: null,
      ...NO_NEXT_PLAN,
      nextStepAt: null,
    },
    event: 'subscription.canceled',
  });
  await appendEvents(tx, [canceled.event], now);
  return true;
}

/**
 * Postpones the step so that it does not block others: by the database's clock, because a host whose clock is ahead
 * would postpone it for everyone.
 */
async function rest(tx: Tx, { subscription }: LockedSubscription, now: Date): Promise<false> {
  const shared = (await readSharedTime(tx)) ?? now;
  const from = Math.min(now.getTime(), shared.getTime());
  await storeSubscriptionQuietly(tx, { ...subscription, nextStepAt: new Date(from + REST_MS) });
  return false;
}
