import type { Queryable } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';

/** Adds to the counter, creating the month's row if needed. */
export async function insertVolume(
  tx: Queryable,
  { merchantId, id }: Ref,
  month: string,
  cents: bigint,
): Promise<void> {
  await tx.query(
    `insert into project_months as m (merchant_id, project_id, month, volume_cents) values ($1, $2, $3, $4)
     on conflict (merchant_id, project_id, month)
     do update set volume_cents = m.volume_cents + excluded.volume_cents`,
    [merchantId, id, month, cents],
  );
}

/** A month without any volume has nothing to undo. */
export async function updateVolumeDown(
  tx: Queryable,
  { merchantId, id }: Ref,
  month: string,
  cents: bigint,
): Promise<void> {
  await tx.query(
    `update project_months set volume_cents = greatest(volume_cents - $4::numeric, 0)
      where merchant_id = $1 and project_id = $2 and month = $3`,
    [merchantId, id, month, cents],
  );
}

/** True when it fitted. The row's lock puts rivals in line, and each is measured against the sum before it. */
export async function insertVolumeWithin(
  tx: Queryable,
  { merchantId, id }: Ref,
  month: string,
  cents: bigint,
  limitCents: bigint,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into project_months as m (merchant_id, project_id, month, volume_cents)
     select $1::uuid, $2::uuid, $3::date, $4::numeric where $4::numeric <= $5::numeric
     on conflict (merchant_id, project_id, month)
     do update set volume_cents = m.volume_cents + excluded.volume_cents
      where m.volume_cents + excluded.volume_cents <= $5::numeric
     returning month`,
    [merchantId, id, month, cents, limitCents],
  );
  return rows.length > 0;
}

export async function findVolume(db: Queryable, { merchantId, id }: Ref, month: string): Promise<bigint> {
  const [row] = await db.query<{ cents: bigint }>(
    `select volume_cents as cents from project_months where merchant_id = $1 and project_id = $2 and month = $3`,
    [merchantId, id, month],
  );
  return row?.cents ?? 0n;
}

/** Forgets what an earlier limit had counted from this month on. */
export async function updateVolumesToZero(
  tx: Queryable,
  { merchantId, id }: Ref,
  month: string,
): Promise<void> {
  await tx.query(
    `update project_months set volume_cents = 0 where merchant_id = $1 and project_id = $2 and month >= $3`,
    [merchantId, id, month],
  );
}

/** Counts what the sessions say, from this month on. */
export async function insertVolumesOfSessions(
  tx: Queryable,
  { merchantId, id }: Ref,
  month: string,
): Promise<void> {
  await tx.query(
    `insert into project_months (merchant_id, project_id, month, volume_cents)
     select merchant_id, project_id, volume_month, sum(coalesce(volume_cents, amount_cents)) from checkout_sessions
      where merchant_id = $1 and project_id = $2 and volume_month >= $3
      group by merchant_id, project_id, volume_month
     on conflict (merchant_id, project_id, month) do update set volume_cents = excluded.volume_cents`,
    [merchantId, id, month],
  );
}

export interface CountedRequest {
  limit: bigint | null;
  isCounted: boolean;
}

/**
 * Counts one request where a limit is set and leaves room for it: reading the limit, comparing and counting are
 * one statement, so that rivals can never pass it together. The project is locked before its month, as everywhere.
 * Undefined: no such project.
 */
export async function insertRequest(
  db: Queryable,
  { merchantId, id }: Ref,
  month: string,
): Promise<CountedRequest | undefined> {
  const [row] = await db.query<CountedRequest>(
    `with project as (
       select monthly_request_limit as request_limit from projects where merchant_id = $1 and id = $2 for key share
     ), counted as (
       insert into project_months as m (merchant_id, project_id, month, request_count)
       select $1, $2, $3::date, 1 from project where request_limit >= 1
       on conflict (merchant_id, project_id, month)
       do update set request_count = m.request_count + 1
        where m.request_count < (select request_limit from project)
       returning month
     )
     select request_limit as limit, exists (select from counted) as is_counted from project`,
    [merchantId, id, month],
  );
  return row;
}
