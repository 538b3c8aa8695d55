import type pg from 'pg';

export interface Table {
  name: string;
  /** Columns that hold data of their own; generated ones are left out. */
  columns: string[];
}

/**
 * Our tables in an order in which they can be filled: each after those it refers to. Deferrable foreign keys
 * do not count, because a transaction may check them at its end; that is how two tables refer to each other.
 */
export async function listTables(client: pg.Pool | pg.PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table & { parents: string[] }>(
    `select c.relname::text as name,
            array(
              select attname::text from pg_attribute
               where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
            ) as columns,
            array(
              select p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
               where f.conrelid = c.oid and f.contype = 'f' and not f.condeferrable and p.oid <> c.oid
            ) as parents
       from pg_class c
      where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
        and c.relkind = 'r' and c.relname <> 'schema_migrations'
      order by c.relname`,
  );
  const ordered = new Set<string>();
  const tables: Table[] = [];
  while (tables.length < rows.length) {
    const next = rows.find((row) => !ordered.has(row.name) && row.parents.every((name) => ordered.has(name)));
    if (!next)
      throw new Error(`foreign keys in a circle: ${namesOutside(rows, ordered)}; make one deferrable`);
    const { parents: _, ...table } = next;
    ordered.add(table.name);
    tables.push(table);
  }
  return tables;
}

function namesOutside(rows: { name: string }[], ordered: Set<string>): string {
  return rows
    .map((row) => row.name)
    .filter((name) => !ordered.has(name))
    .join(', ');
}
