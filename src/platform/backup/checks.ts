import type { BackupHeader, TableSums } from './format.ts';

export function checkHeader(line: Record<string, unknown>, knownSchema: number): BackupHeader {
  const header = line as unknown as BackupHeader;
  if (header.format !== 'florin-backup') throw new Error('this is not a Florin backup');
  if (header.version !== 1) {
    throw new Error(
      `the backup has format version ${header.version}, this release reads 1: use a newer release`,
    );
  }
  if (header.schema > knownSchema) {
    throw new Error(
      `the backup is at schema ${header.schema}, this release knows ${knownSchema}: use a newer release`,
    );
  }
  return header;
}

/** The line behind a table's rows against what was read, and against how many rows arrived where they went. */
export function checkSums(
  line: Record<string, unknown>,
  total: TableSums,
  rowCount: number,
  noun = 'backup',
): TableSums {
  const wanted = line as unknown as TableSums;
  if (wanted.table !== total.table || wanted.bytes !== total.bytes || wanted.sha256 !== total.sha256) {
    throw new Error(`the ${noun} is damaged: ${total.table} holds other bytes than were written`);
  }
  if (wanted.rows !== rowCount) {
    throw new Error(`the ${noun} has ${wanted.rows} rows of ${total.table}, but ${rowCount} arrived`);
  }
  return total;
}
