import type { Readable } from 'node:stream';
import { readMigrations } from '../../platform/db/migrations.ts';
import type { Progress } from '../table-file/format.ts';
import { readTables } from '../table-file/read-tables.ts';
import { TableFileReader } from '../table-file/table-file-reader.ts';
import { checkHeader, checkTableHead } from './checks.ts';
import { type BackupSummary, summarize } from './format.ts';

/** Reads a backup to its last byte and compares every sum, without a database. What a restore checks beyond that is the rows' meaning. */
export async function verifyBackup(
  input: Readable,
  onProgress: (progress: Progress) => void = () => {},
): Promise<BackupSummary> {
  const reader = new TableFileReader(input);
  try {
    const header = checkHeader(await reader.line(), await readMigrations());
    const { loaded } = await readTables(reader, {
      open: (line) => ({ name: checkTableHead(line).table }),
      load: (_, rows) => pass(rows),
      onProgress,
    });
    await reader.end();
    return summarize(header, loaded);
  } finally {
    reader.close();
  }
}

async function pass(rows: AsyncIterable<Buffer>): Promise<undefined> {
  for await (const _ of rows);
}
