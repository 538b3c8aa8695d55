import type { Json } from './json.ts';

/**
 * JSON from others: accepts whatever other parsers accept. Odd text (NUL, half a surrogate pair, raw control
 * characters) does not invalidate the rest, the last of two equal keys counts, and integers keep every digit. What is
 * wrong with one entry is up to the reader of that entry.
 */
export function parseForeignJson(text: string): Json {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  try {
    return parse(body);
  } catch (error) {
    const cleaned = body.replace(CONTROL_CHARACTERS, ' ');
    if (cleaned === body) throw error;
    return parse(cleaned);
  }
}

const BYTE_ORDER_MARK = '\ufeff';
const CONTROL_CHARACTERS = /[\0-\x1f]/g;
/** Only such numbers can lose digits; most answers have none, and are spared the second pass. */
const MAYBE_BIG = /[0-9]{16}/;

function parse(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (!MAYBE_BIG.test(text)) return value;
  try {
    return JSON.parse(text, exactInteger as (key: string, value: unknown) => unknown) as Json;
  } catch (error) {
    // Nested too deep to be walked through: its numbers are then as JavaScript has them.
    if (error instanceof RangeError) return value;
    throw error;
  }
}

/** More digits than any field has; also keeps a hostile megadigit integer from costing quadratic time. */
const INTEGER = /^-?[0-9]{1,40}$/;

function exactInteger(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context.source !== undefined && INTEGER.test(context.source) ? BigInt(context.source) : value;
}
