import { randomUUID } from 'node:crypto';
import { Agent, fetch } from 'undici';

export interface PhaseResult {
  requests: number;
  failed: number;
  slowestMs: number;
}

const CLIENTS = 16;

/** Clients that create a payment and read it back, usually from another process. Nothing is tried twice. */
export class Load {
  /** The orders that were acknowledged, with the payment that each has. */
  readonly acknowledged = new Map<string, string>();
  readonly failures: string[] = [];
  readonly #apiKey: string;
  /** Requests go to all of them in turn, as behind a load balancer. */
  readonly #targets: string[];
  readonly #underWay = new Map<string, number>();
  readonly #agent = new Agent({ connections: CLIENTS });
  readonly #clients: Promise<unknown>;
  readonly #waiting = new Set<() => void>();
  #turn = 0;
  #answered = 0;
  #slowestMs = 0;
  #isOver = false;

  constructor(apiKey: string, targets: readonly string[]) {
    this.#apiKey = apiKey;
    this.#targets = [...targets];
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, () => this.#beClient()));
  }

  add(target: string): void {
    this.#targets.push(target);
  }

  /** Sends it nothing more, and waits until it has answered what it got. */
  async drain(target: string): Promise<void> {
    this.#targets.splice(this.#targets.indexOf(target), 1);
    await this.#until(() => !this.#underWay.get(target));
  }

  /** Continues until `work` is over and this many more requests have been answered. */
  async during(work: () => Promise<unknown>, count: number): Promise<PhaseResult> {
    const [answered, failed] = [this.#answered, this.failures.length];
    this.#slowestMs = 0;
    await work();
    await this.#until(() => this.#answered - answered >= count);
    return {
      requests: this.#answered - answered,
      failed: this.failures.length - failed,
      slowestMs: Math.ceil(this.#slowestMs),
    };
  }

  /** Lets what is under way finish. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
    await this.#agent.close();
  }

  async #beClient(): Promise<void> {
    while (!this.#isOver) {
      const orderId = randomUUID();
      const created = await this.#call('POST', '/api/merchants/intents', { amountCents: 100, orderId });
      if (!created) continue;
      this.acknowledged.set(orderId, created.id);
      const read = await this.#call('GET', `/api/merchants/intents/${created.id}`);
      if (read && read.orderId !== orderId) this.failures.push(`${created.id} is another order when read`);
    }
  }

  async #call(method: string, path: string, body?: object): Promise<Intent | undefined> {
    const target = this.#targets[this.#turn++ % this.#targets.length]!;
    this.#underWay.set(target, (this.#underWay.get(target) ?? 0) + 1);
    const startedMs = performance.now();
    try {
      const answer = await fetch(target + path, {
        ...{ method, dispatcher: this.#agent, body: body ? JSON.stringify(body) : null },
        headers: {
          authorization: `Bearer ${this.#apiKey}`,
          ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        },
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      this.failures.push(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.failures.push(`${method} ${path}: ${String((error as Error).cause ?? error)}`);
    } finally {
      this.#answered++;
      this.#underWay.set(target, this.#underWay.get(target)! - 1);
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedMs);
      for (const look of this.#waiting) look();
    }
    return undefined;
  }

  /** Looks whenever a request is answered. */
  #until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}

interface Intent {
  id: string;
  orderId: string;
}
