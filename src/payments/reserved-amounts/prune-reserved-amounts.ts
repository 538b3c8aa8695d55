import type { Database } from '../../platform/db/database.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { deleteEnded, updateEnded } from './queries.ts';

/** Exchanges hold withdrawals back, and people pay again what they have paid before: until then it names the old order. */
export const QUARANTINE_DAYS = 30;
const SLICE = 1_000;

/** Frees the amounts of orders that ended long ago. The quarantine begins when this first finds that an order has ended. */
export async function pruneReservedAmounts(db: Database, now: Date): Promise<number> {
  await db.transaction((tx) => updateEnded(tx, now));
  const before = new Date(now.getTime() - QUARANTINE_DAYS * DAY_MS);
  let pruned = 0;
  for (let count = SLICE; count === SLICE; pruned += count)
    count = await db.transaction((tx) => deleteEnded(tx, before, SLICE));
  return pruned;
}
