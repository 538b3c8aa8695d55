import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../platform/db/database.ts';
import { hasOlderTransactions } from './closing-queries.ts';

const LOOK_MS = 50;

/**
 * Waits until every transaction that was writing when the merchant was closed has ended. Later ones see that it is
 * closed, so from then on its rows stay as they are.
 */
export async function awaitQuiet(db: Queryable, transactionId: string, tries: number): Promise<void> {
  for (let left = tries; await hasOlderTransactions(db, transactionId); left--) {
    if (left === 0)
      throw new Error(
        'another transaction on this database server has been writing for minutes: try again when it has ended',
      );
    await sleep(LOOK_MS);
  }
}
