import pg from 'pg';
import type { Table } from '../table-file/list-tables.ts';

interface Rule {
  table: string;
  name: string;
  definition: string;
}

/**
 * Loads rows as they were. Triggers guard what becomes of rows and derive others from them, and a rule that is not
 * validated holds only for rows newer than itself: neither may refuse a row that another database holds already.
 * Everything else is checked as ever, and both are in force again afterwards.
 */
export async function withoutGuards<Result>(
  client: pg.PoolClient,
  tables: readonly Table[],
  load: () => Promise<Result>,
): Promise<Result> {
  const names = tables.map(({ name }) => pg.escapeIdentifier(name));
  const rules = await listRulesForNewRows(client);
  await alterAll(client, [
    ...names.map((table) => `${table} disable trigger user`),
    ...rules.map(({ table, name }) => `${table} drop constraint ${name}`),
  ]);
  await client.query('set constraints all deferred');
  const result = await load();
  // A table whose foreign keys are still to be checked cannot be altered.
  await client.query('set constraints all immediate');
  await alterAll(client, [
    ...rules.map(({ table, name, definition }) => `${table} add constraint ${name} ${definition}`),
    ...names.map((table) => `${table} enable trigger user`),
  ]);
  return result;
}

async function listRulesForNewRows(client: pg.PoolClient): Promise<Rule[]> {
  const { rows } = await client.query<Rule>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
       from pg_constraint
      where not convalidated and connamespace = (select oid from pg_namespace where nspname = current_schema())
      order by conrelid, conname`,
  );
  return rows;
}

async function alterAll(client: pg.PoolClient, changes: readonly string[]): Promise<void> {
  await client.query(changes.map((change) => `alter table ${change}`).join(';\n'));
}
