import type { Readable } from 'node:stream';
import pg from 'pg';
import type { Database } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { type Migration, readMigrations } from '../../platform/db/migrations.ts';
import { checkHeader, checkSums, checkTableHead } from './checks.ts';
import { copyIn, copyOut, sourceOf } from './copy-rows.ts';
import {
  type BackupEnd,
  type BackupHeader,
  type BackupSummary,
  type Progress,
  Sums,
  summarize,
  type TableHead,
  type TableSums,
} from './format.ts';
import type { Table } from './list-tables.ts';
import { type LockedTables, withLockedTables } from './locked-tables.ts';
import { BackupReader } from './reader.ts';
import { RowSums } from './row-sums.ts';
import { withoutGuards } from './without-guards.ts';

export interface RestoreOptions {
  /** Reads every row back and compares it with the file, byte for byte. */
  readsBack?: boolean;
  /** Instead of those of this release. */
  migrations?: readonly Migration[];
}

interface Source {
  readsBack: boolean;
  reader: BackupReader;
  onProgress(progress: Progress): void;
}

/**
 * Fills an empty database from a backup, all of it or nothing: whatever is missing, damaged or unexpected
 * rolls the whole load back, and whatever state its merchants are in comes back. A backup of an older release is
 * brought up to date afterwards.
 */
export async function restore(
  db: Database,
  input: Readable,
  onProgress: (progress: Progress) => void = () => {},
  { readsBack = false, ...options }: RestoreOptions = {},
): Promise<BackupSummary> {
  const reader = new BackupReader(input);
  try {
    const migrations = options.migrations ?? (await readMigrations());
    const header = checkHeader(await reader.line(), migrations);
    await refuseUsed(db.pool);
    await migrate(db, header.schema, { migrations });
    const loaded = await withLockedTables(db, '', 'exclusive', (locked) =>
      load(locked, header, { reader, onProgress, readsBack }),
    );
    await migrate(db, undefined, { migrations });
    return summarize(header, loaded);
  } finally {
    reader.close();
  }
}

/** A restore never mixes two shops' books. */
async function refuseUsed(client: pg.Pool | pg.PoolClient): Promise<void> {
  const { rows: found } = await client.query<{ name: string | null }>(
    `select to_regclass('merchants')::text as name`,
  );
  if (!found[0]!.name) return;
  const { rows } = await client.query<{ isUsed: boolean }>(
    'select exists (select from merchants) as is_used',
  );
  if (rows[0]!.isUsed) throw new Error('this database already has merchants: restore into an empty one');
}

async function load(
  { client, tables, schema }: LockedTables,
  header: BackupHeader,
  source: Source,
): Promise<TableSums[]> {
  if (schema !== header.schema) {
    throw new Error(
      `the backup is at schema ${header.schema}, the database already at ${schema}: restore into a new one`,
    );
  }
  await refuseUsed(client);
  return withoutGuards(client, tables, () => loadTables({ client, tables }, source));
}

async function loadTables(
  { client, tables }: Pick<LockedTables, 'client' | 'tables'>,
  source: Source,
): Promise<TableSums[]> {
  const { reader } = source;
  await clear(client, tables);
  const missing = new Map(tables.map((table) => [table.name, table]));
  const loaded: TableSums[] = [];
  let line = await reader.line();
  for (; 'table' in line; line = await reader.line()) {
    const table = checkTable(checkTableHead(line), missing);
    loaded.push(await loadTable(client, table, source));
    missing.delete(table.name);
  }
  const end = line as unknown as BackupEnd;
  if (end.tables !== loaded.length || missing.size > 0) throw new Error('the backup lacks tables');
  await reader.end();
  await resetSequences(client, end.sequences);
  return loaded;
}

/** Deletes rows that a first start or a migration wrote: the backup holds others in their place. */
async function clear(client: pg.PoolClient, tables: Table[]): Promise<void> {
  for (const { name } of tables.toReversed()) {
    const table = pg.escapeIdentifier(name);
    const { rows } = await client.query<{ isFilled: boolean }>(
      `select exists (select from ${table}) as is_filled`,
    );
    if (rows[0]!.isFilled) await client.query(`delete from ${table}`);
  }
}

/** Names from the file are only ever used when they are names of ours. */
function checkTable(head: TableHead, missing: Map<string, Table>): Table {
  const table = missing.get(head.table);
  if (!table) throw new Error(`the backup has a table that does not belong here: ${head.table}`);
  const unknown = head.columns.filter((column) => !table.columns.includes(column));
  if (unknown.length > 0) {
    throw new Error(`the backup has columns that ${table.name} does not: ${unknown.join(', ')}`);
  }
  return { ...table, columns: head.columns };
}

async function loadTable(
  client: pg.PoolClient,
  table: Table,
  { reader, onProgress, readsBack }: Source,
): Promise<TableSums> {
  const sums = new Sums(table.name, onProgress);
  const rows = new RowSums();
  const passed = sums.through(reader.chunks());
  const chunks = readsBack ? rows.through(passed) : passed;
  const rowCount = await copyIn(client, table, chunks);
  const total = checkSums(await reader.line(), sums.total(), rowCount);
  if (readsBack) await readBack(client, table, rows);
  return total;
}

/** Every row that was loaded, and no other, in any order. */
async function readBack(client: pg.PoolClient, table: Table, wanted: RowSums): Promise<void> {
  const sums = new RowSums();
  for await (const _ of sums.through(copyOut(client, sourceOf(table))));
  if (sums.total() !== wanted.total())
    throw new Error(`${table.name} reads otherwise from the database than it was backed up`);
}

async function resetSequences(client: pg.PoolClient, sequences: BackupEnd['sequences']): Promise<void> {
  for (const [name, value] of Object.entries(sequences)) {
    await client.query('select setval($1::regclass, $2)', [pg.escapeIdentifier(name), value]);
  }
}
