import { AppError, limitReached } from './errors.ts';

export interface TurnstileRule {
  /** Number of pieces of work done at the same time. */
  atOnce: number;
  /** The same of one name. */
  atOnceOf: number;
  /** Number of pieces that may wait; one more is refused. */
  waiting: number;
  /** The same of one name. */
  waitingOf: number;
}

const RETRY_SECONDS = 2;

/**
 * Work that strangers can ask for as often as they like, done a few at a time: what waits here holds no connection to the
 * database. Names take turns, so those who ask a lot wait for themselves.
 */
export class Turnstile {
  readonly #rule: TurnstileRule;
  readonly #running = new Map<string, number>();
  /** Keys of those who wait; the next comes first. */
  readonly #lines = new Map<string, (() => void)[]>();
  #countRunning = 0;
  #countWaiting = 0;

  constructor(rule: TurnstileRule) {
    this.#rule = rule;
  }

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isFree(name)) this.#enter(name);
    else await this.#wait(name);
    try {
      return await work();
    } finally {
      this.#leave(name);
    }
  }

  #isFree(name: string): boolean {
    const { atOnce, atOnceOf } = this.#rule;
    return this.#countRunning < atOnce && (this.#running.get(name) ?? 0) < atOnceOf;
  }

  #enter(name: string): void {
    this.#countRunning++;
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
  }

  #wait(name: string): Promise<void> {
    const { waiting, waitingOf } = this.#rule;
    const line = this.#lines.get(name) ?? [];
    if (line.length >= waitingOf) throw limitReached(waitingOf, RETRY_SECONDS);
    if (this.#countWaiting >= waiting)
      throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS });
    this.#countWaiting++;
    this.#lines.set(name, line);
    return new Promise((resolve) => line.push(resolve));
  }

  #leave(name: string): void {
    this.#countRunning--;
    const left = this.#running.get(name)! - 1;
    if (left > 0) this.#running.set(name, left);
    else this.#running.delete(name);
    for (const next of [...this.#lines.keys()]) if (this.#isFree(next)) this.#admit(next);
  }

  /** A name that has had a turn comes last. */
  #admit(name: string): void {
    const line = this.#lines.get(name)!;
    const start = line.shift()!;
    this.#lines.delete(name);
    if (line.length > 0) this.#lines.set(name, line);
    this.#countWaiting--;
    this.#enter(name);
    start();
  }
}
