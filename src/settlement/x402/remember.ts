import { realNow } from '../../platform/lib/clock.ts';

const FRESH_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export interface Remembered<Value> {
  (key: string): Value | Promise<Value>;
  /** What is known of a key is out of date: the next to ask reads it again. */
  forget(key: string): void;
}

/** Reads each key at most once a second, however many ask for it; failures are not remembered. */
export function remember<Value>(read: (key: string) => Promise<Value>): Remembered<Value> {
  const remembered = new Map<string, { untilMs: number; value: Value | Promise<Value> }>();
  const ask = (key: string) => {
    const nowMs = realNow().getTime();
    const known = remembered.get(key);
    if (known && known.untilMs > nowMs) return known.value;
    const entry: { untilMs: number; value: Value | Promise<Value> } = {
      untilMs: nowMs + FRESH_MS,
      value: read(key),
    };
    if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    remembered.delete(key);
    remembered.set(key, entry);
    (entry.value as Promise<Value>).then(
      (value) => {
        entry.value = value;
      },
      () => {
        if (remembered.get(key) === entry) remembered.delete(key);
      },
    );
    return entry.value;
  };
  return Object.assign(ask, { forget: (key: string) => void remembered.delete(key) });
}
