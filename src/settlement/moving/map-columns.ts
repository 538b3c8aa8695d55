import { NEWLINE } from '../../platform/backup/format.ts';

/** What becomes of a value that is not null, as COPY writes it. */
export type Mapping = (value: string) => string;

export const NULL = '\\N';

/** Rows in COPY text format with some columns changed; other bytes stay as they are. Holds one chunk at a time. */
export async function* mapColumns(
  chunks: AsyncIterable<Buffer>,
  columns: readonly string[],
  mappings: ReadonlyMap<string, Mapping>,
): AsyncGenerator<Buffer> {
  const places = columns.flatMap((column, place) => {
    const mapping = mappings.get(column);
    return mapping ? [{ place, mapping }] : [];
  });
  let begun: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      // One character for each byte, so that none is read as anything else.
      const lines = Buffer.concat([...begun, chunk.subarray(0, end)]).toString('latin1');
      yield Buffer.from(mapLines(lines, places), 'latin1');
      begun = [];
    }
    if (end < chunk.length) begun.push(chunk.subarray(end));
  }
  if (begun.length > 0) throw new Error('the last row is cut short');
}

function mapLines(lines: string, places: readonly { place: number; mapping: Mapping }[]): string {
  if (places.length === 0) return lines;
  const rows = lines.split('\n');
  // Behind the last newline is nothing.
  for (let i = 0; i < rows.length - 1; i++) {
    const values = rows[i]!.split('\t');
    for (const { place, mapping } of places) {
      const value = values[place];
      if (value !== undefined && value !== NULL) values[place] = mapping(value);
    }
    rows[i] = values.join('\t');
  }
  return rows.join('\n');
}

const BYTES = '\\\\x';

export function bytesOf(value: string): Buffer {
  if (!value.startsWith(BYTES)) throw new Error('a column of bytes holds something else');
  return Buffer.from(value.slice(BYTES.length), 'hex');
}

export function textOfBytes(bytes: Buffer): string {
  return BYTES + bytes.toString('hex');
}
