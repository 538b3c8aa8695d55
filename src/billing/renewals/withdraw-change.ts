import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { inState } from '../../platform/lib/in-state.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { changeSubscription } from '../subscriptions/change-subscription.ts';
import { findSubscription } from '../subscriptions/queries.ts';
import { isRunning, NO_NEXT_PLAN, type Subscription } from '../subscriptions/subscription.ts';
import { dropChange } from './cancel-subscription.ts';
import { emailPlan } from './email-plan.ts';
import { type LockedSubscription, lockSubscriptionWithSessions } from './lock-subscription.ts';
import { coversUnusedTime } from './period-payments.ts';
import { reopenRenewal } from './reopen-renewal.ts';

/**
 * Withdraws a plan change that has not taken effect: one that is awaiting payment with its invoice, a planned one
 * with the renewal requested at its price.
 */
export async function withdrawChange(tx: Tx, ref: Ref, now: Date): Promise<Subscription> {
  const agreement = await lockSubscriptionWithSessions(tx, ref);
  if (!agreement) throw new AppError('NOT_FOUND');
  requireWithdrawable(agreement.subscription, now);
  return withdraw(tx, agreement, now);
}

/** Withdraws a change whose unused time was just paid back. A part of it that was paid becomes account credit. */
export async function withdrawUncovered(tx: Tx, ref: Ref, now: Date): Promise<void> {
  const seen = await findSubscription(tx, ref);
  if (!seen?.pendingChange) return;
  const agreement = (await lockSubscriptionWithSessions(tx, ref))!;
  const { subscription, change } = agreement;
  if (change && !(await coversUnusedTime(tx, subscription, change.invoice)))
    await withdraw(tx, agreement, now);
}

async function withdraw(tx: Tx, agreement: LockedSubscription, now: Date): Promise<Subscription> {
  const { subscription: before } = agreement;
  const { after, events } = before.pendingChange
    ? { after: { ...before, pendingChange: null }, events: await dropChange(tx, agreement, now) }
    : await dropPlanned(tx, agreement, now);
  const { subscription, event } = await changeSubscription(tx, {
    before,
    after,
    event: 'subscription.updated',
  });
  await appendEvents(tx, [...events, event], now);
  await emailPlan(tx, subscription, 'plan_change_withdrawn');
  return subscription;
}

function requireWithdrawable(subscription: Subscription, now: Date): void {
  const { status, pendingChange, nextPriceId, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  if (pendingChange) return;
  if (!nextPriceId || cancelAtPeriodEnd) throw refusal('There is no pending plan change to withdraw.');
  if (!isRunning(subscription)) throw refusal(`${inState(status, 'subscription')} cannot change its plan.`);
  if (currentPeriodEnd! <= now) throw refusal('The billing period has just ended; try again in a moment.');
}

async function dropPlanned(tx: Tx, agreement: LockedSubscription, now: Date) {
  const changed = { ...agreement.subscription, ...NO_NEXT_PLAN };
  const { subscription: after, events } = await reopenRenewal(tx, agreement, changed, now);
  return { after, events };
}

function refusal(message: string): AppError {
  return new AppError('INVALID_STATE', { message });
}
