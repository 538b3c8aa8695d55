import { AsyncLocalStorage } from 'node:async_hooks';
import { elapsedMs } from '../../platform/lib/clock.ts';

const shares = new AsyncLocalStorage<string>();

/** Every call that `work` makes counts towards this share (an account, say), which takes turns with all others. */
export function inShareOf<Result>(share: string, work: () => Promise<Result>): Promise<Result> {
  return shares.run(share, work);
}

/** How long unused calls can accumulate for a burst. */
const BURST_MS = 1_000;

/**
 * Spreads calls over time. If more are requested than allowed, the shares take turns, one call each: a share with
 * thousands of calls only delays itself.
 */
export class FairBudget {
  readonly #everyMs: number;
  /** By share, whose turn is next first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #nextMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxPerSecond: number) {
    this.#everyMs = 1_000 / maxPerSecond;
  }

  async take(): Promise<void> {
    if (this.#waiting.size === 0 && this.#spend()) return;
    const share = shares.getStore() ?? '';
    await new Promise<void>((resolve) => {
      const queue = this.#waiting.get(share);
      if (queue) queue.push(resolve);
      else this.#waiting.set(share, [resolve]);
      this.#wait();
    });
  }

  #spend(): boolean {
    const nowMs = elapsedMs();
    const atMs = Math.max(nowMs - BURST_MS, this.#nextMs);
    if (atMs > nowMs) return false;
    this.#nextMs = atMs + this.#everyMs;
    return true;
  }

  #wait(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        while (this.#waiting.size > 0 && this.#spend()) this.#serveNext();
        if (this.#waiting.size > 0) this.#wait();
      },
      // In whole milliseconds, as timers are: a part of one less would be too early.
      Math.max(0, Math.ceil(this.#nextMs - elapsedMs())),
    );
  }

  #serveNext(): void {
    const [share, queue] = this.#waiting.entries().next().value!;
    this.#waiting.delete(share);
    queue.shift()!();
    if (queue.length > 0) this.#waiting.set(share, queue);
  }
}
