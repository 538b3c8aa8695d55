import { badField } from './errors.ts';

/** Notes of a merchant on an object: their own keys and values. They mean nothing to us. */
export type Metadata = Readonly<Record<string, string>>;

/** A change of metadata: null removes the key. */
export type MetadataChange = Readonly<Record<string, string | null>>;

export const MAX_METADATA_KEYS = 50;
export const MAX_METADATA_KEY_LENGTH = 40;
export const MAX_METADATA_VALUE_LENGTH = 500;

export const NO_METADATA: Metadata = Object.freeze({});

/**
 * Returns the given metadata in the order in which the database keeps keys, so that every answer has the same bytes.
 */
export function newMetadata(given: Metadata | undefined): Metadata {
  return given === undefined ? NO_METADATA : inOrder(Object.entries(given));
}

/** The changed keys over the ones before; undefined: nothing is to change. */
export function mergeMetadata(before: Metadata, change: MetadataChange | undefined): Metadata {
  if (change === undefined) return before;
  const merged = new Map<string, string | null>([...Object.entries(before), ...Object.entries(change)]);
  const kept = [...merged].filter((entry): entry is [string, string] => entry[1] !== null);
  if (kept.length > MAX_METADATA_KEYS) {
    throw badField('metadata', `must have at most ${MAX_METADATA_KEYS} keys, and would have ${kept.length}`);
  }
  return inOrder(kept);
}

/** Keys in which two differ; an audit entry, which is kept forever, names no values. */
export function changedKeys(before: Metadata, after: Metadata): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]);
}

export function isSameMetadata(a: Metadata, b: Metadata): boolean {
  return changedKeys(a, b).length === 0;
}

/** `key:value`, as lists and the search take it: the key ends at the first colon. */
export function parseMetadataTerm(text: string): { key: string; value: string } | undefined {
  const at = text.indexOf(':');
  const key = text.slice(0, at);
  if (at < 1 || [...key].length > MAX_METADATA_KEY_LENGTH) return undefined;
  return { key, value: text.slice(at + 1) };
}

/** PostgreSQL orders the keys of a jsonb by their length in bytes, then byte by byte. */
function inOrder(entries: [string, string][]): Metadata {
  if (entries.length === 0) return NO_METADATA;
  const keyed = entries.map(([key, value]) => ({ bytes: Buffer.from(key), key, value }));
  keyed.sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes));
  return Object.fromEntries(keyed.map(({ key, value }) => [key, value]));
}
