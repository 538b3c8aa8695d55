import type { Database } from '../db/database.ts';
import { readClockOffset, storeClockOffset } from '../db/installation.ts';
import { type Clock, realNow } from '../lib/clock.ts';
import { findNextMoment } from './queries.ts';

/** Takes over how far the sandbox has moved its time; every process does so, again and again. */
export async function followClock(db: Database, clock: Clock): Promise<void> {
  clock.setOffsetMs(await readClockOffset(db));
}

/**
 * Moves the service's time forward to `to`, from one moment at which something is due to the next, so that
 * everything happens in its order and as if time had simply passed. It never goes back.
 */
export async function moveClock(
  db: Database,
  clock: Clock,
  to: Date,
  runDue: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const moment = await findNextMoment(db, clock.now());
    const next = moment && new Date(moment.getTime() + SETTLED_MS);
    const isLast = !next || next >= to;
    await setClock(db, clock, isLast ? to : next);
    await runDue();
    if (isLast) return;
  }
}

/** Blocks tell their time in whole seconds: only a moment later has the chain surely been read past this one. */
const SETTLED_MS = 1_000;

async function setClock(db: Database, clock: Clock, to: Date): Promise<void> {
  await storeClockOffset(db, to.getTime() - realNow().getTime());
  await followClock(db, clock);
}
