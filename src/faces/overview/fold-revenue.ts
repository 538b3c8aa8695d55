import type { Database, Queryable } from '../../platform/db/database.ts';
import { fillTotals, foldEntries, hasRecounts, restartRecounts, SOURCES } from './fold-queries.ts';

const BATCH = 5_000;

/** Adds up what was appended since the last run. Reading never waits for it; it only keeps reading fast. */
export async function foldRevenue(db: Queryable, batch = BATCH, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await foldEntries(db, batch))) {
    // The next batch.
  }
}

/** Counts what earlier releases left, or counted otherwise, a batch per statement, and continues where it stopped. */
export async function fillRevenue(db: Database, batch = BATCH, signal?: AbortSignal): Promise<void> {
  if (await hasRecounts(db)) await db.transaction(restartRecounts);
  for (const source of SOURCES)
    while (!signal?.aborted && (await fillTotals(db, source, batch))) {
      // The next batch.
    }
}
