import { AsyncLocalStorage } from 'node:async_hooks';
import { elapsedMs } from '../../platform/lib/clock.ts';

interface Share {
  name: string;
  isUrgent: boolean;
}

const shares = new AsyncLocalStorage<Share>();

/**
 * Every call that `work` makes counts towards this share (an account, say), which takes turns with all others. Urgent
 * is what a customer waits for: it goes first.
 */
export function inShareOf<Result>(
  name: string,
  work: () => Promise<Result>,
  { isUrgent = false } = {},
): Promise<Result> {
  return shares.run({ name, isUrgent }, work);
}

/** How long unused calls can accumulate for a burst. */
const BURST_MS = 1_000;
/** While both wait, one call in so many is for what is not urgent. */
const NOT_URGENT_EACH = 4;

/** What waits, by share, whose turn is next first. */
type Waiting = Map<string, (() => void)[]>;

/**
 * Spreads calls over time. If more are requested than allowed, the shares take turns, one call each: a share with
 * thousands of calls only delays itself.
 */
export class FairBudget {
  readonly #everyMs: number;
  readonly #urgent: Waiting = new Map();
  readonly #others: Waiting = new Map();
  #served = 0;
  #nextMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxPerSecond: number) {
    this.#everyMs = 1_000 / maxPerSecond;
  }

  async take(): Promise<void> {
    if (!this.#isAnyWaiting() && this.#spend()) return;
    const { name, isUrgent } = shares.getStore() ?? { name: '', isUrgent: false };
    const waiting = isUrgent ? this.#urgent : this.#others;
    await new Promise<void>((resolve) => {
      const queue = waiting.get(name);
      if (queue) queue.push(resolve);
      else waiting.set(name, [resolve]);
      this.#wait();
    });
  }

  #isAnyWaiting(): boolean {
    return this.#urgent.size + this.#others.size > 0;
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
    const isOthersTurn = this.#others.size > 0 && ++this.#served % NOT_URGENT_EACH === 0;
    const waiting = this.#urgent.size > 0 && !isOthersTurn ? this.#urgent : this.#others;
    const [share, queue] = waiting.entries().next().value!;
    waiting.delete(share);
    queue.shift()!();
    if (queue.length > 0) waiting.set(share, queue);
  }
}
