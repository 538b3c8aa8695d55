import pg from 'pg';
import type { Queryable } from '../../platform/db/database.ts';
import type { MovedTable } from './moved-tables.ts';
import { ownedBy } from './queries.ts';

const quoted = pg.escapeIdentifier;

export interface Column {
  table: string;
  name: string;
  /** As PostgreSQL names it; that of the elements, for an array. */
  type: string;
  isArray: boolean;
}

/** Every column of these tables, from the catalog. */
export async function listColumns(tx: Queryable, tables: readonly MovedTable[]): Promise<Column[]> {
  return tx.query<Column>(
    `select c.relname::text as table, a.attname::text as name, coalesce(e.typname, t.typname)::text as type,
            e.oid is not null as is_array
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       join pg_type t on t.oid = a.atttypid
       left join pg_type e on t.typcategory = 'A' and e.oid = t.typelem
      where c.relname = any($1) and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
      order by c.relname, a.attnum`,
    [tables.map(({ name }) => name)],
  );
}

/** A condition on a column's value, and what a value is of which it is true. */
export interface Odd {
  column: string;
  condition: string;
  what: string;
}

/** The first of these that is true of a row of the merchant. */
export async function findOdd(
  tx: Queryable,
  table: MovedTable,
  merchantId: string,
  odds: readonly Odd[],
): Promise<Odd | undefined> {
  if (odds.length === 0) return undefined;
  const [row] = await tx.query<{ place: number }>(
    `select place from ${quoted(table.name)}
      cross join lateral (select case ${odds.map(({ condition }, i) => `when ${condition} then ${i}`).join(' ')} end as place) as odd
      where ${ownedBy(table)} and place is not null limit 1`,
    [merchantId],
  );
  return row && odds[row.place];
}

/** Now as this installation sees it, whose clock may be ahead in a sandbox. */
export async function findLatest(tx: Queryable, now: Date): Promise<Date> {
  const [row] = await tx.query<{ latest: Date }>(
    `select greatest($1::timestamptz, now() + clock_offset_ms * interval '1 millisecond') as latest from installation`,
    [now],
  );
  return row?.latest ?? now;
}

/**
 * The first table in which the merchant has a row with the id of another merchant's row, or of another merchant: ids of ours
 * are found by alone, in tables where they are not unique too.
 */
export async function findForeignId(
  tx: Queryable,
  tables: readonly MovedTable[],
  merchantId: string,
): Promise<string | undefined> {
  for (const { table, name } of await listColumns(tx, tables)) {
    if (name !== 'id' || table === 'merchants') continue;
    const [row] = await tx.query(
      `select from ${quoted(table)} own
        where own.merchant_id = $1
          and (exists (select from ${quoted(table)} other where other.id = own.id and other.merchant_id <> $1)
            or exists (select from merchants m where m.id = own.id and m.id <> $1)) limit 1`,
      [merchantId],
    );
    if (row) return table;
  }
  return undefined;
}
