import type { Database } from '../../src/platform/db/database.ts';

interface Column {
  table: string;
  column: string;
  type: string;
}

/** Every column of every table that can hold a text, whatever is added later. */
async function textColumns(db: Database): Promise<Column[]> {
  return db.query<Column>(
    `select c.table_name::text as table, c.column_name::text as column, c.data_type::text as type
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')
      order by 1, 2`,
  );
}

/** Searches the whole database for these texts and returns the places as `table.column`, by text. */
export async function findMarkers(db: Database, markers: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map(markers.map((marker) => [marker, [] as string[]]));
  for (const { table, column, type } of await textColumns(db)) {
    const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
    const rows = await db.query<{ marker: string }>(
      `select marker from unnest($1::text[]) as marker
        where exists (select from ${table} where strpos(${text}, marker) > 0)`,
      [markers],
    );
    for (const { marker } of rows) found.get(marker)!.push(`${table}.${column}`);
  }
  return found;
}

/** Every row of every table, as text. */
export async function readRows(db: Database): Promise<Map<string, string[]>> {
  const tables = await db.query<{ name: string }>(
    `select table_name::text as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const rows = new Map<string, string[]>();
  for (const { name } of tables) {
    const found = await db.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    rows.set(
      name,
      found.map(({ row }) => row),
    );
  }
  return rows;
}

/** Rows that were changed or removed. */
export function changedRows(before: Map<string, string[]>, after: Map<string, string[]>): string[] {
  return [...before].flatMap(([table, rows]) => {
    const now = new Set(after.get(table));
    return rows.filter((row) => !now.has(row)).map((row) => `${table} ${row}`);
  });
}
