import type { Readable } from 'node:stream';
import pg from 'pg';
import type { Database } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { type Migration, readMigrations } from '../../platform/db/migrations.ts';
import { copyIn, copyOut, sourceOf } from '../table-file/copy-rows.ts';
import type { Progress, TableHead, TableSums } from '../table-file/format.ts';
import type { Table } from '../table-file/list-tables.ts';
import { type LockedTables, withLockedTables } from '../table-file/locked-tables.ts';
import { readTables, WantedTables } from '../table-file/read-tables.ts';
import { TableFileReader } from '../table-file/table-file-reader.ts';
import { checkHeader, checkTableHead } from './checks.ts';
import { type BackupEnd, type BackupHeader, type BackupSummary, summarize } from './format.ts';
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
  reader: TableFileReader;
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
  const reader = new TableFileReader(input);
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
  const { reader, readsBack, onProgress } = source;
  await clear(client, tables);
  const wanted = new WantedTables(tables, reader.noun);
  const { loaded, end } = await readTables(reader, {
    open: (line) => openTable(checkTableHead(line), wanted),
    load: (table, rows) => (readsBack ? loadAndCompare(client, table, rows) : copyIn(client, table, rows)),
    onProgress,
  });
  wanted.requireAll();
  await reader.end();
  await resetSequences(client, (end as unknown as BackupEnd).sequences);
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

function openTable(head: TableHead, wanted: WantedTables<Table>): Table {
  const table = wanted.take(head.table);
  const unknown = head.columns.filter((column) => !table.columns.includes(column));
  if (unknown.length > 0) {
    throw new Error(`the backup has columns that ${table.name} does not: ${unknown.join(', ')}`);
  }
  return { ...table, columns: head.columns };
}

/** Reads back every row that was loaded, and no other, in any order. */
async function loadAndCompare(
  client: pg.PoolClient,
  table: Table,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const [wanted, found] = [new RowSums(), new RowSums()];
  const rowCount = await copyIn(client, table, wanted.through(rows));
  for await (const _ of found.through(copyOut(client, sourceOf(table))));
  if (found.total() !== wanted.total())
    throw new Error(`${table.name} reads otherwise from the database than it was backed up`);
  return rowCount;
}

async function resetSequences(client: pg.PoolClient, sequences: BackupEnd['sequences']): Promise<void> {
  for (const [name, value] of Object.entries(sequences)) {
    await client.query('select setval($1::regclass, $2)', [pg.escapeIdentifier(name), value]);
  }
}
