import type pg from 'pg';
import { elapsedMs } from '../lib/clock.ts';

interface Statement {
  client: pg.PoolClient;
  patienceMs: number;
  startedMs: number;
}

const LOOK_EVERY_MS = 250;

/**
 * Ends connections whose server no longer answers: a proxy or firewall that drops packets leaves them open for good, and
 * no timeout of the server reaches us. Looks at all statements now and then, because a timer for each would cost more.
 */
export class SilentConnections {
  readonly #running = new Set<Statement>();
  readonly #timer: NodeJS.Timeout;
  #mostMs = Number.POSITIVE_INFINITY;

  constructor() {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  async wait<Result>(
    client: pg.PoolClient,
    patienceMs: number,
    statement: () => Promise<Result>,
  ): Promise<Result> {
    const running = { client, patienceMs, startedMs: elapsedMs() };
    this.#running.add(running);
    try {
      return await statement();
    } finally {
      this.#running.delete(running);
    }
  }

  /** From now on nothing waits longer than this, also what has been waiting for a while. */
  hurry(mostMs: number): void {
    this.#mostMs = mostMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = elapsedMs();
    for (const { client, patienceMs, startedMs } of this.#running)
      if (now - startedMs > Math.min(patienceMs, this.#mostMs)) hangUp(client);
  }
}

/** Whatever runs on the connection fails at once, and so does what is sent after it. */
function hangUp(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } };
  connection.stream.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }));
}
