const SHORTEST_MS = 50;
const LONGEST_MS = 250;

/** A pause that ends early when kicked, and grows while there is nothing to do. */
export class PollBackoff {
  #isWoken = false;
  #wake: (() => void) | undefined;
  readonly #shortestMs: number;
  #ms: number;

  constructor(shortestMs = SHORTEST_MS) {
    this.#shortestMs = shortestMs;
    this.#ms = shortestMs;
  }

  kick(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  reset(): void {
    this.#ms = this.#shortestMs;
  }

  async wait(ms = this.#ms): Promise<void> {
    this.#ms = Math.min(2 * this.#ms, Math.max(this.#shortestMs, LONGEST_MS));
    if (!this.#isWoken) {
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
    this.#isWoken = false;
  }
}
