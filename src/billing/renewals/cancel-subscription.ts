import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { closeSession } from '../checkout-sessions/close-session.ts';
import { lockWholeSession } from '../checkout-sessions/lock-session.ts';
import { findCreationIntent } from '../checkout-sessions/queries.ts';
import { changeSubscription } from '../subscriptions/change-subscription.ts';
import { isPrepaid, isRunning, NO_NEXT_PLAN, type Subscription } from '../subscriptions/subscription.ts';
import { emailPlan } from './email-plan.ts';
import { type LockedSubscription, lockSubscriptionWithSessions } from './lock-subscription.ts';
import { reopenRenewal } from './reopen-renewal.ts';
import { scheduled } from './schedule.ts';

/**
 * Ends a subscription, at the end of the paid period or immediately. An unpaid renewal is withdrawn, and with an
 * immediate end a plan change too. There are no refunds; money on its way becomes the customer's account credit.
 */
export async function cancelSubscription(
  tx: Tx,
  ref: Ref,
  { atPeriodEnd, now }: { atPeriodEnd: boolean; now: Date },
): Promise<Subscription> {
  const beginning = await lockBeginning(tx, ref);
  const agreement = await lockSubscriptionWithSessions(tx, ref);
  if (!agreement) throw new AppError('NOT_FOUND');
  const { status, cancelAtPeriodEnd } = agreement.subscription;
  if (status === 'canceled' || status === 'incomplete_expired' || (cancelAtPeriodEnd && atPeriodEnd)) {
    throw new AppError('INVALID_STATE', { message: 'This subscription is already canceled.' });
  }
  const events = beginning && status === 'incomplete' ? (await closeSession(tx, beginning, now)).events : [];
  if (atPeriodEnd && isRunning(agreement.subscription)) return planEnd(tx, agreement, now);
  return endNow(tx, agreement, events, now);
}

/** The unpaid first session of a subscription that has not started. */
async function lockBeginning(tx: Tx, { merchantId, id }: Ref) {
  const intentId = await findCreationIntent(tx, merchantId, id);
  const locked = intentId === undefined ? undefined : await lockWholeSession(tx, merchantId, intentId);
  return locked?.session.status === 'open' ? locked : undefined;
}

/**
 * The renewal is withdrawn. A plan change is kept in case the cancellation is undone; one that is awaiting payment
 * can still be paid.
 */
async function planEnd(tx: Tx, agreement: LockedSubscription, now: Date): Promise<Subscription> {
  const { subscription: before } = agreement;
  const wanted = { ...before, cancelAtPeriodEnd: true };
  const { subscription: after, events } = await reopenRenewal(tx, agreement, wanted, now);
  const { subscription, event } = await changeSubscription(tx, {
    before,
    after,
    event: 'subscription.updated',
  });
  await appendEvents(tx, [...events, event], now);
  await emailPlan(tx, subscription, 'cancellation_set');
  return subscription;
}

async function endNow(
  tx: Tx,
  agreement: LockedSubscription,
  events: NewEvent[],
  now: Date,
): Promise<Subscription> {
  const { subscription: before, renewal } = agreement;
  const dropped = await dropChange(tx, agreement, now);
  const closed = renewal ? (await closeSession(tx, renewal, now)).events : [];
  const { subscription, event } = await changeSubscription(tx, {
    before,
    after: {
      ...before,
      status: 'canceled',
      canceledAt: now,
      cancelReason: 'requested',
      renewalInvoiceId: null,
      renewalCheckoutUrl: null,
      graceEndsAt: null,
      pendingChange: null,
      ...NO_NEXT_PLAN,
      nextStepAt: null,
    },
    event: 'subscription.canceled',
  });
  await appendEvents(tx, [...events, ...dropped, ...closed, event], now);
  if (before.currentPeriodStart !== null)
    await emailPlan(tx, subscription, 'subscription_ended', { at: now });
  return subscription;
}

/** Withdraws a plan change that is not paid yet. */
export async function dropChange(tx: Tx, { change }: LockedSubscription, now: Date): Promise<NewEvent[]> {
  return change ? (await closeSession(tx, change, now)).events : [];
}

/** Undoes a planned end before it happens. Within the lead time, the renewal is requested again. */
export async function undoCancel(tx: Tx, ref: Ref, now: Date): Promise<Subscription> {
  const agreement = await lockSubscriptionWithSessions(tx, ref);
  if (!agreement) throw new AppError('NOT_FOUND');
  const { subscription: before, project } = agreement;
  const hasEnded = before.status === 'canceled' || before.status === 'incomplete_expired';
  if (!before.cancelAtPeriodEnd && !hasEnded) return before;
  const isOver = hasEnded || (now >= before.currentPeriodEnd! && !isPrepaid(before));
  if (isOver) throw new AppError('INVALID_STATE', { message: 'This subscription has already ended.' });
  const { subscription, event } = await changeSubscription(tx, {
    before,
    after: scheduled({ ...before, cancelAtPeriodEnd: false }, project, null),
    event: 'subscription.updated',
  });
  await appendEvents(tx, [event], now);
  await emailPlan(tx, subscription, 'cancellation_undone');
  return subscription;
}
