import { stringifyJson } from '../lib/json.ts';

const LONGEST = 4_000;
const DEEPEST = 8;
const MAX_ITEMS = 20;

/** Masks what people wrote in a body: enough remains to see which field is wrong, and nobody's data. */
export function maskBody(body: unknown): string | null {
  if (body === undefined || body instanceof Uint8Array) return null;
  return stringifyJson(masked('', body, 0)).slice(0, LONGEST);
}

function masked(field: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return isHarmless(field, value) ? value : `[${value.length} characters]`;
  if (typeof value === 'number' || typeof value === 'bigint')
    return isNobodys(field, value) ? value : '[number]';
  if (value === null || typeof value !== 'object') return value;
  if (depth >= DEEPEST || field === 'metadata') return '[redacted]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => masked(field, item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner], i) => [
      /^[A-Za-z]\w{0,63}$/.test(name) ? name : `[field ${i + 1}]`,
      masked(name, inner, depth + 1),
    ]),
  );
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;
const NUMBER = /^-?\d{1,15}(\.\d{1,12})?$/;
/** Values like those of our enums, such as `when_needed`. */
const WORD = /^[a-z]{1,30}(_[a-z]{1,30}){0,4}$/;
/** By what it is called: a postcode, a PIN and a telephone number are digits as well. */
const MOMENTS = /(At|From|To|Start|End|Until|date|Date)$/;
const QUANTITIES =
  /(cents|amount|units|quantity|count|percent|percents|rate|limit|days|hours|minutes|credits)$/i;
const ENUM_FIELDS =
  /^(status|kind|type|mode|interval|currency|reason|outcome|event|eventTypes|scopes|role|action|behavior|expand|list)$/;
/** Smaller than this, a number is nobody's. */
const SMALL = 10_000;

function isHarmless(field: string, value: string): boolean {
  return (
    UUID.test(value) ||
    (MOMENTS.test(field) && TIME.test(value)) ||
    (QUANTITIES.test(field) && NUMBER.test(value)) ||
    (ENUM_FIELDS.test(field) && WORD.test(value))
  );
}

function isNobodys(field: string, value: number | bigint): boolean {
  return (value < SMALL && value > -SMALL) || QUANTITIES.test(field);
}
