import { parentOf, usedWithChildren } from '../cpu-time.ts';
import type { DayShop } from './open-day-shop.ts';

const PARTS = ['service', 'database', 'chain', 'receiver', 'load'] as const;

/** Seconds of processor time that the processes of a day have used since the last look. */
export type ProcessorMeter = () => Promise<Record<(typeof PARTS)[number], number>>;

/** The service, PostgreSQL with all it runs, the chain, the receiver and the load. */
export async function processorMeter(shop: DayShop): Promise<ProcessorMeter> {
  const { rows } = await shop.db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const database = await parentOf(rows[0]!.pid);
  const pids = { database, service: shop.service.pid, chain: shop.chain.pid } as const;
  const all = { ...pids, receiver: shop.receiver.pid, load: shop.load.pid };
  const totals = () => Promise.all(PARTS.map((part) => usedWithChildren(all[part])));
  let before = await totals();
  return async () => {
    const now = await totals();
    const used = now.map((seconds, i) => Math.max(0, seconds - before[i]!));
    before = now;
    return Object.fromEntries(PARTS.map((part, i) => [part, used[i]!])) as Awaited<
      ReturnType<ProcessorMeter>
    >;
  };
}

export const sumOf = (used: Awaited<ReturnType<ProcessorMeter>>) =>
  Object.values(used).reduce((sum, seconds) => sum + seconds, 0);
