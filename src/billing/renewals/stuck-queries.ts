import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { SubscriptionRef } from '../subscriptions/queries.ts';

export interface StuckRenewal {
  reason: string;
  since: Date;
  retryAt: Date;
}

export async function findStuckRenewal(
  db: Queryable,
  { merchantId, id }: SubscriptionRef,
): Promise<StuckRenewal | undefined> {
  const [row] = await db.query<StuckRenewal>(
    `select reason, since, retry_at from stuck_renewals
      where merchant_id = $1 and subscription_id = $2`,
    [merchantId, id],
  );
  return row;
}

export async function upsertStuckRenewal(
  tx: Queryable,
  { merchantId, id }: SubscriptionRef,
  { reason, since, retryAt }: StuckRenewal,
): Promise<void> {
  await tx.query(
    `insert into stuck_renewals (merchant_id, subscription_id, reason, since, retry_at) values ($1, $2, $3, $4, $5)
     on conflict (merchant_id, subscription_id)
     do update set reason = excluded.reason, since = excluded.since, retry_at = excluded.retry_at`,
    [merchantId, id, reason, since, retryAt],
  );
}

export interface StuckReport {
  count: number;
  /** The one that has waited longest; null if there is none. */
  merchantId: string | null;
  subscriptionId: string | null;
  reason: string | null;
}

/** Counts renewals that are still stuck: a subscription that has continued since has another next step. */
export async function countStuckRenewals(db: Queryable): Promise<StuckReport> {
  const [row] = await db.query<StuckReport>(
    `select r.merchant_id, r.subscription_id, r.reason,
            count(*) over ()::integer as count
       from stuck_renewals r
       join subscriptions b on b.merchant_id = r.merchant_id and b.id = r.subscription_id
                           and b.next_step_at = r.retry_at
      where ${isOpenMerchant('r.merchant_id')}
      order by r.since, r.subscription_id limit 1`,
  );
  return row ?? { count: 0, merchantId: null, subscriptionId: null, reason: null };
}
