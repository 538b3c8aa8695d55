import type { Queryable } from '../../platform/db/database.ts';
import { findOwnSubscription, withPlans } from '../portal/own-subscriptions.ts';
import { type SubscriptionDetails, withAsked } from './subscription-details.ts';
import type { VisitCall } from './visit.ts';

/** The subscription that the address names, if it is the visitor's. */
export async function requireOwnSubscription(
  db: Queryable,
  { visitor, params, now }: VisitCall,
): Promise<SubscriptionDetails> {
  const subscription = await findOwnSubscription(db, visitor, params.id!.toLowerCase());
  return withAsked(db, await withPlans(db, subscription), now);
}
