import { plainField, readField, splitFields, splitRows, writeField } from '../table-file/copy-text.ts';

/** Returns what a value that is not null becomes; null removes it. The string has one character for each byte. */
export type Mapping = (value: string) => string | null;

/** Far more than any row of ours takes. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/**
 * Rows in COPY text format with some columns changed. Every row is read as PostgreSQL reads it and written in the one form
 * that COPY writes, so that what was looked at here is what is loaded. Holds one chunk, or one row, at a time.
 */
export async function* mapColumns(
  chunks: AsyncIterable<Buffer>,
  columns: readonly string[],
  mappings: ReadonlyMap<string, Mapping>,
): AsyncGenerator<Buffer> {
  const mapRow = rowMapping(columns, mappings);
  let begun: string[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    const text = chunk.toString('latin1');
    begun.push(text);
    begunBytes += text.length;
    if (text.includes('\n')) {
      const { rows, rest } = splitRows(begun.join(''));
      begun = [rest];
      begunBytes = rest.length;
      if (rows.length > 0) yield Buffer.from(rows.map(mapRow).join(''), 'latin1');
    }
    if (begunBytes > MAX_ROW_BYTES) throw new Error('a row is longer than a row can be');
  }
  if (begunBytes > 0) throw new Error('the last row is cut short');
}

function rowMapping(columns: readonly string[], mappings: ReadonlyMap<string, Mapping>) {
  const byPlace = columns.map((column) => mappings.get(column));
  return (row: string): string => {
    const fields = splitFields(row);
    if (fields.length !== columns.length)
      throw new Error(`a row has ${fields.length} values for ${columns.length} columns`);
    const mapped = fields.map((field, place) => {
      const mapping = byPlace[place];
      if (!mapping) return plainField(field);
      const value = readField(field);
      return writeField(value === null ? null : mapping(value));
    });
    return `${mapped.join('\t')}\n`;
  };
}

const BYTES = '\\x';

export function bytesOf(value: string): Buffer {
  if (!/^\\x(?:[0-9a-f]{2})*$/i.test(value)) throw new Error('a column of bytes holds something else');
  return Buffer.from(value.slice(BYTES.length), 'hex');
}

export function textOfBytes(bytes: Buffer): string {
  return BYTES + bytes.toString('hex');
}
