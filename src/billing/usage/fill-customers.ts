import type { Queryable } from '../../platform/db/database.ts';
import { updateMissingCustomers } from './fill-queries.ts';

const BATCH = 5_000;

/**
 * Adds the customer to records of earlier releases that only have a subscription. It walks through the table once, a
 * batch per statement, and continues where it stopped; several processes take turns.
 */
export async function fillCustomers(db: Queryable, batch = BATCH, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await updateMissingCustomers(db, batch))) {
    // The next batch.
  }
}
