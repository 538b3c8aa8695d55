import { LOCKS } from '../../platform/db/advisory-locks.ts';
import { oneOf, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';
import { ALL_PROJECTS } from './fold-queries.ts';
import type { Range } from './period.ts';
import type { Span } from './spans.ts';

/** Today's payments are few enough to be compared as they are. */
export const STANDING_RANGES = ['7d', '30d', '3m', '12m'] as const satisfies Range[];
export type StandingRange = (typeof STANDING_RANGES)[number];

export interface BusyProject {
  merchantId: string;
  projectId: string;
  timeZone: string;
  /** Since when each range counts; none has been counted that is missing. */
  since: Partial<Record<StandingRange, string>>;
}

export const STANDINGS = 'keep the standings of busy projects';

/** Lists projects with more than `many` payments since a moment, and those that had as many before. */
export async function listBusyProjects(
  db: Queryable,
  { since, now }: { since: Date; now: Date },
  many: number,
): Promise<BusyProject[]> {
  return db.query<BusyProject>(
    `with ranged as materialized (
       select merchant_id, project_id, jsonb_object_agg(range, since) as since from revenue_ranges group by 1, 2
     ), busy as (
       select merchant_id, project_id from revenue_totals
        where kind = 'all' and span = 'month' and starts_at >= $1 and project_id <> '${ALL_PROJECTS}'
        group by 1, 2 having sum(payments_count) > $2
       union
       select merchant_id, project_id from ranged
     )
     select b.merchant_id, b.project_id, m.time_zone,
            coalesce(r.since, '{}') as since
       from busy b join merchants m on m.id = b.merchant_id
       left join ranged r on r.merchant_id = b.merchant_id and r.project_id = b.project_id
      where ${notSetAside(STANDINGS, '$3', { merchantId: 'b.merchant_id', id: 'b.project_id' })}`,
    [since, many, now],
  );
}

/** Locks out the adding up of totals, and a reset of the merchant, until the transaction ends. False: not now. */
export async function lockStandings(tx: Tx, merchantId: string): Promise<boolean> {
  const [row] = await tx.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as is_mine', [
    LOCKS.revenueFold,
  ]);
  if (!row!.isMine) return false;
  return (await tx.query('select from merchants where id = $1 for key share', [merchantId])).length > 0;
}

const revenueRanges = table(
  'revenue_ranges',
  { merchantId: uuid, projectId: uuid, range: oneOf(STANDING_RANGES), since: timestamp },
  ['merchantId', 'projectId', 'range'],
);
export type Standing = Omit<RowOf<typeof revenueRanges>, 'since'>;

export async function findSince(
  tx: Queryable,
  { merchantId, projectId, range }: Standing,
): Promise<Date | undefined> {
  return (await revenueRanges.find(tx, { merchantId, projectId, range }))?.since;
}

/** Adds or takes away what these spans brought; what comes to nothing goes. */
export async function updateStandings(
  tx: Tx,
  { merchantId, projectId, range }: Standing,
  spans: readonly Span[],
  sign: 1 | -1,
): Promise<void> {
  await tx.query(
    `insert into revenue_standings as s (merchant_id, project_id, range, kind, subject_id, net_cents, payments_count)
     select $1, $2, $3, t.kind, t.subject_id, $7::integer * sum(t.gross_cents - t.refunded_cents),
            $7::integer * sum(t.payments_count)
       from unnest($4::text[], $5::timestamptz[], $6::timestamptz[]) as w(span, from_at, to_at)
      cross join lateral (
        select * from revenue_totals
         where merchant_id = $1 and project_id = $2 and kind in ('customer', 'product') and span = w.span
           and starts_at >= w.from_at and starts_at < w.to_at) as t
      group by t.kind, t.subject_id
     on conflict (merchant_id, project_id, range, kind, subject_id) do update
       set net_cents = s.net_cents + excluded.net_cents, payments_count = s.payments_count + excluded.payments_count`,
    [
      ...[merchantId, projectId, range],
      ...[spans.map(({ span }) => span), spans.map(({ from }) => from), spans.map(({ to }) => to), sign],
    ],
  );
  await tx.query(
    `delete from revenue_standings
      where merchant_id = $1 and project_id = $2 and range = $3 and kind in ('customer', 'product') and net_cents = 0
        and payments_count = 0`,
    [merchantId, projectId, range],
  );
}

export async function updateSince(tx: Tx, standing: Standing, since: Date): Promise<void> {
  const again = 'on conflict (merchant_id, project_id, range) do update set since = excluded.since';
  await revenueRanges.insert(tx, { ...standing, since }, again);
}
