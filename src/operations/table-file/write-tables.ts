import { chunkLength, jsonLine, type Progress, Sums, type TableSums } from './format.ts';
import type { Table } from './list-tables.ts';

/** Tables as a file has them: each its line, its rows in chunks, and the line with their sums, which are also noted. */
export async function* writeTables<T extends Table>(
  tables: readonly T[],
  rowsOf: (table: T) => AsyncIterable<Buffer>,
  { written, onProgress }: { written: TableSums[]; onProgress: (progress: Progress) => void },
): AsyncGenerator<Buffer> {
  for (const table of tables) {
    const { name, columns } = table;
    yield jsonLine({ table: name, columns });
    const sums = new Sums(name, onProgress);
    for await (const chunk of sums.through(rowsOf(table))) {
      yield chunkLength(chunk.length);
      yield chunk;
    }
    yield chunkLength(0);
    const total = sums.total();
    yield jsonLine(total);
    written.push(total);
  }
}
