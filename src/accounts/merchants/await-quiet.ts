import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../platform/db/database.ts';
import { findNewestTransaction, hasTransactionBefore } from './closing-queries.ts';

const LOOK_MS = 50;
/** For two minutes. */
const TRIES = 2_400;

/**
 * Waits until every transaction that is writing now has ended. Called after the merchant was closed: a later one sees
 * that, so from then on the merchant's rows stay as they are.
 */
export async function awaitQuiet(db: Queryable, tries = TRIES): Promise<void> {
  const taken = await findNewestTransaction(db);
  for (let left = tries; await hasTransactionBefore(db, taken); left--) {
    if (left === 0)
      throw new Error(
        'another transaction on this database server has been writing for minutes: try again when it has ended',
      );
    await sleep(LOOK_MS);
  }
}
