import { availableParallelism } from 'node:os';
import { isSolanaAddress } from '../platform/lib/base58.ts';

/** A setting: its default, what it means, and how its text becomes a value. Throws a plain reason if it cannot. */
export interface Setting<Value> {
  default: string;
  help: string;
  parse(text: string): Value;
}

export function setting<Value>(
  fallback: string,
  help: string,
  parse: (text: string) => Value,
): Setting<Value> {
  return { default: fallback, help, parse };
}

/** Functions that turn the text of a setting into its value; each throws a plain reason if it cannot. */

export function integer(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

/** Each keeps connections to the database, of which the embedded one has 200. */
const MAX_PROCESSES = 32;

/** `auto` is one for each core that this process may use, by its affinity and its control group. */
export function processCount(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MAX_PROCESSES);
  try {
    return integer(1, MAX_PROCESSES)(text);
  } catch {
    throw new Error(`must be auto, or a whole number from 1 to ${MAX_PROCESSES}`);
  }
}

/** A billionth of a SOL. */
export const lamports = integer(0, Number.MAX_SAFE_INTEGER);

export function oneOf<const Values extends readonly string[]>(allowed: Values) {
  return (text: string): Values[number] => {
    if (!allowed.includes(text)) throw new Error(`must be one of ${allowed.join(', ')}`);
    return text;
  };
}

export function optional<Value>(parse: (text: string) => Value) {
  return (text: string): Value | undefined => (text === '' ? undefined : parse(text));
}

export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new Error('must not be empty');
  return text;
}

export function flag(text: string): boolean {
  return oneOf(['true', 'false'])(text) === 'true';
}

function url(text: string, protocols: readonly string[]): string {
  const parsed = URL.parse(text);
  if (!parsed || !protocols.includes(parsed.protocol)) {
    throw new Error(
      `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
  }
  return text;
}

export function webUrl(text: string): string {
  return url(text, ['https:', 'http:']).replace(/\/+$/, '');
}

/** Below it, `/v1/traces` and others are. */
export function collectorUrl(text: string): string {
  const base = webUrl(text);
  const { username, password, search, hash } = new URL(base);
  if (username || password) throw new Error('must not contain a password; set OTEL_EXPORTER_OTLP_HEADERS');
  if (search || hash) throw new Error('must end with its path: /v1/traces is appended');
  return base;
}

/** Parses headers such as `api-key=secret,x-team=billing`; values may be percent-encoded. */
export function headerPairs(text: string): Record<string, string> {
  const pairs = text.split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(pairs.map(headerPair));
}

function headerPair(part: string): [string, string] {
  const [, name, encoded] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
  try {
    const value = decodeURIComponent(encoded!);
    if (name !== undefined && /^[\x20-\x7e]*$/.test(value)) return [name.toLowerCase(), value];
  } catch {
    // Refused below, without repeating what may be a secret.
  }
  throw new Error('must be headers as name=value, comma-separated');
}

/** A number from 0 to 1. */
export function share(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value > 1) throw new Error('must be a number from 0 to 1');
  return value;
}

export function socketUrl(text: string): string {
  return url(text, ['wss:', 'ws:']);
}

export function urlList(text: string): string[] {
  return text === '' ? [] : text.split(',').map((part) => url(part.trim(), ['https:', 'http:']));
}

export function cellName(text: string): string {
  if (!/^[0-9A-Za-z]{2}$/.test(text)) throw new Error('must be two letters or digits');
  return text;
}

export function headerWord(text: string): string {
  if (!/^[A-Za-z0-9]([A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/.test(text))
    throw new Error('must be up to 64 letters, digits and hyphens');
  return text;
}

export function secretKey(text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error('must be 32 bytes, as 64 hex digits or base64');
  return key;
}

export function secretKeyList(text: string): Buffer[] {
  return text === '' ? [] : text.split(',').map((part) => secretKey(part.trim()));
}

/** Bech32, of 32 bytes at least; its checksum is checked where it is used. */
const AGE_RECIPIENT = /^age1[02-9ac-hj-np-z]{58,}$/;

export function ageRecipients(text: string): string[] {
  const recipients = text === '' ? [] : text.split(',').map((part) => part.trim());
  if (recipients.some((recipient) => !AGE_RECIPIENT.test(recipient)))
    throw new Error('must be age public keys, such as age1…, separated by commas');
  return recipients;
}

export function solanaAddress(text: string): string {
  if (!isSolanaAddress(text)) throw new Error('must be a Solana address');
  return text;
}

export function trustProxy(text: string): boolean | string[] {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.split(',').map((part) => {
    if (!/^[0-9a-f.:]+(\/\d{1,3})?$/i.test(part.trim()))
      throw new Error('must be true, false, or addresses and CIDR ranges');
    return part.trim();
  });
}

export function allOrSomeOf<const Values extends readonly string[]>(allowed: Values) {
  return (text: string): Values[number][] =>
    text === 'all' ? [...allowed] : text.split(',').map((part) => oneOf(allowed)(part.trim()));
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
