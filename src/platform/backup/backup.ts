import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '../db/database.ts';
import type { Transform } from './encryption.ts';
import {
  type BackupEnd,
  type BackupHeader,
  type BackupSummary,
  chunkLength,
  jsonLine,
  type Progress,
  Sums,
  summarize,
  type TableSums,
} from './format.ts';
import type { Table } from './list-tables.ts';
import { type LockedTables, withLockedTables } from './locked-tables.ts';

/**
 * Writes every row, as of one moment, to `output` while the service keeps running. Nothing is buffered: a slow output
 * slows the reading. Only a complete backup is worth keeping.
 */
export async function backup(
  db: Database,
  output: Writable,
  now: Date,
  onProgress: (progress: Progress) => void = () => {},
  encrypt?: Transform,
): Promise<BackupSummary> {
  return withLockedTables(db, 'isolation level repeatable read read only', 'access share', async (locked) => {
    const header = await readHeader(locked, now);
    // Speed before size: while we read, the database keeps every old row version.
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    const written: TableSums[] = [];
    const rows = writeBackup(locked, header, written, onProgress);
    await (encrypt ? pipeline(rows, gzip, encrypt, output) : pipeline(rows, gzip, output));
    return summarize(header, written);
  });
}

async function readHeader({ client, schema }: LockedTables, now: Date): Promise<BackupHeader> {
  const { rows } = await client.query<{ network: string | null }>('select network from installation');
  const network = rows[0]?.network ?? null;
  return { format: 'florin-backup', version: 1, schema, createdAt: now.toISOString(), network };
}

async function* writeBackup(
  { client, tables }: LockedTables,
  header: BackupHeader,
  written: TableSums[],
  onProgress: (progress: Progress) => void,
): AsyncGenerator<Buffer> {
  yield jsonLine(header);
  for (const table of tables) {
    yield jsonLine({ table: table.name, columns: table.columns });
    const sums = new Sums(table.name, onProgress);
    for await (const chunk of sums.through(rowsOf(client, table))) {
      yield chunkLength(chunk.length);
      yield chunk;
    }
    yield chunkLength(0);
    const total = sums.total();
    yield jsonLine(total);
    written.push(total);
  }
  yield jsonLine({ tables: tables.length, sequences: await readSequences(client) });
}

/** A connection that is lost after the last row, and before the server is done, fails the next statement: nobody reads this stream by then. */
function rowsOf(client: pg.PoolClient, table: Table): AsyncIterable<Buffer> {
  return client.query(copyTo(copySql(table))).on('error', () => {});
}

function copySql({ name, columns }: Table): string {
  return `copy ${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')}) to stdout`;
}

/** Sequences are not part of snapshots; read last, they are never behind the rows. */
async function readSequences(client: pg.PoolClient): Promise<BackupEnd['sequences']> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
      where schemaname = current_schema() and last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
