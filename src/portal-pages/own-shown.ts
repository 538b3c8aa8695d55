import type { Queryable } from '../db/database.ts';
import { findOwnSubscription, withPlans } from '../portal/own-subscriptions.ts';
import type { VisitCall } from './portal-page-route.ts';
import { type ShownSubscription, withAsked } from './shown-subscription.ts';

/** The subscription that the address names, if it is the visitor's. */
export async function readNamed(
  db: Queryable,
  { visitor, params, now }: VisitCall,
): Promise<ShownSubscription> {
  const subscription = await findOwnSubscription(db, visitor, params.id!.toLowerCase());
  return withAsked(db, await withPlans(db, subscription), now);
}
