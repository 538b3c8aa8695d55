import { shareWithPeers } from '../lib/peers.ts';

/** Counts by name of what is held open, by all processes that serve a port together. One that ends holds nothing any more. */
export class HeldCounts {
  readonly #own = new Map<string, number>();
  readonly #ofOthers = new Map<string, Map<string, number>>();
  readonly #tell: (held: readonly [name: string, count: number]) => void;

  constructor(subject: string) {
    this.#tell = shareWithPeers<readonly [string, number]>(
      subject,
      ([name, count], from) => this.#note(from, name, count),
      {
        joined: () => {
          for (const held of this.#own) this.#tell(held);
        },
        left: (from) => void this.#ofOthers.delete(from),
      },
    );
  }

  of(name: string): number {
    let count = this.#own.get(name) ?? 0;
    for (const held of this.#ofOthers.values()) count += held.get(name) ?? 0;
    return count;
  }

  add(name: string, by: number): void {
    const count = (this.#own.get(name) ?? 0) + by;
    setCount(this.#own, name, count);
    this.#tell([name, count]);
  }

  #note(from: string, name: string, count: number): void {
    const held = this.#ofOthers.get(from) ?? new Map<string, number>();
    this.#ofOthers.set(from, held);
    setCount(held, name, count);
  }
}

function setCount(counts: Map<string, number>, name: string, count: number): void {
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
