/**
 * The only place that reads a clock. Whatever decides by time takes `now` from here: the database's time, once it has been
 * asked for it. The sandbox may move it forward by an offset, so that a month of billing can be watched in a second.
 */
export interface Clock {
  now(): Date;
  /** Moves the service's time; it never goes backwards. */
  setOffsetMs(offsetMs: number): void;
}

export function systemClock(): Clock {
  let offsetMs = 0;
  return {
    now: () => new Date(nowMs() + offsetMs),
    setOffsetMs(next) {
      offsetMs = Math.max(offsetMs, next);
    },
  };
}

/** Real time, for leases, rate limits and signatures: things the sandbox clock must not move. */
export function realNow(): Date {
  return new Date(nowMs());
}

/** The time it was at a moment of the clock that only grows. Unset in a process that follows no database. */
let known: { timeMs: number; atMs: number } | undefined;

/** A machine's clock may be set while a process runs, so it is read only where there is nothing better. */
function nowMs(): number {
  return known ? known.timeMs + (elapsedMs() - known.atMs) : machineMs();
}

/** Time of the machine's clock, right or wrong. */
export function machineMs(): number {
  return Date.now();
}

/** A smaller difference is ignored: time should not jump to and fro with every answer. */
const JITTER_MS = 50;

/** The time is this, give or take `errorMs`, and continues from here by the clock that only grows. */
export function followTime(timeMs: number, errorMs: number): void {
  const isNear = Math.abs(nowMs() - timeMs) <= errorMs + JITTER_MS;
  known = { timeMs: isNear ? nowMs() : timeMs, atMs: elapsedMs() };
}

/** Milliseconds that only grow, for measuring how long something took. */
export function elapsedMs(): number {
  return performance.now();
}

export function addSeconds(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}

export function addMinutes(date: Date, minutes: number): Date {
  return new Date(date.getTime() + minutes * 60_000);
}

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

export const HOUR_MS = 3_600_000;
export const QUARTER_MS = HOUR_MS / 4;
export const DAY_MS = 24 * HOUR_MS;

export function startOfUtcDay(date: Date): Date {
  return new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS);
}

export function startOfNextUtcMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
}
