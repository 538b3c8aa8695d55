import { LOCKS } from '../../platform/db/advisory-locks.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';

export const NO_ONE = '00000000-0000-0000-0000-000000000000';
/** Whose totals are those of all projects together, and of what belongs to none. */
export const ALL_PROJECTS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const SUMS = [
  'payments_count',
  'gross_cents',
  'refunds_count',
  'refunded_cents',
  'opened_count',
  'completed_count',
];

/** Adds rows named `fresh`, which have the columns of entries, to every total that they are part of. */
const ADD_FRESH = `
  added as (
    insert into revenue_totals (merchant_id, project_id, kind, span, starts_at, subject_id, ${SUMS.join(', ')})
    select f.merchant_id, f.project_id, k.kind, s.span, s.starts_at, k.subject_id,
           ${SUMS.map((name) => `sum(f.${name})`).join(', ')}
      from fresh f
     cross join lateral (values ('all', '${NO_ONE}'::uuid), ('customer', f.customer_id), ('product', f.product_id))
           as k(kind, subject_id)
     cross join lateral (values ('quarter', f.quarter), ('day', date_trunc('day', f.quarter, 'UTC')),
                                ('month', date_trunc('month', f.quarter, 'UTC'))) as s(span, starts_at)
     where case k.kind when 'all' then f.product_id is null and s.span = 'quarter' else k.subject_id is not null end
     group by 1, 2, 3, 4, 5, 6
     order by 1, 2, 3, 4, 5, 6
    on conflict (merchant_id, project_id, kind, span, starts_at, subject_id) do update
      set ${SUMS.map((name) => `${name} = revenue_totals.${name} + excluded.${name}`).join(', ')}
  )`;

/** The job, and what is set aside where it fails: the item is the merchant. */
export const FOLD = 'add up revenue';

const NOT_SET_ASIDE = `merchant_id not in (select merchant_id from set_aside_work where work = '${FOLD}')`;

/**
 * Adds up the next entries and removes them: of all that did not fail, or of one merchant. False: there are fewer, or
 * another process is at it.
 */
export async function foldEntries(db: Queryable, limit: number, only?: string): Promise<boolean> {
  const [row] = await db.query<{ count: number }>(
    `with turn as materialized (
       select pg_try_advisory_xact_lock($2) and not exists (select from revenue_fill) as is_mine
     ), named as materialized (
       select array_agg(merchant_id) as merchant_ids, array_agg(id) as ids
         from (select merchant_id, id from revenue_entries
                where (select is_mine from turn) and ${only === undefined ? NOT_SET_ASIDE : 'merchant_id = $3'}
                limit $1) as next
     ), taken as (
       delete from revenue_entries e using named n, unnest(n.merchant_ids, n.ids) as t(merchant_id, id)
        where e.merchant_id = t.merchant_id and e.id = t.id
       returning e.*
     ), fresh as (select * from taken), ${ADD_FRESH}
     select count(*)::integer as count from taken having count(*) > 0`,
    [limit, LOCKS.revenueFold, ...(only === undefined ? [] : [only])],
  );
  return row?.count === limit;
}

/** Nothing else is added up until the transaction ends. */
export async function lockFold(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCKS.revenueFold]);
}

/** Whose entries wait, and have not failed. */
export async function listUnfolded(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ merchantId: string }>(
    `select distinct merchant_id as "merchantId" from revenue_entries where ${NOT_SET_ASIDE}`,
  );
  return rows.map(({ merchantId }) => merchantId);
}

