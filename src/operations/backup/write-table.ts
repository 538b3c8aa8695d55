import { chunkLength, jsonLine, type Progress, Sums, type TableSums } from './format.ts';
import type { Table } from './list-tables.ts';

/** A table as a file has it: its line, its rows in chunks, and the line with their sums, which is also returned. */
export async function* writeTable(
  { name, columns }: Table,
  rows: AsyncIterable<Buffer>,
  onProgress: (progress: Progress) => void,
): AsyncGenerator<Buffer, TableSums> {
  yield jsonLine({ table: name, columns });
  const sums = new Sums(name, onProgress);
  for await (const chunk of sums.through(rows)) {
    yield chunkLength(chunk.length);
    yield chunk;
  }
  yield chunkLength(0);
  const total = sums.total();
  yield jsonLine(total);
  return total;
}
