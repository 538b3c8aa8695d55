import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../rounds.ts';

/** Something that happens so often, whether or not what came before has been answered. */
export interface Arrivals {
  path: string;
  perSecond: number;
  /** `dueMs` is when it was to begin, on `performance.now()`'s clock. */
  act(dueMs: number, n: number): Promise<void>;
}

export interface PathTimes {
  count: number;
  errors: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/** Durations by path, counted from the moment the work was due: waiting for its turn counts. */
export class Times {
  readonly ms = new Map<string, number[]>();
  readonly errors = new Map<string, string[]>();

  note(path: string, ms: number): void {
    const known = this.ms.get(path);
    if (known) known.push(ms);
    else this.ms.set(path, [ms]);
  }

  fail(path: string, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const known = this.errors.get(path);
    if (known) known.push(text);
    else this.errors.set(path, [text]);
  }

  /** A step of `path` that was due at `dueMs`; what it throws is counted, and ends what it belongs to. */
  async take<Result>(path: string, dueMs: number, step: () => Promise<Result>): Promise<Result> {
    try {
      const result = await step();
      this.note(path, performance.now() - dueMs);
      return result;
    } catch (error) {
      this.fail(path, error);
      throw new Counted();
    }
  }

  summary(): Record<string, PathTimes> {
    const paths = new Set([...this.ms.keys(), ...this.errors.keys()]);
    return Object.fromEntries([...paths].map((path) => [path, this.summaryOf(path)]));
  }

  private summaryOf(path: string): PathTimes {
    const ms = this.ms.get(path) ?? [];
    const at = (percent: number) => (ms.length > 0 ? percentile(ms, percent) : 0);
    const errors = this.errors.get(path)?.length ?? 0;
    return { count: ms.length, errors, p50Ms: at(50), p95Ms: at(95), p99Ms: at(99) };
  }
}

/** An error that is counted already. */
export class Counted extends Error {}

/**
 * Begins everything when it is due, for so many seconds, and resolves when all of it has ended. Nothing waits for an
 * answer to something else, so a slow service does not slow its own callers down.
 */
export async function keepRates(
  arrivals: readonly Arrivals[],
  seconds: number,
  { times, lateMs }: { times: Times; lateMs: number[] },
): Promise<void> {
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const begun: Promise<void>[] = [];
  const begin = async ({ path, act }: Arrivals, dueMs: number, n: number) => {
    try {
      await act(dueMs, n);
    } catch (error) {
      if (!(error instanceof Counted)) times.fail(path, error);
    }
  };
  // Each begins at another moment of its first turn, so that they do not all come at once.
  const turns = arrivals.map((one, i) => ({ one, n: 0, offset: (i * 0.618) % 1 }));
  for (;;) {
    // At the end too, everything that was due by then is begun, however late it has become.
    const nowMs = Math.min(performance.now(), endMs);
    let nextMs = endMs;
    for (const turn of turns) {
      const dueAt = () => startMs + ((turn.n + turn.offset) * 1000) / turn.one.perSecond;
      for (let dueMs = dueAt(); dueMs <= nowMs; dueMs = dueAt()) {
        lateMs.push(performance.now() - dueMs);
        begun.push(begin(turn.one, dueMs, turn.n++));
      }
      nextMs = Math.min(nextMs, dueAt());
    }
    if (nowMs === endMs) break;
    await sleep(Math.max(1, nextMs - performance.now()));
  }
  await Promise.all(begun);
}
