import { parentOf, usedWithChildren } from '../cpu-time.ts';
import type { DayShop } from './open-day-shop.ts';

/** Seconds of processor time that all processes of a day have used since the last look. */
export type ProcessorMeter = () => Promise<number>;

/** The service, PostgreSQL with all it runs, the chain, the receiver and the load. */
export async function processorMeter(shop: DayShop): Promise<ProcessorMeter> {
  const { rows } = await shop.db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = await parentOf(rows[0]!.pid);
  const pids = [shop.service.pid, postmaster, shop.chain.pid, shop.receiver.pid, shop.load.pid];
  const total = async () => {
    const used = await Promise.all(pids.map(usedWithChildren));
    return used.reduce((sum, one) => sum + one, 0);
  };
  let before = await total();
  return async () => {
    const now = await total();
    const used = now - before;
    before = now;
    return Math.max(0, used);
  };
}
