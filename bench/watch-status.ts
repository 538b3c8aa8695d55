import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchedShop } from './watched-shop.ts';

const LOOK_MS = 20;

/** Looks again and again which intents have come to a status, which `condition` says in SQL. */
export function watchStatus({ onlooker }: WatchedShop, condition: string) {
  const waiting = new Map<string, (ms: number) => void>();
  let isStopping = false;
  const running = (async () => {
    for (; !isStopping; await sleep(LOOK_MS)) {
      if (waiting.size === 0) continue;
      const { rows } = await onlooker.query({
        name: 'status',
        text: `select id from payment_intents where id = any($1::uuid[]) and ${condition}`,
        values: [[...waiting.keys()]],
      });
      for (const { id } of rows) {
        waiting.get(id)!(performance.now());
        waiting.delete(id);
      }
    }
  })();
  return {
    seenAt: (id: string) => new Promise<number>((resolve) => waiting.set(id, resolve)),
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
