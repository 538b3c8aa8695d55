import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '../memory.ts';
import type { FinalPayment } from './mix.ts';
import { type DayShop, read } from './open-day-shop.ts';

/** The length of everything that waits, at one moment. */
export type Queues = Record<string, number>;

export interface DaySample {
  atMs: number;
  memoryMb: number;
  /** The JavaScript objects among it. */
  heapMb: number;
  queues: Queues;
}

export interface DayWatch {
  samples: DaySample[];
  finals: FinalPayment[];
  /** Everything that waits right now. */
  look(): Promise<Queues>;
  stop(): Promise<void>;
}

const EVERY_MS = 5_000;

/** Looks at memory and at every queue again and again. */
export function watchDay(shop: DayShop): DayWatch {
  const samples: DaySample[] = [];
  const finals: FinalPayment[] = [];
  const unsettled = new Set<string>();
  let looking: Promise<Queues> | undefined;
  let metrics = '';
  const metric = (name: string) => Number(new RegExp(`^${name}\\S* (\\S+)`, 'm').exec(metrics)?.[1]);
  const lookOnce = async () => {
    const [state, { rows }] = await Promise.all([
      read<LoadState>(`${shop.load.url}/state?from=${finals.length}`),
      shop.onlooker.query<Queues>({ name: 'queues', text: WAITING }),
    ]);
    metrics = await (await fetch(`${shop.service.url}/metrics`)).text();
    finals.push(...state.finals);
    for (const { intentId } of state.finals) unsettled.add(intentId);
    await forgetSettled(shop, unsettled);
    const queues: Queues = {
      ...rows[0]!,
      'final payments not settled': unsettled.size,
      'requests under way': state.underWay,
      'waiting for a connection': metric('florin_database_connections_waiting'),
    };
    return queues;
  };
  // One at a time, so that no payment is counted twice.
  const look = () => {
    looking = (looking ?? Promise.resolve()).then(lookOnce, lookOnce);
    return looking;
  };
  let isStopping = false;
  const running = (async () => {
    while (!isStopping) {
      const [memoryMb, queues] = await Promise.all([residentMb(shop.service.pid), look()]);
      const heapMb = metric('florin_heap_used_bytes') / 2 ** 20;
      samples.push({ atMs: performance.now(), memoryMb, heapMb, queues });
      await sleep(EVERY_MS);
    }
  })();
  return {
    samples,
    finals,
    look,
    async stop() {
      isStopping = true;
      await running;
    },
  };
}

interface LoadState {
  underWay: number;
  finals: FinalPayment[];
}

async function forgetSettled({ onlooker }: DayShop, unsettled: Set<string>): Promise<void> {
  if (unsettled.size === 0) return;
  const { rows } = await onlooker.query<{ id: string }>({
    name: 'settled',
    text: `select id from payment_intents where id = any($1::uuid[]) and status = 'succeeded'`,
    values: [[...unsettled]],
  });
  for (const { id } of rows) unsettled.delete(id);
}

const WAITING = `
  select (select count(*)::int from undispatched_events) as "events without deliveries",
         (select count(*)::int from webhook_deliveries where next_attempt_at <= now()) as "webhooks due",
         (select count(*)::int from emails where next_attempt_at <= now()) as "e-mails due",
         (select count(*)::int from subscriptions where next_step_at <= now()) as "renewals due",
         (select count(*)::int from payment_intents where status = 'pending' and expires_at <= now()) as "intents to expire",
         (select count(*)::int from revenue_entries) as "revenue not added up"`;

/** All of these are empty once everything is done; what is under way includes pages that are only looked at. */
export function isDone(queues: Queues): boolean {
  return Object.values(queues).every((length) => length === 0);
}
