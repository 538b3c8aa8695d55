/** Counts the streams of each address, so that no one takes them all. */
export class OpenStreams {
  /** 0: no limit. */
  readonly limit: number;
  readonly #open = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** True if one more may be opened; it then counts until it is closed. */
  open(address: string): boolean {
    const count = this.#open.get(address) ?? 0;
    if (this.limit > 0 && count >= this.limit) return false;
    this.#open.set(address, count + 1);
    return true;
  }

  close(address: string): void {
    const count = this.#open.get(address)! - 1;
    if (count > 0) this.#open.set(address, count);
    else this.#open.delete(address);
  }
}
