import { createHash } from 'node:crypto';

/*
 * A backup or an export is one gzip file: a header line, then for each table a line, its rows in COPY text format as
 * chunks behind their length, and a line with their sums; then an end line. Lines are JSON.
 */

export interface TableHead {
  table: string;
  columns: string[];
}

export interface TableSums {
  table: string;
  rows: number;
  bytes: number;
  sha256: string;
}

export interface Progress {
  table: string;
  rows: number;
  bytes: number;
}

export function jsonLine(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** The length that comes before a chunk; a length of zero ends the table. */
export function chunkLength(bytes: number): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes);
  return length;
}

export function totalOf(sums: readonly TableSums[]): { tables: number; rows: number; bytes: number } {
  const rows = sums.reduce((total, table) => total + table.rows, 0);
  const bytes = sums.reduce((total, table) => total + table.bytes, 0);
  return { tables: sums.length, rows, bytes };
}

export const LENGTH_BYTES = 4;
const PROGRESS_BYTES = 4 * 1024 * 1024;
export const NEWLINE = 0x0a;

/** Passes a table's chunks on while it sums them up, telling of progress every few megabytes and at the end. */
export class Sums {
  readonly #table: string;
  readonly #onProgress: (progress: Progress) => void;
  readonly #hash = createHash('sha256');
  #rows = 0;
  #bytes = 0;

  constructor(table: string, onProgress: (progress: Progress) => void) {
    this.#table = table;
    this.#onProgress = onProgress;
  }

  async *through(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#hash.update(chunk);
      this.#rows += countNewlines(chunk);
      const before = this.#bytes;
      this.#bytes += chunk.length;
      yield chunk;
      if (Math.floor(before / PROGRESS_BYTES) < Math.floor(this.#bytes / PROGRESS_BYTES)) this.#tell();
    }
    this.#tell();
  }

  /** Call it once, after all chunks have passed. */
  total(): TableSums {
    return { table: this.#table, rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  #tell(): void {
    this.#onProgress({ table: this.#table, rows: this.#rows, bytes: this.#bytes });
  }
}

/** In COPY text format each row ends with a newline, and one inside a value is written as `\n`. */
function countNewlines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
