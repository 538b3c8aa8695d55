import type { Queryable } from '../../platform/db/database.ts';
import { byId } from '../../platform/http/expand.ts';
import { presentSubscription } from './present.ts';
import { listSubscriptionsById } from './queries.ts';

/** A merchant's subscriptions as other answers include them. */
export async function loadSubscriptions(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, object>> {
  const subscriptions = await listSubscriptionsById(db, merchantId, ids);
  return byId(subscriptions, (subscription) => presentSubscription(subscription, now));
}
