import type { Database } from '../../platform/db/database.ts';
import { DAY_MS, startOfNextUtcMonth } from '../../platform/lib/clock.ts';
import { periodOf } from './period.ts';
import { spansOf } from './spans.ts';
import {
  findSince,
  listBusyProjects,
  lockStandings,
  STANDING_RANGES,
  type Standing,
  updateSince,
  updateStandings,
} from './standing-queries.ts';

/** With fewer payments in a year, comparing all customers is fast enough. */
const MANY = 10_000;
const YEAR_DAYS = 400;

/**
 * Lets the standings of busy projects begin where the ranges of the home page begin today, each in a transaction of its own:
 * what is between the old beginning and the new one is added or taken away. Reading never waits for it.
 */
export async function keepStandings(
  db: Database,
  now: Date,
  many = MANY,
  signal?: AbortSignal,
): Promise<void> {
  const yearAgo = new Date(now.getTime() - YEAR_DAYS * DAY_MS);
  for (const { merchantId, projectId, timeZone, since } of await listBusyProjects(db, yearAgo, many))
    for (const range of STANDING_RANGES) {
      const start = periodOf({ range }, timeZone, now).starts[0]!;
      const known = since[range];
      if (signal?.aborted) return;
      if (known === undefined || Date.parse(known) !== start.getTime())
        await moveStanding(db, { merchantId, projectId, range }, start, now);
    }
}

async function moveStanding(db: Database, standing: Standing, to: Date, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockStandings(tx, standing.merchantId))) return;
    // Nothing is counted for a month that has not begun.
    const from = (await findSince(tx, standing)) ?? startOfNextUtcMonth(startOfNextUtcMonth(now));
    if (from < to) await updateStandings(tx, standing, spansOf(from, to), -1);
    if (to < from) await updateStandings(tx, standing, spansOf(to, from), 1);
    await updateSince(tx, standing, to);
  });
}
