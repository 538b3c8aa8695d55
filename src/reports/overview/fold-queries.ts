import { LOCKS } from '../../platform/db/advisory-locks.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';

export const NO_ONE = '00000000-0000-0000-0000-000000000000';
/** Id under which totals of all projects together are kept, including amounts without a project. */
export const ALL_PROJECTS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const SUMS = [
  'payments_count',
  'gross_cents',
  'refunds_count',
  'refunded_cents',
  'opened_count',
  'completed_count',
];

/** The job, and what is set aside when it fails: the item is the merchant. */
export const FOLD = 'add up revenue';

const NOT_SET_ASIDE = `merchant_id not in (select merchant_id from set_aside_work where work = '${FOLD}')`;

/**
 * Adds up the next entries and removes them: of all that did not fail, or of one merchant. False: there are fewer, or
 * another process is at it.
 */
export async function foldEntries(db: Queryable, limit: number, only?: string): Promise<boolean> {
  const [row] = await db.query<{ count: number }>(
    `with turn as materialized (
       select pg_try_advisory_xact_lock($2) as is_mine
     ), named as materialized (
       select array_agg(merchant_id) as merchant_ids, array_agg(id) as ids
         from (select merchant_id, id from revenue_entries
                where (select is_mine from turn) and ${only === undefined ? NOT_SET_ASIDE : 'merchant_id = $3'}
                limit $1) as next
     ), taken as (
       delete from revenue_entries e using named n, unnest(n.merchant_ids, n.ids) as t(merchant_id, id)
        where e.merchant_id = t.merchant_id and e.id = t.id
       returning e.*
     ), added as (
       insert into revenue_totals (merchant_id, project_id, kind, span, starts_at, subject_id, ${SUMS.join(', ')})
       select f.merchant_id, f.project_id, k.kind, s.span, s.starts_at, k.subject_id,
              ${SUMS.map((name) => `sum(f.${name})`).join(', ')}
         from taken f
        cross join lateral (values ('all', '${NO_ONE}'::uuid), ('customer', f.customer_id), ('product', f.product_id))
              as k(kind, subject_id)
        cross join lateral (values ('quarter', f.quarter), ('day', date_trunc('day', f.quarter, 'UTC')),
                                   ('month', date_trunc('month', f.quarter, 'UTC'))) as s(span, starts_at)
        where case k.kind when 'all' then f.product_id is null and s.span = 'quarter' else k.subject_id is not null end
        group by 1, 2, 3, 4, 5, 6
        order by 1, 2, 3, 4, 5, 6
       on conflict (merchant_id, project_id, kind, span, starts_at, subject_id) do update
         set ${SUMS.map((name) => `${name} = revenue_totals.${name} + excluded.${name}`).join(', ')}
     )
     select count(*)::integer as count from taken having count(*) > 0`,
    [limit, LOCKS.revenueFold, ...(only === undefined ? [] : [only])],
  );
  return row?.count === limit;
}

/** Nothing else is added up until the transaction ends. */
export async function lockFold(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCKS.revenueFold]);
}

/** Lists the merchants whose entries are waiting and have not failed. */
export async function listUnfolded(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ merchantId: string }>(
    `select distinct merchant_id from revenue_entries where ${NOT_SET_ASIDE}`,
  );
  return rows.map(({ merchantId }) => merchantId);
}
