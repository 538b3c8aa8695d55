import { withMerged } from '../../accounts/customers/with-merged.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/lib/ids.ts';
import type { UsageFilter } from './queries.ts';
import type { Periods, Place, Span, UsageSum } from './summary.ts';

export interface SumRange extends Span, Periods {
  after: Place | undefined;
  limit: number;
}

/** Compared byte by byte, so that the order is the same in every database; a metric has no spaces. */
const NAME = `(metric || ' ' || project_id) collate "C"`;

/** Sums by period, metric and project. Ids carry the time of their records, so bounds in time are bounds on the id. */
export async function listSums(
  db: Queryable,
  merchantId: string,
  asked: UsageFilter,
  { from, to, granularity, timeZone, after, limit }: SumRange,
): Promise<UsageSum[]> {
  const filter = await withMerged(db, merchantId, asked);
  const conditions = new Conditions().add('merchant_id = ?', merchantId);
  const period =
    granularity === 'total'
      ? 'null::timestamptz'
      : `date_trunc('${granularity}', created_at, ${conditions.place(timeZone)})`;
  startAfter(conditions, period, after)
    .add('id >= ?', from ? firstIdAt(from) : undefined)
    .add('id < ?', to ? firstIdAt(to) : undefined)
    .add('project_id = ?', filter.projectId)
    .add('customer_id = ?', filter.customerId)
    .add('customer_id = any(?)', filter.customerIds)
    .add('subscription_id = ?', filter.subscriptionId)
    .add('metric = ?', filter.metric);
  return db.query<UsageSum>(
    `select ${period} as period, metric, project_id, sum(quantity) as quantity,
            count(*) as record_count, sum(credits) as credits
       from usage_records where ${conditions.where}
      group by 1, metric, project_id
      order by 1 desc, ${NAME} limit ${conditions.place(limit)}`,
    conditions.values,
  );
}

function startAfter(conditions: Conditions, period: string, after: Place | undefined): Conditions {
  if (!after) return conditions;
  const name = `${after.metric} ${after.projectId}`;
  if (!after.period) return conditions.add(`${NAME} > ?`, name);
  const at = conditions.place(after.period);
  return conditions.add(`(${period} < ${at} or (${period} = ${at} and ${NAME} > ?))`, name);
}
