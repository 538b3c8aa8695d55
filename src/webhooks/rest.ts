const SHORTEST_MS = 50;
const LONGEST_MS = 250;

/** A pause that ends early when kicked, and grows while there is nothing to do. */
export class Rest {
  #isKicked = false;
  #wake: (() => void) | undefined;
  #ms = SHORTEST_MS;

  kick(): void {
    this.#isKicked = true;
    this.#wake?.();
  }

  beBusy(): void {
    this.#ms = SHORTEST_MS;
  }

  async untilKicked(ms = this.#ms): Promise<void> {
    this.#ms = Math.min(2 * this.#ms, LONGEST_MS);
    if (!this.#isKicked) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        timer.unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#isKicked = false;
  }
}
