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
  /** Returns the reason why nothing can be written, if there is one: no traffic should come until then. */
  writeProblem?(): string | undefined;
}

/** A commit that takes longer hangs: callers have given up by then. */
const COMMIT_HANGS_MS = 5_000;

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
  metrics.gauge(
    'florin_database_commit_seconds',
    'How long the write that this process makes every 2 seconds has been under way.',
    () => mark.writingMs() / 1000,
  );
  const writeProblem = () => {
    const ms = mark.writingMs();
    return ms > COMMIT_HANGS_MS
      ? `the database has not committed a write for ${Math.round(ms / 1000)} s`
      : undefined;
  };
  return { problem: mark.problem, writeProblem, check: saidOnce(mark.check, writeProblem, log) };
}

/** The look itself hangs while a commit does, so that another timer has to say so. */
function saidOnce(check: () => Promise<void>, writeProblem: () => string | undefined, log: Logger) {
  let isSaid = false;
  function say() {
    const problem = writeProblem();
    if (problem === undefined || isSaid) return;
    isSaid = true;
    log.error(
      `${problem}: look at its disk, its locks, and the standbys that must confirm a commit (synchronous_standby_names)`,
    );
  }
  return async () => {
    const watching = setInterval(say, 1_000);
    try {
      await check();
      if (isSaid && writeProblem() === undefined) {
        log.warn('the database commits writes again');
        isSaid = false;
      }
    } finally {
      clearInterval(watching);
    }
  };
}

/** All of them as one: the first problem is the problem. */
export function watchAll(watched: readonly Watched[]): Watched {
  return {
    async check() {
      await Promise.all(watched.map((each) => each.check()));
    },
    problem: () => firstOf(watched.map((each) => each.problem())),
    writeProblem: () => firstOf(watched.map((each) => each.writeProblem?.())),
  };
}

const firstOf = (problems: readonly (string | undefined)[]) =>
  problems.find((problem) => problem !== undefined);
