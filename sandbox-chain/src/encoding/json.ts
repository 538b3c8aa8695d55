export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

/** Works like JSON.parse, but an integer that a number cannot hold exactly, such as a large amount, is a bigint. */
export function parseJson(text: string): Json {
  return LONG_NUMBER.test(text) ? parse(text, keepDigits) : JSON.parse(text);
}

/** Most texts have none, and are then read without a call for each value. */
const LONG_NUMBER = /\d{16}/;

function keepDigits(_key: string, value: Json, { source = '' }: { source?: string }): Json {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value);
  return isInexact && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Works like JSON.stringify, but a bigint is a plain integer with every digit. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? rawJson(item.toString()) : item));
}

/** Node has had both for years, the compiler's own declarations not yet. */
const parse = JSON.parse as (text: string, reviver: typeof keepDigits) => Json;
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
