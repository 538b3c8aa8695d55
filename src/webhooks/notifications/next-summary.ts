import { DAY_MS } from '../../platform/lib/clock.ts';

const QUARTER_MS = 15 * 60_000;

/**
 * The first moment after `after` at which it is this hour there. On a day without that hour, because clocks were put
 * forward, it is the moment they were; an hour that comes twice counts once.
 */
export function nextSummaryAt(after: Date, hour: number, timeZone: string): Date {
  const read = reader(timeZone);
  const now = read(after);
  const day = now.hour < hour ? now.day : nextDay(now.day);
  // Offsets are multiples of a quarter of an hour.
  let atMs = Math.floor(after.getTime() / QUARTER_MS) * QUARTER_MS;
  for (;;) {
    atMs += QUARTER_MS;
    const then = read(new Date(atMs));
    if (then.day > day || (then.day === day && then.hour >= hour)) return new Date(atMs);
  }
}

/** Every time zone has had a summary since. */
const DAYS_BACK_MS = 3 * DAY_MS;

/** The last of the summaries that are due since `dueAt`, however long that is ago, and the one after it. */
export function lastDueSummary(
  dueAt: Date,
  before: Date,
  hour: number,
  timeZone: string,
): { to: Date; next: Date } {
  const recentMs = before.getTime() - DAYS_BACK_MS;
  let to = dueAt;
  let next = nextSummaryAt(dueAt.getTime() < recentMs ? new Date(recentMs) : dueAt, hour, timeZone);
  while (next <= before) {
    to = next;
    next = nextSummaryAt(to, hour, timeZone);
  }
  return { to, next };
}

function reader(timeZone: string) {
  const format = formatIn(timeZone);
  return (at: Date) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return { day: `${parts.year}-${parts.month}-${parts.day}`, hour: Number(parts.hour) };
  };
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
  });
}

function nextDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + 1);
  return at.toISOString().slice(0, 10);
}
