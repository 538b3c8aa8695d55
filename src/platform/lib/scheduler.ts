import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Loop {
  /** Read by people, in logs, metrics and traces. */
  name: string;
  everyMs: number;
  /** After a failure; as after a success, if it is not given. */
  retryMs?: number;
  /** One run; a long one checks `signal` between its steps. */
  run(signal: AbortSignal): Promise<unknown>;
  succeeded?(): void;
  /** Not called for what fails because it is stopped. */
  failed(error: unknown): void;
}

/** Runs loops until it is stopped, each at its own pace: a slow one keeps no other waiting. */
export class Scheduler {
  readonly #stopping = new AbortController();
  readonly #loops = new Map<string, Promise<void>>();

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  start(loop: Loop): void {
    assert(!this.#loops.has(loop.name), `two loops have the name ${loop.name}`);
    this.#loops.set(loop.name, this.#repeat(loop));
  }

  /** Waits for the runs in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops.values());
  }

  async #repeat({ everyMs, retryMs = everyMs, run, succeeded, failed }: Loop): Promise<void> {
    const { signal } = this;
    while (!signal.aborted) {
      let waitMs = everyMs;
      try {
        await run(signal);
        succeeded?.();
      } catch (error) {
        waitMs = retryMs;
        if (!signal.aborted) failed(error);
      }
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
