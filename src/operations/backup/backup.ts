import type { Writable } from 'node:stream';
import type pg from 'pg';
import type { Database } from '../../platform/db/database.ts';
import { compressedInto } from '../table-file/compressed-into.ts';
import { copyOut, sourceOf } from '../table-file/copy-rows.ts';
import type { Transform } from '../table-file/encryption.ts';
import { jsonLine, type Progress, type TableSums } from '../table-file/format.ts';
import { type LockedTables, withLockedTables } from '../table-file/locked-tables.ts';
import { writeTables } from '../table-file/write-tables.ts';
import { type BackupEnd, type BackupHeader, type BackupSummary, summarize } from './format.ts';

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
    const written: TableSums[] = [];
    await compressedInto(output, writeBackup(locked, header, written, onProgress), encrypt);
    return summarize(header, written);
  });
}

async function readHeader({ client, schema }: LockedTables, now: Date): Promise<BackupHeader> {
  const { rows } = await client.query<{ network: string | null; firstMigration: string }>(
    `select name as first_migration, (select network from installation) as network
       from schema_migrations where number = 1`,
  );
  const { network, firstMigration } = rows[0]!;
  const createdAt = now.toISOString();
  return { format: 'florin-backup', version: 1, schema, firstMigration, createdAt, network };
}

async function* writeBackup(
  { client, tables }: LockedTables,
  header: BackupHeader,
  written: TableSums[],
  onProgress: (progress: Progress) => void,
): AsyncGenerator<Buffer> {
  yield jsonLine(header);
  yield* writeTables(tables, (table) => copyOut(client, sourceOf(table)), { written, onProgress });
  yield jsonLine({ tables: tables.length, sequences: await readSequences(client) });
}

/** Sequences are not part of snapshots; read last, they are never behind the rows. */
async function readSequences(client: pg.PoolClient): Promise<BackupEnd['sequences']> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
      where schemaname = current_schema() and last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
