import type { Database } from '../../platform/db/database.ts';
import { addDays, startOfNextUtcMonth } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { periodOf } from './period.ts';
import { spansOf } from './spans.ts';
import {
  type BusyProject,
  findSince,
  listBusyProjects,
  lockStandings,
  STANDING_RANGES,
  STANDINGS,
  type Standing,
  updateSince,
  updateStandings,
} from './standing-queries.ts';

/** Payments in a year below which comparing all customers is fast enough. */
const MANY = 10_000;
const YEAR_DAYS = 400;

/**
 * Lets the standings of busy projects begin where the ranges of the home page begin today, each in a transaction of its own:
 * what is between the old beginning and the new one is added or taken away. Reading never waits for it.
 */
export function keepStandings(
  db: Database,
  now: Date,
  many = MANY,
  { signal, log }: { signal?: AbortSignal; log?: Logger } = {},
): Promise<void> {
  const since = addDays(now, -YEAR_DAYS);
  return eachAlone({ db, log }, STANDINGS, now, async (alone) => {
    for (const project of await listBusyProjects(db, { since, now }, many)) {
      if (signal?.aborted) return;
      await alone({ merchantId: project.merchantId, id: project.projectId }, () => keepOne(db, project, now));
    }
  });
}

async function keepOne(
  db: Database,
  { merchantId, projectId, timeZone, since }: BusyProject,
  now: Date,
): Promise<void> {
  for (const range of STANDING_RANGES) {
    const start = periodOf({ range }, timeZone, now).starts[0]!;
    const known = since[range];
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
