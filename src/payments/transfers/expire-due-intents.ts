import { listWatched } from '../../chain/solana/queries.ts';
import type { Intent } from '../../intents/intent.ts';
import { moveIntents } from '../../intents/move-intents.ts';
import { INTENTS_TO_EXPIRE, listDueIntents, lockDueIntents } from '../../intents/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { isUnavailable } from '../../platform/db/database-errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { type Alone, eachAlone } from '../../platform/set-aside/each-alone.ts';

const SLICE = 500;

/**
 * Expires every intent whose time is up with nothing seen, and returns how many; but only where the chain has
 * been read past that very moment, so that silence from a node never counts as silence from the payer. Rows are
 * claimed with SKIP LOCKED: any number of workers share the work and none does it twice.
 */
export function expireDueIntents(db: Database, now: Date, log?: Logger): Promise<number> {
  return eachAlone({ db, log }, INTENTS_TO_EXPIRE, now, async (alone) => {
    let expired = 0;
    for (const { destination, readThrough } of await listWatched(db, now)) {
      const through = readThrough && (readThrough < now ? readThrough : now);
      if (through) expired += await expireAt(db, { destination, through, now }, alone);
    }
    return expired;
  });
}

interface Due {
  destination: string;
  /** The chain has been read up to here. */
  through: Date;
  now: Date;
}

/** Expires intents in slices; if one fails, each of its intents alone, so that only the one at fault waits. */
async function expireAt(db: Database, due: Due, alone: Alone): Promise<number> {
  let expired = 0;
  for (;;) {
    const together = expireSlice(db, due).then(async (intents) => {
      await alone.succeeded(intents);
      return { listed: intents.length, moved: intents.length };
    });
    const { listed, moved } = await together.catch(async (error: unknown) => {
      if (isUnavailable(error)) throw error;
      const refs = await listDueIntents(db, due, SLICE);
      let moved = 0;
      for (const ref of refs) {
        const slice = await alone(ref, () => expireSlice(db, { ...due, only: ref.id }));
        moved += slice?.length ?? 0;
      }
      return { listed: refs.length, moved };
    });
    expired += moved;
    if (listed < SLICE) return expired;
  }
}

async function expireSlice(db: Database, due: Due & { only?: string }): Promise<Intent[]> {
  return db.transaction(async (tx) => {
    const intents = await lockDueIntents(tx, due, SLICE);
    if (intents.length > 0) await moveIntents(tx, intents, 'expired', due.now);
    return intents;
  });
}
