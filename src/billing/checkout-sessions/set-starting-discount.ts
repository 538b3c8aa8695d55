import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { type Discount, startingDiscount } from '../discounts/discount.ts';
import { changeSubscription } from '../subscriptions/change-subscription.ts';
import { lockSubscription } from '../subscriptions/queries.ts';
import type { Session } from './session.ts';

/** The subscription that a locked session starts, if it is there already, begins with another discount or none. */
export async function setStartingDiscount(
  tx: Tx,
  { merchantId, subscriptionId }: Session,
  discount: Discount | undefined,
): Promise<NewEvent[]> {
  if (subscriptionId === null) return [];
  const before = (await lockSubscription(tx, { merchantId, id: subscriptionId }))!;
  const after = { ...before, ...startingDiscount(discount) };
  return [(await changeSubscription(tx, { before, after, event: 'subscription.updated' })).event];
}
