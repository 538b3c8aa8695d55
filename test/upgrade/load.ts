import { randomUUID } from 'node:crypto';
import { Agent, fetch } from 'undici';

export interface Load {
  /** Requests go to these in turn, as behind a load balancer. */
  targets: string[];
  /** Until `work` is over and this many more requests have been answered. */
  during(work: () => Promise<unknown>, count: number): Promise<PhaseResult>;
  /** Lets what is under way finish. */
  stop(): Promise<void>;
  /** The orders that were acknowledged, with the payment that each has. */
  acknowledged: ReadonlyMap<string, string>;
  failures: readonly string[];
}

export interface PhaseResult {
  requests: number;
  failed: number;
  slowestMs: number;
}

/** Clients that create a payment and read it back, usually from another process. Nothing is tried twice. */
export function startLoad(apiKey: string, targets: string[], clients = 16): Load {
  const agent = new Agent({ connections: clients });
  const acknowledged = new Map<string, string>();
  const failures: string[] = [];
  let answered = 0;
  let slowestMs = 0;
  let turn = 0;
  let isOver = false;
  const waiting = new Set<() => void>();

  async function call(
    method: string,
    path: string,
    body?: object,
  ): Promise<Record<string, unknown> | undefined> {
    const url = load.targets[turn++ % load.targets.length]! + path;
    const startedMs = performance.now();
    try {
      const answer = await fetch(url, {
        ...{ method, dispatcher: agent, body: body ? JSON.stringify(body) : null },
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        },
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      failures.push(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${method} ${path}: ${String((error as Error).cause ?? error)}`);
    } finally {
      answered++;
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      for (const wake of waiting) wake();
    }
    return undefined;
  }

  async function beClient(): Promise<void> {
    while (!isOver) {
      const orderId = randomUUID();
      const created = await call('POST', '/api/merchants/intents', { amountCents: 100, orderId });
      if (!created) continue;
      acknowledged.set(orderId, created.id as string);
      const read = await call('GET', `/api/merchants/intents/${created.id}`);
      if (read && read.orderId !== orderId) failures.push(`${created.id} is another order when it is read`);
    }
  }

  const load: Load = {
    targets,
    acknowledged,
    failures,
    async during(work, count) {
      const [answeredBefore, failedBefore] = [answered, failures.length];
      slowestMs = 0;
      await work();
      await new Promise<void>((resolve) => {
        const look = () => {
          if (answered - answeredBefore < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
      return {
        requests: answered - answeredBefore,
        failed: failures.length - failedBefore,
        slowestMs: Math.ceil(slowestMs),
      };
    },
    async stop() {
      isOver = true;
      await running;
      await agent.close();
    },
  };
  const running = Promise.all(Array.from({ length: clients }, beClient));
  return load;
}
