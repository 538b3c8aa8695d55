import { BoundedMap } from './bounded-map.ts';
import { elapsedMs } from './clock.ts';

interface Entry<Value> {
  untilMs: number;
  version: string | undefined;
  value: Value | Promise<Value>;
}

/** Results of work by key: it is done once while its result is fresh, however many ask for it. A failure is not kept. */
export class Memo<Value> {
  readonly #entries: BoundedMap<string, Entry<Value>>;
  readonly #freshMs: number;

  constructor(maxSize: number, freshMs = Number.POSITIVE_INFINITY) {
    this.#entries = new BoundedMap(maxSize);
    this.#freshMs = freshMs;
  }

  /** Returns a result that is there immediately. What was made for another version is made again. */
  read(key: string, work: () => Promise<Value>, version?: string): Value | Promise<Value> {
    const nowMs = elapsedMs();
    const known = this.#entries.get(key);
    if (known && known.version === version && known.untilMs > nowMs) return known.value;
    const value = work();
    const entry: Entry<Value> = { untilMs: nowMs + this.#freshMs, version, value };
    this.#entries.renew(key, entry);
    value.then(
      (result) => {
        entry.value = result;
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return value;
  }

  /** Discards what is kept of a key: the next caller has it made again. */
  forget(key: string): void {
    this.#entries.delete(key);
  }
}
