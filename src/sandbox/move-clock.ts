import { setTimeout as sleep } from 'node:timers/promises';
import { LOCKS, tryAlone } from '../platform/db/advisory-locks.ts';
import type { Database } from '../platform/db/database.ts';
import { readClockOffset, storeClockOffset } from '../platform/db/installation.ts';
import { type Clock, realNow } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import { shareWithPeers } from '../platform/lib/peers.ts';
import { findNextMoment } from './queries.ts';

/** Adopts the sandbox's time offset; every process does so regularly. */
export async function followClock(db: Database, clock: Clock): Promise<void> {
  clock.setOffsetMs(await readClockOffset(db));
}

export interface ClockMoverParts {
  db: Database;
  clock: Clock;
  log: Logger;
  /** Runs every step that has become due, and answers when all have. */
  runDue(): Promise<void>;
}

export interface ClockMover {
  /** Returns the time that this process is advancing to; null if it is not. */
  advancingTo(): Date | null;
  /** Moves time to `goal` of the current time, after all earlier requests. */
  move(goal: (now: Date) => Date): Promise<void>;
}

/**
 * Moves the service's time forward, from one due moment to the next, so that everything happens in order, as if time
 * had passed. It never moves back, and only one advance runs at a time, across processes: a second one waits for its
 * turn.
 */
export function clockMover(parts: ClockMoverParts): ClockMover {
  const { db, clock } = parts;
  // One that misses it follows a second later.
  const tellMoved = shareWithPeers<null>('sandbox clock', () => void followClock(db, clock).catch(() => {}));
  let goingTo: Date | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function advance(goal: (now: Date) => Date): Promise<void> {
    await alone(db, async () => {
      await followClock(db, clock);
      const to = goal(clock.now());
      goingTo = to;
      await stepTo(parts, to);
    }).finally(() => {
      goingTo = null;
      tellMoved(null);
    });
  }

  return {
    advancingTo: () => goingTo,
    move(goal) {
      const turn = last.then(() => advance(goal));
      last = turn.catch(() => {});
      return turn;
    },
  };
}

const LOOK_MS = 100;

/** Only one process moves the time; one that dies lets go of it. */
async function alone(db: Database, work: () => Promise<void>): Promise<void> {
  while (!(await tryAlone(db, LOCKS.sandboxClock, work))) await sleep(LOOK_MS);
}

/** A line in the log for every tenth of the way. */
const REPORT_EVERY = 10;

async function stepTo({ db, clock, log, runDue }: ClockMoverParts, to: Date): Promise<void> {
  const from = clock.now();
  let reported = 0;
  // Work that falls due during a step comes next, however slow the step; the search continues from `covered`, not
  // from the present.
  let covered = from;
  for (let steps = 1; ; steps++) {
    const moment = await findNextMoment(db, covered);
    const next = moment && new Date(moment.getTime() + SETTLED_MS);
    const isLast = !next || next >= to;
    const reached = isLast ? to : next;
    await setClock(db, clock, reached);
    covered = clock.now();
    await runDue();
    // A single step has no progress to report.
    const percent = isLast ? 100 : Math.floor((100 * (+reached - +from)) / (+to - +from));
    if (steps > 1 && percent >= reported + REPORT_EVERY) {
      log.info({ reached, to, steps, percent }, 'sandbox clock: advancing');
      reported = percent;
    }
    if (isLast) return;
  }
}

/** Block times are whole seconds: only a moment later has the chain certainly been read past this one. */
const SETTLED_MS = 1_000;

/** A moment that has passed while things were slow is reached already: time never goes back. */
async function setClock(db: Database, clock: Clock, to: Date): Promise<void> {
  if (to <= clock.now()) return;
  await storeClockOffset(db, to.getTime() - realNow().getTime());
  await followClock(db, clock);
}
