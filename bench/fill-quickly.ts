import type pg from 'pg';

/** Nothing is measured yet, and a crash would lose nothing that counts. */
const IN_A_HURRY = ['fsync = off', 'full_page_writes = off', `max_wal_size = '8GB'`];

/** Fills tables faster than the service could; they are as if they had been there for a while when it returns. */
export async function fillQuickly(
  db: pg.Client,
  tables: readonly string[],
  fill: () => Promise<unknown>,
): Promise<void> {
  // Foreign keys are not checked row by row here; everything named exists.
  await db.query('set session_replication_role = replica');
  await db.query(`set maintenance_work_mem = '256MB'`);
  for (const setting of IN_A_HURRY) await db.query(`alter system set ${setting}`);
  await db.query('select pg_reload_conf()');
  await fill();
  await db.query('reset all');
  await db.query('alter system reset all');
  await db.query('select pg_reload_conf()');
  await db.query(`vacuum analyze ${tables.join(', ')}`);
  await db.query('checkpoint');
}

/** An index made at the end takes a fraction of the time of one that grows along. */
export async function withoutIndexes(
  db: pg.Client,
  table: string,
  fill: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  await fill();
  for (const { definition } of rows) await db.query(definition);
}
