import type { Queryable } from '../../platform/db/database.ts';
import { foldEntries } from './fold-queries.ts';

const BATCH = 5_000;

/** Adds up what was appended since the last run. Reading never waits for it; it only keeps reading fast. */
export async function foldRevenue(db: Queryable, batch = BATCH, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await foldEntries(db, batch))) {
    // The next batch.
  }
}
