import { stringifyJson } from '../lib/json.ts';

/** One cell of a CSV file. Text is made harmless for every spreadsheet; numbers of ours stay numbers. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  if (value instanceof Date) return value.toISOString();
  const text = neutralised(typeof value === 'string' ? value : stringifyJson(value));
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * An apostrophe keeps a spreadsheet from running a cell as a formula. It is also added wherever a cell would start
 * for a spreadsheet that splits at semicolons, tabs or line ends, because it ignores our quotes.
 */
function neutralised(text: string): string {
  return text.replace(FORMULA, "$1'$2");
}

/** The start of a cell, then blanks and quotes that spreadsheets drop, then what makes a formula. */
const FORMULA = /(^|[;\t\r\n\v\f\u0085\u2028\u2029])([\p{Zs}\p{Cf}"']*)(?=[=+\-@＝＋－＠])/gu;
