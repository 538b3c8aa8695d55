import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPayer, type Pay } from '../../bench/payer.ts';
import type { Written } from './written.ts';

export interface Shop {
  /** Addresses of the API; each try goes to the next of them. */
  urls(): readonly string[];
  apiKey: string;
  /** Address at which intents of this merchant are paid. */
  payoutAddress: string;
  projectId: string;
  priceId: string;
  rpcUrl: string;
}

/** Answers that clients got besides what they requested. */
export interface Answers {
  /** Number of each kind: `200`, `503`, `no answer: …`. */
  counts: Map<string, number>;
  slowestMs: number;
}

export interface ShopLoad {
  /** Everything that clients know is done. */
  acknowledged: Written[];
  answers: Answers;
  /** The longest time in which nothing was acknowledged, of those that ended after this moment. */
  longestGapMs(sinceMs: number): number;
  /** Returns the number of acknowledgements. */
  count(): number;
  /** Waits until there are this many more. */
  more(count: number): Promise<void>;
  /** Ends the load; every request under way is repeated until it is answered. */
  stop(): Promise<void>;
}

/** A shop's own requests come again and again; a pause between them keeps the machine free for others. */
const PAUSE_MS = 120;
/** Time that one of our clients waits. */
const TIMEOUT_MS = 30_000;
export const PRICE_CENTS = 500;

type Act = (name: string) => Promise<void>;

/**
 * A shop that never stops: intents, checkout sessions, usage and payments on chain, each with its idempotency key,
 * repeated until it is answered as a client would. Two clients do each of them.
 */
export async function startShopLoad(shop: Shop): Promise<ShopLoad> {
  const acknowledged: Written[] = [];
  const answers: Answers = { counts: new Map(), slowestMs: 0 };
  const gaps: { endedMs: number; ms: number }[] = [];
  let lastMs = performance.now();
  const note = (one: Written) => {
    const nowMs = performance.now();
    gaps.push({ endedMs: nowMs, ms: nowMs - lastMs });
    lastMs = nowMs;
    acknowledged.push(one);
  };
  const acts = actsOf(shop, new Client(shop, answers), await createPayer(shop.rpcUrl), note);
  let isOver = false;
  const running = acts.flatMap((act, kind) =>
    [0, 1].map(async (number) => {
      for (let n = 0; !isOver; n++) {
        await act(`load-${kind}-${number}-${n}`);
        await sleep(PAUSE_MS);
      }
    }),
  );
  return {
    acknowledged,
    answers,
    longestGapMs: (sinceMs) =>
      Math.max(0, ...gaps.filter(({ endedMs }) => endedMs >= sinceMs).map(({ ms }) => ms)),
    count: () => acknowledged.length,
    async more(count) {
      const enough = acknowledged.length + count;
      while (acknowledged.length < enough) await sleep(20);
    },
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

function actsOf(shop: Shop, client: Client, pay: Pay, note: (one: Written) => void): Act[] {
  const { projectId, priceId, payoutAddress } = shop;
  const createIntent = async (orderId: string) => {
    const body = { amountCents: PRICE_CENTS, orderId };
    const intent = await client.post('/api/merchants/intents', body);
    note({ kind: 'intent', key: orderId, id: intent.id });
    return intent;
  };
  return [
    async (orderId) => {
      await createIntent(orderId);
    },
    async (merchantReference) => {
      const buyer = { externalCustomerId: `customer ${merchantReference}`, mode: 'one_time' };
      const body = { projectId, priceId, merchantReference, ...buyer };
      const session = await client.post('/api/v2/checkout-sessions', body);
      note({ kind: 'session', key: merchantReference, id: session.id });
      note({ kind: 'invoice', key: merchantReference, id: session.invoiceId });
    },
    async (idempotencyKey) => {
      const body = { projectId, metric: 'api.calls', quantity: 1, idempotencyKey };
      const { id } = await client.post('/api/v2/usage', body, {});
      note({ kind: 'usage', key: idempotencyKey, id });
    },
    async (orderId) => {
      const { id, referenceAddress: reference } = await createIntent(orderId);
      const signature = await pay({ id, reference, destination: payoutAddress, cents: PRICE_CENTS });
      note({ kind: 'payment', key: id, id: signature });
    },
  ];
}

/** Fields of the answers; each kind of object has some of them. */
interface Created {
  id: string;
  invoiceId: string;
  referenceAddress: string;
}

/** Repeats a request with the same key until it is answered. */
class Client {
  readonly #shop: Shop;
  readonly #answers: Answers;
  #tries = 0;

  constructor(shop: Shop, answers: Answers) {
    this.#shop = shop;
    this.#answers = answers;
  }

  /** Usage has its key in the body. */
  async post(
    path: string,
    body: object,
    key: Record<string, string> = { 'idempotency-key': randomUUID() },
  ): Promise<Created> {
    for (;;) {
      const startedMs = performance.now();
      const { said, answer, retryAfterSeconds } = await this.#try(path, body, key);
      const { counts } = this.#answers;
      counts.set(said, (counts.get(said) ?? 0) + 1);
      this.#answers.slowestMs = Math.max(this.#answers.slowestMs, performance.now() - startedMs);
      if (answer) return answer;
      await sleep(1_000 * (retryAfterSeconds ?? 0.1));
    }
  }

  async #try(path: string, body: object, key: Record<string, string>) {
    const urls = this.#shop.urls();
    const url = urls[this.#tries++ % urls.length]!;
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#shop.apiKey}`,
          'content-type': 'application/json',
          ...key,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      if (response.ok) return { said: String(response.status), answer: JSON.parse(text) };
      const retryAfter = response.headers.get('retry-after');
      const said = `${response.status}${retryAfter === null ? ` without Retry-After: ${text}` : ''}`;
      return { said, retryAfterSeconds: Number(retryAfter ?? 1) };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      return { said: `no answer: ${cause?.code ?? message}` };
    }
  }
}

/**
 * Returns answers that no client should ever get as long as one process of the API is there: neither success nor
 * `503` with `Retry-After`.
 */
export function unexpected({ counts }: Answers): string[] {
  return [...counts]
    .filter(([said]) => !/^(2\d\d|503)$/.test(said))
    .map(([said, count]) => `${said} (${count} times)`);
}
