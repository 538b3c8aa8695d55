import { HeldCounts } from '../limits/held-counts.ts';

/** Counts the streams of each address, so that no one takes them all. */
export class OpenStreams {
  /** 0: no limit. */
  readonly limit: number;
  readonly #open = new HeldCounts('open streams');

  constructor(limit: number) {
    this.limit = limit;
  }

  /** True if one more may be opened; it then counts until it is closed. */
  open(address: string): boolean {
    if (this.limit > 0 && this.#open.of(address) >= this.limit) return false;
    this.#open.add(address, 1);
    return true;
  }

  close(address: string): void {
    this.#open.add(address, -1);
  }
}
