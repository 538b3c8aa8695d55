import type pg from 'pg';
import { elapsedMs } from '../lib/clock.ts';

interface Waiting {
  patienceMs: number;
  startedMs: number;
  giveUp(): void;
}

const LOOK_EVERY_MS = 250;

/**
 * Ends connections whose server no longer answers: a proxy or firewall that drops packets leaves them open
 * permanently, and no timeout of the server reaches us. Looks at all that is waited for now and then, because a timer
 * for each would cost more.
 */
export class SilentConnections {
  readonly #running = new Set<Waiting>();
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
    const running = { patienceMs, startedMs: elapsedMs(), giveUp: () => hangUp(client) };
    this.#running.add(running);
    try {
      return await statement();
    } finally {
      this.#running.delete(running);
    }
  }

  /** The same for a connection that is not there yet. One that comes too late goes to the next who wants it. */
  connect(patienceMs: number, connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const giveUp = () => {
        isLate = true;
        reject(silence());
      };
      const running = { patienceMs, startedMs: elapsedMs(), giveUp };
      this.#running.add(running);
      connect()
        .then((client) => (isLate ? client.release() : resolve(client)), reject)
        .finally(() => this.#running.delete(running));
    });
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
    for (const { patienceMs, startedMs, giveUp } of this.#running)
      if (now - startedMs > Math.min(patienceMs, this.#mostMs)) giveUp();
  }
}

/** Fails what runs on the connection immediately, and what is sent after it. */
function hangUp(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } };
  connection.stream.destroy(silence());
}

const silence = () => Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' });
