import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import { realNow } from '../../platform/lib/clock.ts';

/** Facts that only the network knows: whether fees are paid, whether an address can receive. */
const FRESH_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export interface Remembered<Value> {
  (key: string): Promise<Value>;
  /** Discards the value of a key: the next caller reads it again. */
  forget(key: string): void;
}

interface Entry<Value> {
  version: string | undefined;
  untilMs: number;
  value: Promise<Value>;
}

/**
 * Reads each key at most once a second, however many ask for it, and again as soon as its version is another one.
 * The version is asked first: a change that comes between the two is seen by the next to ask. Failures are not remembered.
 */
export function remember<Value>(
  versionOf: (key: string) => Promise<string | undefined>,
  read: (key: string) => Promise<Value>,
): Remembered<Value> {
  const remembered = new BoundedMap<string, Entry<Value>>(MAX_REMEMBERED);
  const ask = async (key: string) => {
    const version = await versionOf(key);
    const nowMs = realNow().getTime();
    const known = remembered.get(key);
    if (known && known.version === version && known.untilMs > nowMs) return known.value;
    const entry: Entry<Value> = { version, untilMs: nowMs + FRESH_MS, value: read(key) };
    remembered.renew(key, entry);
    entry.value.catch(() => {
      if (remembered.get(key) === entry) remembered.delete(key);
    });
    return entry.value;
  };
  return Object.assign(ask, { forget: (key: string) => void remembered.delete(key) });
}
