import type { Readable } from 'node:stream';
import { readMigrations } from '../../platform/db/migrations.ts';
import { checkHeader, checkSums, checkTableHead } from './checks.ts';
import {
  type BackupEnd,
  type BackupSummary,
  type Progress,
  Sums,
  summarize,
  type TableHead,
  type TableSums,
} from './format.ts';
import { BackupReader } from './reader.ts';

/** Reads a backup to its last byte and compares every sum, without a database. What a restore checks beyond that is the rows' meaning. */
export async function verifyBackup(
  input: Readable,
  onProgress: (progress: Progress) => void = () => {},
): Promise<BackupSummary> {
  const reader = new BackupReader(input);
  try {
    const header = checkHeader(await reader.line(), await readMigrations());
    const tables: TableSums[] = [];
    let line = await reader.line();
    for (; 'table' in line; line = await reader.line()) {
      tables.push(await verifyTable(checkTableHead(line), reader, onProgress));
    }
    const end = line as unknown as BackupEnd;
    if (end.tables !== tables.length) throw new Error('the backup lacks tables');
    await reader.end();
    return summarize(header, tables);
  } finally {
    reader.close();
  }
}

async function verifyTable(
  { table }: TableHead,
  reader: BackupReader,
  onProgress: (progress: Progress) => void,
): Promise<TableSums> {
  const sums = new Sums(table, onProgress);
  for await (const _ of sums.through(reader.chunks()));
  const total = sums.total();
  return checkSums(await reader.line(), total, total.rows);
}
