import type { Migration } from '../../platform/db/migrations.ts';
import { BEFORE_BASELINE } from '../../platform/db/schema-state.ts';
import type { TableHead } from '../table-file/format.ts';
import type { BackupHeader } from './format.ts';

export function checkHeader(line: Record<string, unknown>, known: readonly Migration[]): BackupHeader {
  const header = line as unknown as BackupHeader;
  if (header.format !== 'florin-backup') throw new Error('this is not a Florin backup');
  if (header.version !== 1) {
    throw new Error(
      `the backup has format version ${header.version}, this release reads 1: use a newer release`,
    );
  }
  if (!isHeader(header))
    throw new Error('the first line of the backup is not as a backup begins: it was altered or is damaged');
  if (header.firstMigration !== known[0]!.name) throw new Error(`the backup ${BEFORE_BASELINE}`);
  if (header.schema > known.length) {
    throw new Error(
      `the backup is at schema ${header.schema}, this release knows ${known.length}: use a newer release`,
    );
  }
  return header;
}

function isHeader({ schema, createdAt, network }: BackupHeader): boolean {
  return (
    Number.isSafeInteger(schema) &&
    schema >= 1 &&
    typeof createdAt === 'string' &&
    !Number.isNaN(Date.parse(createdAt)) &&
    (network === null || typeof network === 'string')
  );
}

const isName = (name: unknown): name is string => typeof name === 'string' && name !== '';

/** The line before a table's rows. */
export function checkTableHead(line: Record<string, unknown>): TableHead {
  const { table, columns } = line;
  if (!isName(table) || !Array.isArray(columns) || columns.length === 0 || !columns.every(isName))
    throw new Error('a table of the backup does not begin as a table does: it was altered or is damaged');
  return { table, columns };
}
