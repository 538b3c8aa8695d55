import { elapsedMs, followTime, machineMs } from '../lib/clock.ts';
import type { Database } from './database.ts';

/** Beyond this a process decides nothing: one of the two clocks is wrong, and nobody here knows which. */
export const MAX_DIFFERENCE_MS = 5_000;
/** An answer that took longer says too little about what time it is. */
const MAX_ROUND_TRIP_MS = 2_000;

export interface ClockWatch {
  /** Asks the database what time it is. From then on it is that time here, however this machine's clock is set. */
  check(): Promise<void>;
  /** Why this process should decide nothing, if its machine's clock and the database's are too far apart. */
  problem(): string | undefined;
  /** How far this machine's clock is ahead of the database's. */
  differenceSeconds(): number;
}

/** Compares clocks: what is due is due by the database's, which all processes share. */
export function openClockWatch(db: Database, say: (problem: string) => void): ClockWatch {
  let differenceMs = 0;
  let problem: string | undefined;
  return {
    problem: () => problem,
    differenceSeconds: () => differenceMs / 1000,
    async check() {
      const { databaseMs, tookMs } = await askTime(db);
      if (tookMs > MAX_ROUND_TRIP_MS) return;
      differenceMs = machineMs() - databaseMs;
      followTime(databaseMs, tookMs / 2);
      const isApart = Math.abs(differenceMs) - tookMs / 2 > MAX_DIFFERENCE_MS;
      const before = problem;
      problem = isApart ? described(differenceMs) : undefined;
      if (problem !== undefined && before === undefined)
        say(
          `${problem}: nothing is decided here until they agree. Set the clock of the machine that is wrong`,
        );
      if (problem === undefined && before !== undefined)
        say('the clocks of this machine and the database agree again');
    },
  };
}

async function askTime(db: Database): Promise<{ databaseMs: number; tookMs: number }> {
  const startedMs = elapsedMs();
  const [row] = await db.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const tookMs = elapsedMs() - startedMs;
  // Half of the way is taken to be the way back.
  return { databaseMs: row!.ms + tookMs / 2, tookMs };
}

const TRIES = 3;

/**
 * From now on it is the database's time here, for a process that is soon over: whatever a command writes or prints is by
 * the clock that the service goes by. Refuses to go on where the two may be apart and nobody can say how far.
 */
export async function followDatabaseTime(db: Database): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { databaseMs, tookMs } = await askTime(db);
    if (tookMs <= MAX_ROUND_TRIP_MS) return followTime(databaseMs, tookMs / 2);
    if (tries < TRIES) continue;
    const differenceMs = machineMs() - databaseMs;
    if (Math.abs(differenceMs) - tookMs / 2 <= MAX_DIFFERENCE_MS) return;
    throw new Error(
      `${described(differenceMs)}, and the database answers too slowly to go by its time. Nothing was changed: set the clock of the machine that is wrong`,
    );
  }
}

function described(differenceMs: number): string {
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  return `the clock of this machine is ${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the database's`;
}
