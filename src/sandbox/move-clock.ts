import type { Database } from '../db/database.ts';
import { readClockOffset, storeClockOffset } from '../db/installation.ts';
import { type Clock, realNow } from '../lib/clock.ts';

/** Takes over how far the sandbox has moved its time; every process does so, again and again. */
export async function followClock(db: Database, clock: Clock): Promise<void> {
  clock.setOffsetMs(await readClockOffset(db));
}

/** Moves the service's time forward to `to`; it never goes back. */
export async function moveClock(db: Database, clock: Clock, to: Date): Promise<void> {
  await storeClockOffset(db, to.getTime() - realNow().getTime());
  await followClock(db, clock);
}