/** What each source counts for as it is now: as entries, of the rows in `part`. */
const CONTRIBUTIONS = {
  payment_intents: {
    now: `
      select i.merchant_id, coalesce(s.project_id, '${NO_ONE}') as project_id, i.id as source_id, s.customer_id,
             null::uuid as product_id, quarter_of(i.succeeded_at) as quarter, 1 as payments_count,
             div(i.received_base_units, 10000) as gross_cents, 0 as refunds_count, 0::numeric as refunded_cents,
             0 as opened_count, 0 as completed_count
        from part join payment_intents i using (merchant_id, id)
        left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
       where i.status = 'succeeded'`,
    noted: 'e.product_id is null and (e.payments_count <> 0 or e.gross_cents <> 0)',
  },
  refunds: {
    now: `
      select r.merchant_id, coalesce(s.project_id, '${NO_ONE}'), r.id, s.customer_id, null::uuid,
             quarter_of(r.succeeded_at), 0, 0::numeric, 1, r.amount_cents, 0, 0
        from part join refunds r using (merchant_id, id)
        join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.payment_intent_id
        left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
       where r.status = 'succeeded' and i.status = 'succeeded'`,
    noted: 'e.refunds_count <> 0',
  },
  checkout_sessions: {
    now: `
      select s.merchant_id, s.project_id, s.id, null::uuid, null::uuid, quarter_of(s.created_at), 0, 0::numeric, 0,
             0::numeric, 1, (s.status = 'complete')::integer
        from part join checkout_sessions s using (merchant_id, id)
       where s.origin <> 'renewal'`,
    noted: '(e.opened_count <> 0 or e.completed_count <> 0)',
  },
  invoices: {
    now: `
      select v.merchant_id, v.project_id, v.id, null::uuid, p.product_id, quarter_of(v.paid_at), sold.quantity,
             sold.net_cents, 0, 0::numeric, 0, 0
        from part join invoices v using (merchant_id, id)
       cross join jsonb_array_elements(v.lines) as line
       cross join lateral sold_by_line(line) as sold
        join prices p on p.merchant_id = v.merchant_id and p.id = (line ->> 'priceId')::uuid
       where v.status = 'paid'`,
    noted: 'e.product_id is not null',
  },
};

export type Source = keyof typeof CONTRIBUTIONS;
export const SOURCES = Object.keys(CONTRIBUTIONS) as Source[];

/**
 * Counts the next rows of a table that were there before entries were: as they are now, without what entries have noted
 * of them since, both as of one moment. False: the last one was counted before, or another process is at it.
 */
export async function fillTotals(db: Queryable, source: Source, limit: number): Promise<boolean> {
  const { now, noted } = CONTRIBUTIONS[source];
  const rows = await db.query<{ isLast: boolean }>(
    `with place as materialized (
       select merchant_id, source_id from revenue_fill where source = '${source}' for update skip locked
     ), part as materialized (
       select t.merchant_id, t.id
         from place p, lateral (
           select r.merchant_id, r.id from ${source} r where (r.merchant_id, r.id) > (p.merchant_id, p.source_id)
            order by r.merchant_id, r.id limit $1) t
     ), fresh (merchant_id, project_id, source_id, customer_id, product_id, quarter, ${SUMS.join(', ')}) as (
       ${now}
       union all
       select e.merchant_id, e.project_id, e.source_id, e.customer_id, e.product_id, e.quarter,
              ${SUMS.map((name) => `-e.${name}`).join(', ')}
         from revenue_entries e join part on part.merchant_id = e.merchant_id and part.id = e.source_id
        where ${noted}
     ), ${ADD_FRESH}, last as (
       select merchant_id, id from part order by merchant_id desc, id desc limit 1
     ), moved as (
       update revenue_fill f set merchant_id = l.merchant_id, source_id = l.id from last l where f.source = '${source}'
     ), ended as (
       delete from revenue_fill f using place where f.source = '${source}' and not exists (select from part)
     )
     select (select count(*) from part) = 0 as "isLast" from place`,
    [limit],
  );
  return rows[0]?.isLast === false;
}

/**
 * Forgets what was counted of products by an earlier rule, so that filling counts it again. Nothing is added up meanwhile,
 * and entries that are not added up yet are part of what is filled.
 */
export async function restartRecounts(tx: Tx): Promise<void> {
  await lockFold(tx);
  await tx.query(
    `with due as (delete from revenue_recounts returning kind),
          totals as (delete from revenue_totals t using due where t.kind = due.kind),
          standings as (delete from revenue_standings s using due where s.kind = due.kind)
     insert into revenue_fill (source, merchant_id, source_id) select 'invoices', '${NO_ONE}', '${NO_ONE}' from due
     on conflict (source) do update set merchant_id = excluded.merchant_id, source_id = excluded.source_id`,
  );
}

export async function hasRecounts(db: Queryable): Promise<boolean> {
  return (await db.query('select from revenue_recounts limit 1')).length > 0;
}

/** For invariants: the same of everything, whatever is still to be added up. */
export const ALL_CONTRIBUTIONS = SOURCES.map(
  (source) =>
    `select * from (with part as (select merchant_id, id from ${source}) ${CONTRIBUTIONS[source].now}) as ${source}`,
).join(' union all ');
