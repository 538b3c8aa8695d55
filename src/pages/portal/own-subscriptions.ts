import { findPrice } from '../../billing/catalog/queries.ts';
import { presentSubscription } from '../../billing/subscriptions/present.ts';
import { findSubscription, listSubscriptions } from '../../billing/subscriptions/queries.ts';
import type { Subscription } from '../../billing/subscriptions/subscription.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { isOwn, type Visitor } from './portal-session.ts';
import type { PlannedSubscription } from './present.ts';

/** The visitor's subscription of this id; anybody else's does not exist. */
export async function findOwnSubscription(
  db: Queryable,
  visitor: Visitor,
  id: string,
): Promise<Subscription> {
  const subscription = await findSubscription(db, { merchantId: visitor.merchantId, id });
  if (!subscription || !isOwn(visitor, subscription.customerId)) throw new AppError('NOT_FOUND');
  return subscription;
}

export async function listOwnSubscriptions(
  db: Queryable,
  { merchantId, customerIds }: Visitor,
  range: Range,
): Promise<(PlannedSubscription & { id: string })[]> {
  const subscriptions = await listSubscriptions(db, merchantId, { customerIds }, range);
  return Promise.all(
    subscriptions.map(async (subscription) => ({
      id: subscription.id,
      ...(await withPlans(db, subscription)),
    })),
  );
}

/** Adds what a subscription costs now, and what it will cost after a planned or pending change. */
export async function withPlans(db: Queryable, subscription: Subscription): Promise<PlannedSubscription> {
  const { merchantId, priceId } = subscription;
  const { pendingChange } = presentSubscription(subscription);
  const [plan, nextPlan] = await Promise.all([
    findPrice(db, { merchantId, id: priceId }),
    pendingChange && findPrice(db, { merchantId, id: pendingChange.priceId }),
  ]);
  return { subscription, plan: plan!, nextPlan: nextPlan ?? null };
}
