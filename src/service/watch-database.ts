import { type Config, markFileOf } from '../config/config.ts';
import { openClockWatch } from '../platform/db/clock-watch.ts';
import type { Database } from '../platform/db/database.ts';
import { openHighWaterMark } from '../platform/db/high-water-mark.ts';
import { realNow } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/lib/metrics.ts';

/** Condition that a process watches: it decides and changes nothing while something is wrong with it. */
export interface Watched {
  check(): Promise<void>;
  /** Returns the reason why nothing should be decided now, if there is one. */
  problem(): string | undefined;
}

/** Looks at once, so that no time that this process writes down is wrong. */
export async function watchClocks(db: Database, log: Logger, metrics: Metrics): Promise<Watched> {
  const clocks = openClockWatch(db, (problem) => log.error(problem));
  await clocks.check();
  metrics.gauge(
    'florin_clock_difference_seconds',
    "How far this machine's clock is ahead of the database's.",
    clocks.differenceSeconds,
  );
  return clocks;
}

/** Looks at once, so that a process which starts on a database that went back takes no traffic at all. */
export async function watchMark(
  config: Config,
  db: Database,
  log: Logger,
  metrics: Metrics,
): Promise<Watched> {
  const mark = await openHighWaterMark({
    db,
    file: markFileOf(config),
    now: realNow,
    say: (problem) => log.error(problem),
  });
  await mark.check();
  metrics.gauge(
    'florin_database_went_back',
    '1 while the database lacks writes that it had acknowledged.',
    () => (mark.problem() === undefined ? 0 : 1),
  );
  return mark;
}

/** All of them as one: the first problem is the problem. */
export function watchAll(watched: readonly Watched[]): Watched {
  return {
    async check() {
      await Promise.all(watched.map((each) => each.check()));
    },
    problem() {
      for (const each of watched) {
        const problem = each.problem();
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
  };
}
