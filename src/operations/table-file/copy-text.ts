/*
 * The text format of COPY, as PostgreSQL reads it. A backslash takes the character behind it along, a tab or a newline
 * too, so neither can be split at blindly. Texts hold one character for each byte.
 */

/** The text of a null: only as a whole field, and only unescaped. */
const NULL = '\\N';
const END_OF_DATA = '\\.';
/** A field as COPY itself writes it: every reader reads it alike. */
const PLAIN = /^(?:[^\\\r]|\\[bfnrtv\\])*$/;
const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const ESCAPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(LETTERS).map(([letter, byte]) => [byte, `\\${letter}`])),
  '\\': '\\\\',
};

/** Rows, and what is left behind the last complete one. A newline behind a backslash is part of a value. */
export function splitRows(text: string): { rows: string[]; rest: string } {
  const rows: string[] = [];
  let begin = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    if (isEscaped(text, end)) continue;
    rows.push(text.slice(begin, end));
    begin = end + 1;
  }
  return { rows, rest: text.slice(begin) };
}

/** The fields of a row as they are written. Refuses what PostgreSQL reads as something else than a row. */
export function splitFields(row: string): string[] {
  if (row === END_OF_DATA) throw new Error('a row says that the data ends');
  if (row.includes('\r')) throw new Error('a row holds a carriage return that is not escaped');
  if (!row.includes('\\')) return row.split('\t');
  const fields: string[] = [];
  let begin = 0;
  for (let end = row.indexOf('\t'); end >= 0; end = row.indexOf('\t', end + 1)) {
    if (isEscaped(row, end)) continue;
    fields.push(row.slice(begin, end));
    begin = end + 1;
  }
  fields.push(row.slice(begin));
  return fields;
}

/** The value of a field; null where there is none. */
export function readField(field: string): string | null {
  if (field === NULL) return null;
  if (!field.includes('\\')) return field;
  return field.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.?))/gs,
    (_, octal?: string, hex?: string, other = '') => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      return LETTERS[other] ?? other;
    },
  );
}

/** A value as COPY writes it. */
export function writeField(value: string | null): string {
  if (value === null) return NULL;
  return value.replace(/[\b\f\n\r\t\v\\]/g, (byte) => ESCAPES[byte]!);
}

/** The same field in the one form that COPY writes. */
export function plainField(field: string): string {
  return field === NULL || PLAIN.test(field) ? field : writeField(readField(field));
}

/** Behind an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (before > 0 && text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}
