import { AsyncLocalStorage } from 'node:async_hooks';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { Turns } from '../../platform/lib/turns.ts';

interface Share {
  path: readonly string[];
  isUrgent: boolean;
}

const shares = new AsyncLocalStorage<Share>();

/**
 * Every call that `work` makes counts towards this share (an account, say), which takes turns with all others. A share can be
 * a part of another one (a client of a merchant): then it takes turns with the other parts in the turns of the whole. Urgent
 * is what a customer waits for: it goes first.
 */
export function inShareOf<Result>(
  share: string | readonly string[],
  work: () => Promise<Result>,
  { isUrgent = false } = {},
): Promise<Result> {
  return shares.run({ path: typeof share === 'string' ? [share] : share, isUrgent }, work);
}

/** How long unused calls can accumulate for a burst. */
const BURST_MS = 1_000;
/** While both wait, one call in so many is for what is not urgent. */
const NOT_URGENT_EACH = 4;

/**
 * Spreads calls over time. If more are requested than allowed, the shares take turns, one call each: a share with
 * thousands of calls only delays itself.
 */
export class FairBudget {
  readonly #everyMs: number;
  readonly #urgent = new Turns<() => void>();
  readonly #others = new Turns<() => void>();
  #served = 0;
  #nextMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxPerSecond: number) {
    this.#everyMs = 1_000 / maxPerSecond;
  }

  async take(): Promise<void> {
    if (!this.#isAnyWaiting() && this.#spend()) return;
    const { path, isUrgent } = shares.getStore() ?? { path: [''], isUrgent: false };
    await new Promise<void>((resolve) => {
      (isUrgent ? this.#urgent : this.#others).add(path, resolve);
      this.#wait();
    });
  }

  #isAnyWaiting(): boolean {
    return !this.#urgent.isEmpty || !this.#others.isEmpty;
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
        while (this.#isAnyWaiting() && this.#spend()) this.#serveNext();
        if (this.#isAnyWaiting()) this.#wait();
      },
      // In whole milliseconds, as timers are: a part of one less would be too early.
      Math.max(0, Math.ceil(this.#nextMs - elapsedMs())),
    );
  }

  #serveNext(): void {
    const isOthersTurn = !this.#others.isEmpty && ++this.#served % NOT_URGENT_EACH === 0;
    const waiting = this.#urgent.isEmpty || isOthersTurn ? this.#others : this.#urgent;
    waiting.next()?.();
  }
}
