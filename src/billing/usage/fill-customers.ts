import type { Queryable } from '../../platform/db/database.ts';
import { updateMissingCustomers } from './fill-queries.ts';

const BATCH = 5_000;

/**
 * Gives the records of earlier releases, which named a subscription alone, the customer it belongs to. It walks through
 * the table once, a batch in each statement, and continues where it stopped; several processes take turns.
 */
export async function fillCustomers(db: Queryable, batch = BATCH, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await updateMissingCustomers(db, batch))) {
    // The next batch.
  }
}
