import type { Interval } from '../../billing/catalog/price.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { ALL_PROJECTS, NO_ONE } from './fold-queries.ts';
import { piecesOf } from './pieces.ts';
import type { Scope } from './queries.ts';

/** One project, or all and what belongs to none; $1 is the merchant, $2 the project. */
export const SCOPE = `
  case when $2::uuid is null then array(select id from projects where merchant_id = $1) || '${NO_ONE}'::uuid
       else array[$2::uuid] end`;
export const IN_SCOPE = `merchant_id = $1 and project_id = any(${SCOPE})`;

export interface Sums {
  paymentsCount: bigint;
  grossCents: bigint;
  refundsCount: bigint;
  refundedCents: bigint;
  openedCount: bigint;
  completedCount: bigint;
}

/** Sums between each two `bounds`, which are ascending; those without anything are left out. */
export async function listRevenue(
  db: Queryable,
  { merchantId, projectId }: Scope,
  bounds: readonly Date[],
): Promise<(Sums & { bucket: number })[]> {
  const pieces = piecesOf(bounds);
  const days = pieces.filter(({ span }) => span === 'day');
  const parts = pieces.filter(({ span }) => span !== 'day');
  const texts = (dates: readonly Date[]) => dates.map((at) => at.toISOString());
  return db.query(REVENUE, [
    ...[merchantId, projectId, texts(bounds), bounds[0], bounds.at(-1), projectId ?? ALL_PROJECTS],
    ...[texts(days.map(({ from }) => from)), days.map(({ bucket }) => bucket)],
    ...[
      parts.map(({ span }) => span),
      texts(parts.map(({ from }) => from)),
      texts(parts.map(({ to }) => to)),
    ],
    ...[parts.map(({ bucket }) => bucket), parts.map(({ minus }) => minus)],
  ]);
}

const COLUMNS = [
  'payments_count',
  'gross_cents',
  'refunds_count',
  'refunded_cents',
  'opened_count',
  'completed_count',
];

const OF_ALL = `merchant_id = $1 and project_id = $6 and kind = 'all'`;

const REVENUE = `
  select bucket, sum(payments_count) as payments_count, sum(gross_cents) as gross_cents,
         sum(refunds_count) as refunds_count, sum(refunded_cents) as refunded_cents,
         sum(opened_count) as opened_count, sum(completed_count) as completed_count
    from (select d.bucket, ${COLUMNS.join(', ')}
            from unnest($7::timestamptz[], $8::integer[]) as d(at, bucket)
            join (select * from revenue_totals where ${OF_ALL} and span = 'day' and starts_at > $4::timestamptz - interval '1 day'
                     and starts_at < $5) as t on t.starts_at = d.at
           union all
          select w.bucket, ${COLUMNS.map((name) => `w.sign * t.${name} as ${name}`).join(', ')}
            from unnest($9::text[], $10::timestamptz[], $11::timestamptz[], $12::integer[], $13::integer[])
                 as p(span, from_at, to_at, bucket, minus)
           cross join lateral (
             select ${COLUMNS.map((name) => `sum(${name}) as ${name}`).join(', ')} from revenue_totals
              where ${OF_ALL} and span = p.span and starts_at >= p.from_at and starts_at < p.to_at) as t
           cross join lateral (values (p.bucket, 1), (p.minus, -1)) as w(bucket, sign)
           where w.bucket is not null and t.payments_count is not null
           union all
          select width_bucket(quarter, $3::timestamptz[]) - 1, ${COLUMNS.join(', ')} from revenue_entries
           where ${IN_SCOPE} and product_id is null and quarter >= $4 and quarter < $5) as parts
   group by 1`;

export interface SubscriberMoves {
  begun: bigint;
  lost: bigint;
}

/** Subscriptions that began to be paid for, and those that ended, between each two `bounds` and after the last. */
export async function listSubscriberMoves(
  db: Queryable,
  { merchantId, projectId }: Scope,
  bounds: readonly Date[],
): Promise<(SubscriberMoves & { bucket: number })[]> {
  return db.query(
    `select width_bucket(at, $3::timestamptz[]) - 1 as bucket, count(*) filter (where is_begun) as begun,
            count(*) filter (where not is_begun) as lost
       from (select coalesce(trial_ends_at, created_at) as at, true as is_begun from subscriptions
              where merchant_id = $1 and ($2::uuid is null or project_id = $2) and period_index >= 0
                and coalesce(trial_ends_at, created_at) >= $4
              union all
             select canceled_at, false from subscriptions
              where merchant_id = $1 and ($2::uuid is null or project_id = $2) and period_index >= 0
                and status = 'canceled' and canceled_at >= $4) as moves
      group by 1`,
    [merchantId, projectId, bounds, bounds[0]],
  );
}

export interface LiveSum {
  interval: Interval;
  count: number;
  cents: bigint;
  subscriptions: bigint;
}

/** Live subscriptions that are paid for, by how often they renew. */
export async function listLive(db: Queryable, { merchantId, projectId }: Scope): Promise<LiveSum[]> {
  return db.query<LiveSum>(
    `select p.recurring_interval as interval, p.recurring_interval_count as count,
            sum(p.unit_amount_cents * b.quantity::numeric) as cents, sum(b.subscriptions) as subscriptions
       from (select price_id, sum(quantity) as quantity, count(*) as subscriptions from subscriptions
              where merchant_id = $1 and ($2::uuid is null or project_id = $2) and status in ('active', 'past_due')
                and period_index >= 0
              group by price_id) as b
       join prices p on p.merchant_id = $1 and p.id = b.price_id
      group by 1, 2`,
    [merchantId, projectId],
  );
}

export interface Forecast {
  count: bigint;
  cents: bigint;
}

/** Renewals that fall due between `now` and `until` at the prices they will have, each as often as it renews. */
export async function sumDueRenewals(
  db: Queryable,
  { merchantId, projectId }: Scope,
  now: Date,
  until: Date,
): Promise<Forecast> {
  const [row] = await db.query<Forecast>(
    `with sold as materialized (
       select id, unit_amount_cents, recurring_interval as every, recurring_interval_count as times,
              -- What is paid through later than this renews once.
              case recurring_interval when 'year' then '-infinity' else $4::timestamptz - make_interval(days => least(
                60, recurring_interval_count * case recurring_interval when 'month' then 28 when 'week' then 7 else 1 end)) end as once_from
         from prices where merchant_id = $1 and recurring_interval is not null
     )
     select coalesce(sum(times * subscriptions), 0) as count,
            coalesce(sum(unit_amount_cents * quantity::numeric * times), 0) as cents
       from (select p.id, p.unit_amount_cents, sum(coalesce(b.next_quantity, b.quantity)) as quantity,
                    count(*) as subscriptions,
                    case when b.paid_through >= p.once_from then 1
                         when p.every = 'month' then 1 + (b.paid_through + make_interval(months => least(p.times, 2)) < $4)::integer
                         else 1 + floor(extract(epoch from $4 - b.paid_through - interval '1 microsecond')
                                        / (p.times * case p.every when 'week' then 604800 else 86400 end))::integer
                    end as times
               from subscriptions b join sold p on p.id = coalesce(b.next_price_id, b.price_id)
              where b.merchant_id = $1 and ($2::uuid is null or b.project_id = $2) and b.status in ('trialing', 'active')
                and not b.cancel_at_period_end and b.paid_through >= $3 and b.paid_through < $4
              group by 1, 2, 5) as due`,
    [merchantId, projectId, now, until],
  );
  return row!;
}
