import type { Queryable } from '../../platform/db/database.ts';

/** True while rows of earlier releases are still being counted, merchant by merchant. */
export async function isCounting(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isCounting: boolean }>(
    `select exists (select from revenue_fill) or exists (select from revenue_recounts)
         or exists (select from usage_customer_fill) as "isCounting"`,
  );
  return row!.isCounting;
}

/** How far events are numbered; not part of any snapshot. */
export async function findLastOrdinal(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ last: bigint | string }>(
    `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'ordinal')::regclass), 0) as last`,
  );
  return BigInt(row!.last);
}

/** Nobody numbers an event until the transaction ends. */
export async function lockEvents(tx: Queryable): Promise<void> {
  await tx.query('lock table events in share row exclusive mode');
}

/** The next event gets the number after this one. Survives a rollback, which leaves a gap that nothing minds. */
export async function updateLastOrdinal(tx: Queryable, last: bigint): Promise<void> {
  await tx.query(`select setval(pg_get_serial_sequence('events', 'ordinal')::regclass, $1)`, [last]);
}

export async function findMerchant(
  db: Queryable,
  id: string,
): Promise<{ movedTo: string | null } | undefined> {
  const [row] = await db.query<{ movedTo: string | null }>(
    'select moved_to as "movedTo" from merchants where id = $1',
    [id],
  );
  return row;
}

/** Lets rows come in any order, and as they are: what triggers derive from them comes along. */
export async function prepareLoad(tx: Queryable): Promise<void> {
  await tx.query(`select set_config('florin.restoring', 'yes', true)`);
  await tx.query('set constraints all deferred');
}
