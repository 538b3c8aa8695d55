import { AsyncLocalStorage } from 'node:async_hooks';
import { elapsedMs } from './clock.ts';
import { AppError } from './errors.ts';

/** With what is left for a last try, a request has its answer within ten seconds. */
export const REQUEST_PATIENCE_MS = 8_000;
const LEAST_PATIENCE_MS = 500;

/**
 * Shortens the wait for a connection or a statement by what a caller has waited before: together they must be over in
 * time.
 */
export function patienceLeft(patienceMs: number, waitedMs: number): number {
  return Math.max(patienceMs - waitedMs, Math.min(patienceMs, LEAST_PATIENCE_MS));
}

/**
 * How long a request has waited for the database by now: in a batch's queue, for a connection and for statements. All of
 * it has to be over in time, whatever it is made of. What it waits for elsewhere, such as the chain, does not count.
 */
export class RequestWait {
  #beforeMs: number;
  #underWay = 0;
  #sinceMs = 0;
  /** Once it has begun, what the request has set off continues, and nobody waits for that. */
  readonly #answer: { readonly headersSent: boolean } | undefined;

  constructor(beforeMs = 0, answer?: { readonly headersSent: boolean }) {
    this.#beforeMs = beforeMs;
    this.#answer = answer;
  }

  get ms(): number {
    if (this.#answer?.headersSent) return 0;
    return this.#underWay === 0 ? this.#beforeMs : this.#beforeMs + elapsedMs() - this.#sinceMs;
  }

  /** Waits at the same time count once. */
  begin(): void {
    if (this.#underWay++ === 0) this.#sinceMs = elapsedMs();
  }

  end(): void {
    if (--this.#underWay === 0) this.#beforeMs += elapsedMs() - this.#sinceMs;
  }

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.begin();
    try {
      return await work();
    } finally {
      this.end();
    }
  }
}

const waits = new AsyncLocalStorage<RequestWait | undefined>();

/** Wait of the current request, if there is one. */
export const currentWait = () => waits.getStore();

/** Runs `work` so that its waits count for this request, or for none. */
export function waitedForBy<Result>(wait: RequestWait | undefined, work: () => Result): Result {
  return waits.run(wait, work);
}

/**
 * Waits for work that is done for several requests together: `enter` adds this request's part and returns how it is taken back.
 * A request whose patience is over is answered; the work continues for the others, and for the same request when it is repeated.
 */
export function shareWait<Result>(enter: (share: Share<Result>) => () => void): Promise<Result> {
  const wait = waits.getStore();
  return new Promise<Result>((resolve, reject) => {
    if (!wait) return void enter({ resolve, reject });
    const sharing: Sharing = {
      untilMs: elapsedMs() + patienceLeft(REQUEST_PATIENCE_MS, wait.ms),
      giveUp() {
        leave();
        const detail = 'the work that this request shares with others takes too long';
        share.reject(new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, detail }));
      },
    };
    const over = () => {
      if (shared.delete(sharing)) wait.end();
    };
    const share: Share<Result> = {
      resolve(result) {
        over();
        resolve(result);
      },
      reject(error) {
        over();
        reject(error);
      },
    };
    wait.begin();
    lookAfter(sharing);
    const leave = enter(share);
  });
}

/** How the part of one request ends. */
export interface Share<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Sharing {
  untilMs: number;
  giveUp(): void;
}

const LOOK_EVERY_MS = 250;
const shared = new Set<Sharing>();
let looking: NodeJS.Timeout | undefined;

/** All of them are looked at now and then, because a timer for each would cost more. */
function lookAfter(sharing: Sharing): void {
  shared.add(sharing);
  looking ??= setInterval(() => {
    const nowMs = elapsedMs();
    for (const one of shared) if (nowMs > one.untilMs) one.giveUp();
    if (shared.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  }, LOOK_EVERY_MS);
}

/** Counts this as waiting, if a request waits. */
export function countWait<Result>(work: () => Promise<Result>): Promise<Result> {
  const wait = waits.getStore();
  return wait ? wait.during(work) : work();
}
