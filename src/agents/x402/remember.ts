import { Memo } from '../../platform/lib/memo.ts';

/** Facts that only the network knows: whether fees are paid, whether an address can receive. */
const FRESH_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export interface Remembered<Value> {
  (key: string): Promise<Value>;
  /** Discards the value of a key: the next caller reads it again. */
  forget(key: string): void;
}

/**
 * Reads each key at most once a second, however many ask for it, and again as soon as its version is another one.
 * The version is asked first: a change that comes between the two is seen by the next to ask. Failures are not remembered.
 */
export function remember<Value>(
  versionOf: (key: string) => Promise<string | undefined>,
  read: (key: string) => Promise<Value>,
): Remembered<Value> {
  const remembered = new Memo<Value>(MAX_REMEMBERED, FRESH_MS);
  const ask = async (key: string) => {
    const version = await versionOf(key);
    return remembered.read(key, () => read(key), version);
  };
  return Object.assign(ask, { forget: (key: string) => remembered.forget(key) });
}
