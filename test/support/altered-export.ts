import { gzipSync } from 'node:zlib';
import { jsonLine } from '../../src/operations/table-file/format.ts';
import { writeTables } from '../../src/operations/table-file/write-tables.ts';

export interface ExportedTable {
  name: string;
  columns: string[];
  /** Rows in the format of COPY, with one character for each byte. */
  rows: string;
}

export interface PlainExport {
  header: Record<string, unknown>;
  tables: ExportedTable[];
}

/** An export that was unpacked, in parts that can be changed. */
export function readExport(plain: Buffer): PlainExport {
  let at = 0;
  const line = () => {
    const end = plain.indexOf('\n', at);
    const value = JSON.parse(plain.subarray(at, end).toString());
    at = end + 1;
    return value;
  };
  const header = line();
  const tables: ExportedTable[] = [];
  for (let head = line(); head.table; head = line()) {
    const chunks: Buffer[] = [];
    for (let length = plain.readUInt32BE(at); ; length = plain.readUInt32BE(at)) {
      at += 4;
      if (length === 0) break;
      chunks.push(plain.subarray(at, at + length));
      at += length;
    }
    tables.push({ name: head.table, columns: head.columns, rows: Buffer.concat(chunks).toString('latin1') });
    line();
  }
  return { header, tables };
}

/** A file whose sums are all right: anybody who can open an export can write one. */
export async function packExport({ header, tables }: PlainExport): Promise<Buffer> {
  const parts: Buffer[] = [jsonLine(header)];
  const chunksOf = async function* ({ rows }: ExportedTable) {
    if (rows !== '') yield Buffer.from(rows, 'latin1');
  };
  for await (const part of writeTables(tables, chunksOf, { written: [], onProgress: () => {} }))
    parts.push(part);
  parts.push(jsonLine({ tables: tables.length }));
  return gzipSync(Buffer.concat(parts));
}
