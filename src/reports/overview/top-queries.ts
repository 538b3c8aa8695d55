import type { Queryable } from '../../platform/db/database.ts';
import type { Scope } from './queries.ts';
import { IN_SCOPE, SCOPE } from './revenue-queries.ts';
import type { Span } from './spans.ts';

export interface Top {
  id: string;
  name: string | null;
  email: string | null;
  externalCustomerId: string | null;
  cents: bigint;
  count: bigint;
}

/** A time, and from when standings would count what it is made of: null where it has ended before now. */
export interface TopTime {
  spans: readonly Span[];
  since: Date | null;
}

/** Projects whose standings count since then. */
const COVERED = `
  select distinct on (project_id) project_id, range from revenue_ranges where ${IN_SCOPE} and since = $3`;

/** True if projects with very many payments have standings since this moment. */
export async function hasStandings(
  db: Queryable,
  { merchantId, projectId }: Scope,
  since: Date,
): Promise<boolean> {
  return (await db.query(`${COVERED} limit 1`, [merchantId, projectId, since])).length > 0;
}

/** Rules that merge the ids of one person. */
interface Merged {
  subject: string;
  join: string;
  /** Standings of those who do not lead alone. */
  standings: string;
}

const NEVER_MERGED: Merged = { subject: 'subject_id', join: '', standings: '' };

const MERGED_CUSTOMERS: Merged = {
  subject: 'coalesce(m.merged_into_id, subject_id)',
  join: 'left join customers m on m.merchant_id = $1 and m.id = subject_id',
  standings: `
     union
    select s.subject_id, s.net_cents, s.payments_count
      from covered c
      join customers m on m.merchant_id = $1 and m.project_id = c.project_id and m.merged_into_id is not null
      join revenue_standings s on s.merchant_id = $1 and s.project_id = c.project_id and s.range = c.range
       and s.kind = 'customer' and s.subject_id in (m.id, m.merged_into_id)`,
};

/**
 * The customers or products that brought most in this time. Of projects with standings only those are compared that lead, and
 * those of entries that are not added up yet: all others have brought less than the leaders.
 */
const bestOf = (kind: 'customer' | 'product', names: string, merged: Merged = NEVER_MERGED) => `
  with covered as materialized (${COVERED}), fresh as materialized (
    select project_id, ${kind}_id as subject_id, sum(gross_cents - refunded_cents) as cents, sum(payments_count) as count
      from revenue_entries
     where ${IN_SCOPE} and ${kind}_id is not null and quarter >= $4 and quarter < $5 group by 1, 2
  ), standing as (
    select s.* from covered c cross join lateral (
      select subject_id, net_cents as cents, payments_count as count from revenue_standings
       where merchant_id = $1 and project_id = c.project_id and range = c.range and kind = '${kind}'
       order by net_cents desc, subject_id limit $9 + (select count(*) from fresh)) s
     union
    select s.subject_id, s.net_cents, s.payments_count
      from fresh f join covered c using (project_id)
      join revenue_standings s on s.merchant_id = $1 and s.project_id = c.project_id and s.range = c.range
       and s.kind = '${kind}' and s.subject_id = f.subject_id${merged.standings}
  ), best as (
    select ${merged.subject} as subject_id, sum(cents) as cents, sum(count) as count
      from (select subject_id, cents, count from standing
             union all
            select t.subject_id, t.gross_cents - t.refunded_cents, t.payments_count
              from unnest(${SCOPE}) as p
             cross join unnest($6::text[], $7::timestamptz[], $8::timestamptz[]) as s(span, from_at, to_at)
             cross join lateral (
               select * from revenue_totals
                where merchant_id = $1 and project_id = p and kind = '${kind}' and span = s.span
                  and starts_at >= s.from_at and starts_at < s.to_at offset 0) as t
             where p not in (select project_id from covered)
             union all
            select subject_id, cents, count from fresh) as parts ${merged.join}
     group by 1 having sum(cents) > 0 order by 2 desc, 1 limit $9
  )
  select b.subject_id as id, ${names}, b.cents, b.count
    from best b left join ${kind}s n on n.merchant_id = $1 and n.id = b.subject_id order by b.cents desc, b.subject_id`;

const BEST_CUSTOMERS = bestOf('customer', 'n.name, n.email, n.external_customer_id', MERGED_CUSTOMERS);
const BEST_PRODUCTS = bestOf('product', 'n.name');

export function listTopCustomers(db: Queryable, scope: Scope, time: TopTime, limit: number): Promise<Top[]> {
  return db.query<Top>(BEST_CUSTOMERS, valuesOf(scope, time, limit));
}

export function listTopProducts(db: Queryable, scope: Scope, time: TopTime, limit: number): Promise<Top[]> {
  return db.query<Top>(BEST_PRODUCTS, valuesOf(scope, time, limit));
}

function valuesOf({ merchantId, projectId }: Scope, { spans, since }: TopTime, limit: number): unknown[] {
  return [
    ...[merchantId, projectId, since, spans[0]!.from, spans.at(-1)!.to],
    ...[spans.map(({ span }) => span), spans.map(({ from }) => from), spans.map(({ to }) => to)],
    limit,
  ];
}
