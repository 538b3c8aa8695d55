import { text, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Ref } from '../../platform/lib/ref.ts';

/** Renewals that cannot be priced and were set aside. */
const stuckRenewals = table(
  'stuck_renewals',
  { merchantId: uuid, subscriptionId: uuid, reason: text, since: timestamp, retryAt: timestamp },
  ['merchantId', 'subscriptionId'],
);
export type StuckRenewal = RowOf<typeof stuckRenewals>;

export const findStuckRenewal = (db: Queryable, { merchantId, id }: Ref) =>
  stuckRenewals.find(db, { merchantId, subscriptionId: id });

export const upsertStuckRenewal = (tx: Queryable, renewal: StuckRenewal) =>
  stuckRenewals.insert(
    tx,
    renewal,
    `on conflict (merchant_id, subscription_id)
     do update set reason = excluded.reason, since = excluded.since, retry_at = excluded.retry_at`,
  );

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
