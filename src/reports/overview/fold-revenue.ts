import type { Database } from '../../platform/db/database.ts';
import { isBusy, isUnavailable } from '../../platform/db/database-errors.ts';
import { realNow } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { listRetried } from '../../platform/set-aside/queries.ts';
import { FOLD, foldEntries, listUnfolded, lockFold } from './fold-queries.ts';

const BATCH = 5_000;

/**
 * Adds up what was appended since the last run. Reading never waits for it; it only keeps reading fast. Entries of all
 * merchants go together; where that fails, those of each merchant alone, so that only the one at fault waits.
 */
export async function foldRevenue(
  db: Database,
  batch = BATCH,
  { signal, log, now = realNow() }: { signal?: AbortSignal; log?: Logger; now?: Date } = {},
): Promise<void> {
  const again = (await listRetried(db, FOLD, now)).map(({ merchantId }) => merchantId);
  const merchantIds = [...again, ...((await foldTogether(db, batch, signal)) ? [] : await listUnfolded(db))];
  if (merchantIds.length === 0) return;
  await eachAlone({ db, log }, FOLD, now, async (alone) => {
    for (const merchantId of merchantIds)
      if (!signal?.aborted)
        await alone({ merchantId, id: merchantId }, () => foldOf(db, batch, merchantId, signal));
  });
}

/** False if it failed. */
async function foldTogether(db: Database, batch: number, signal?: AbortSignal): Promise<boolean> {
  try {
    while (!signal?.aborted && (await foldEntries(db, batch))) {
      // The next batch.
    }
    return true;
  } catch (error) {
    if (isUnavailable(error) || isBusy(error)) throw error;
    return false;
  }
}

async function foldOf(db: Database, batch: number, merchantId: string, signal?: AbortSignal): Promise<void> {
  const foldSome = () =>
    db.transaction(async (tx) => {
      await lockFold(tx);
      return foldEntries(tx, batch, merchantId);
    });
  while (!signal?.aborted && (await foldSome())) {
    // The next batch.
  }
}
