import { Conditions } from '../db/conditions.ts';
import type { Queryable } from '../db/database.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { UsageFilter } from './queries.ts';
import type { Granularity, Place, Span, UsageSum } from './summary.ts';

export interface SumRange extends Span {
  granularity: Granularity;
  after: Place | undefined;
  limit: number;
}

const PERIODS = {
  total: 'null::timestamptz',
  day: `date_trunc('day', created_at, 'UTC')`,
  month: `date_trunc('month', created_at, 'UTC')`,
};

/** Compared byte by byte, so that the order is the same in every database; a metric has no spaces. */
const NAME = `(metric || ' ' || project_id) collate "C"`;

/** Sums by period, metric and project. Ids carry the time of their records, so bounds in time are bounds on the id. */
export async function listSums(
  db: Queryable,
  merchantId: string,
  filter: UsageFilter,
  { from, to, granularity, after, limit }: SumRange,
): Promise<UsageSum[]> {
  const period = PERIODS[granularity];
  const conditions = startAfter(merchantId, limit, period, after)
    .where('id >= ?', from ? firstIdAt(from) : undefined)
    .where('id < ?', to ? firstIdAt(to) : undefined)
    .where('project_id = ?', filter.projectId)
    .where('customer_id = ?', filter.customerId)
    .where('subscription_id = ?', filter.subscriptionId)
    .where('metric = ?', filter.metric);
  return db.query<UsageSum>(
    `select ${period} as period, metric, project_id as "projectId", sum(quantity) as quantity,
            count(*) as "recordCount", sum(credits) as credits
       from usage_records where ${conditions}
      group by 1, metric, project_id
      order by 1 desc, ${NAME} limit $2`,
    conditions.values,
  );
}

function startAfter(merchantId: string, limit: number, period: string, after: Place | undefined): Conditions {
  const parts = ['merchant_id = $1'];
  const values: unknown[] = [merchantId, limit];
  if (after) {
    values.push(`${after.metric} ${after.projectId}`);
    if (after.period) {
      values.push(after.period);
      parts.push(`(${period} < $4 or (${period} = $4 and ${NAME} > $3))`);
    } else parts.push(`${NAME} > $3`);
  }
  return new Conditions(parts, values);
}
