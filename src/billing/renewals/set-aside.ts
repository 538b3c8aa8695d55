import { readSharedTime } from '../../platform/db/installation.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { storeSubscriptionQuietly } from '../subscriptions/change-subscription.ts';
import type { DueRef } from '../subscriptions/due-queries.ts';
import { lockSubscription } from '../subscriptions/queries.ts';
import type { RenewalParts } from './run-renewal-step.ts';
import { findStuckRenewal, upsertStuckRenewal } from './stuck-queries.ts';

/** Time that it waits. Any change of the subscription in the meantime makes it due again. */
const RETRY_MS = DAY_MS;
const MAX_REASON = 500;

/** The renewal itself is impossible, such as one that adds up to more than any amount: trying again does not help. */
export function isUnpriceable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'BAD_REQUEST';
}

/**
 * Takes a renewal that cannot be priced out of the way of all others. It is tried again in a day, logged once, and
 * counted by `doctor` and in the metrics until it moves on.
 */
export async function setAside(
  { db, log }: RenewalParts,
  ref: DueRef,
  error: AppError,
  now: Date,
): Promise<void> {
  const reason = error.message.slice(0, MAX_REASON);
  const isNew = await db.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, ref);
    const before = subscription?.nextStepAt ?? null;
    if (!subscription || before === null || before > now) return false;
    const known = await findStuckRenewal(tx, ref);
    const isKnown = known?.retryAt.getTime() === before.getTime();
    // By the database's clock where it is behind: a host whose clock is ahead would postpone it for everyone.
    const shared = (await readSharedTime(tx)) ?? now;
    const from = Math.min(now.getTime(), shared.getTime());
    const retryAt = new Date(from + RETRY_MS);
    await storeSubscriptionQuietly(tx, { ...subscription, nextStepAt: retryAt });
    const { merchantId, id: subscriptionId } = ref;
    const since = isKnown ? known.since : now;
    await upsertStuckRenewal(tx, { merchantId, subscriptionId, reason, since, retryAt });
    return !isKnown;
  });
  if (isNew) {
    const { merchantId, id } = ref;
    log.error({ merchantId, subscriptionId: id, reason }, 'renewals: one cannot be priced and was set aside');
  }
}
