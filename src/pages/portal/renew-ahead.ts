import { requireDestination, withDestination } from '../../billing/checkout-sessions/destination.ts';
import { createRenewal } from '../../billing/renewals/create-renewal.ts';
import { lockSubscriptionWithSessions } from '../../billing/renewals/lock-subscription.ts';
import { requireSettled } from '../../billing/renewals/require-settled.ts';
import { canReturn, isLive, isPrepaid, type Subscription } from '../../billing/subscriptions/subscription.ts';
import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Clock, DAY_MS } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { inState } from '../../platform/lib/in-state.ts';
import { findOwnSubscription } from './own-subscriptions.ts';
import type { Visitor } from './portal-session.ts';

export interface RenewalDesk {
  db: Database;
  clock: Clock;
  ensureWatched: EnsureWatched;
  publicUrl(): string;
}

/** Longer than any grace period, so that the address is watched for as long as the renewal can be paid. */
const WATCHED_BEYOND_MS = 400 * DAY_MS;

/**
 * Requests the next period now: the open renewal, the one that ended the subscription while it can still be paid, or
 * a new one ahead of time, but never more than one period ahead. If account credit covers all of it, it is paid when
 * this returns.
 */
export async function renewAhead(
  { db, clock, ensureWatched, publicUrl }: RenewalDesk,
  visitor: Visitor,
  id: string,
): Promise<Subscription> {
  const { merchantId, projectId } = visitor;
  const now = clock.now();
  const { currentPeriodEnd } = await findOwnSubscription(db, visitor, id);
  const lastMs = Math.max(now.getTime(), currentPeriodEnd?.getTime() ?? 0);
  const watchUntil = new Date(lastMs + WATCHED_BEYOND_MS);
  return withDestination(
    db,
    ensureWatched,
    { merchantId, projectId },
    watchUntil,
    (expected) =>
      db.transaction(async (tx) => {
        const agreement = (await lockSubscriptionWithSessions(tx, { merchantId, id }))!;
        if (agreement.renewal || canReturn(agreement.subscription, now)) return agreement.subscription;
        requireOpenable(agreement.subscription);
        await requireSettled(tx, agreement.subscription);
        const destination = await requireDestination(tx, { merchantId, projectId }, expected);
        return createRenewal(tx, { ...agreement, destination, publicUrl: publicUrl(), now });
      }),
    'payer',
  );
}

function requireOpenable(subscription: Subscription): void {
  if (!isLive(subscription)) {
    throw refusal(`${inState(subscription.status, 'subscription')} cannot be renewed.`);
  }
  if (isPrepaid(subscription)) throw refusal('The next period is paid already.');
  if (subscription.cancelAtPeriodEnd) {
    throw refusal('This subscription is about to end: undo the cancellation before you renew it.');
  }
  // Paid now, the next period would have the old price, and the change could no longer apply to it.
  if (subscription.pendingChange) throw refusal('A plan change is awaiting payment.');
}

function refusal(message: string): AppError {
  return new AppError('INVALID_STATE', { message });
}
