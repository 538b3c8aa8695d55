import { listWatched } from '../../chain/solana/queries.ts';
import { moveIntents } from '../../money/intents/move-intents.ts';
import { lockDueIntents } from '../../money/intents/queries.ts';
import type { Database } from '../../platform/db/database.ts';

const SLICE = 500;

/**
 * Expires every intent whose time is up with nothing seen, and returns how many; but only where the chain has
 * been read past that very moment, so that silence from a node never counts as silence from the payer. Rows are
 * claimed with SKIP LOCKED: any number of workers share the work and none does it twice.
 */
export async function expireDueIntents(db: Database, now: Date): Promise<number> {
  let expired = 0;
  for (const { destination, readThrough } of await listWatched(db, now)) {
    if (readThrough) expired += await expireAt(db, destination, readThrough < now ? readThrough : now, now);
  }
  return expired;
}

async function expireAt(db: Database, destination: string, readThrough: Date, now: Date): Promise<number> {
  let expired = 0;
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const due = await lockDueIntents(tx, destination, readThrough, SLICE);
      if (due.length > 0) await moveIntents(tx, due, 'expired', now);
      return due.length;
    });
    expired += count;
    if (count < SLICE) return expired;
  }
}
