import { stringifyJson } from '../../platform/lib/json.ts';
import { plainText } from './text-width.ts';

/** Cents as people write them: exact to the edge of int64. */
export function dollars(cents: number | bigint): string {
  const value = BigInt(cents);
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${value < 0n ? '-' : ''}$${whole}.${digits.slice(-2)}`;
}

/** `12.34` or `$12` as cents; undefined for what is no amount. */
export function parseDollars(text: string): bigint | undefined {
  const match = /^\$?(\d{1,17})(?:\.(\d{1,2}))?$/.exec(text);
  return match ? BigInt(match[1]! + (match[2] ?? '').padEnd(2, '0')) : undefined;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

export function isAmount(name: string, value: unknown): value is number | bigint {
  return /cents$/i.test(name) && (typeof value === 'number' || typeof value === 'bigint');
}

/** A field as people read it. Short leaves out the seconds of a time. */
export function formatValue(name: string, value: unknown, isShort: boolean): string {
  if (value === null || value === undefined) return '–';
  if (isAmount(name, value)) return dollars(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' && TIME.test(value)) return shortTime(value, isShort);
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object'))
    return value.length === 0 ? 'none' : value.map((item) => formatValue('', item, isShort)).join(', ');
  if (typeof value === 'object') return plainText(stringifyJson(value));
  return plainText(String(value));
}

function shortTime(iso: string, isShort: boolean): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, isShort ? 16 : 19)}${isShort ? '' : ' UTC'}`;
}

/** `amountReceivedCents` → `amount received`. */
export function labelOf(name: string): string {
  return name
    .replace(/Cents$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
