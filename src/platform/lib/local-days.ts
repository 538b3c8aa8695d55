import { DAY_MS, QUARTER_MS } from './clock.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });
  formats.set(timeZone, format);
  return format;
}

/** The time that clocks there show, as the milliseconds at which UTC shows the same. */
function shownMs(ms: number, timeZone: string): number {
  // 11/17/2026, 09:30
  const [month, day, year, hour, minute] = formatOf(timeZone).format(ms).split(/\D+/).map(Number);
  return Date.UTC(year!, month! - 1, day!, hour!, minute!);
}

/** How far clocks there are ahead of UTC. */
export function offsetMs(ms: number, timeZone: string): number {
  return shownMs(ms, timeZone) - Math.floor(ms / 60_000) * 60_000;
}

/** The date on a calendar there, as YYYY-MM-DD. */
export function dateAt(at: Date, timeZone: string): string {
  return new Date(shownMs(at.getTime(), timeZone)).toISOString().slice(0, 10);
}

/** The first moment of a date there. Where clocks skip midnight, it is the moment they do. */
export function startOfDate(date: string, timeZone: string): Date {
  const wanted = Date.parse(`${date}T00:00:00Z`);
  const guess = wanted - offsetMs(wanted, timeZone);
  let ms = wanted - offsetMs(guess, timeZone);
  // Offsets are multiples of a quarter of an hour, and so are their changes.
  while (shownMs(ms, timeZone) < wanted) ms += QUARTER_MS;
  while (shownMs(ms - QUARTER_MS, timeZone) >= wanted) ms -= QUARTER_MS;
  return new Date(ms);
}

/** Start of a period that is requested by its first day there, or by the moment itself. */
export function firstMoment(from: Date | string, timeZone: string): Date {
  return from instanceof Date ? from : startOfDate(from, timeZone);
}

/** End of a period: after its last day there, or the given moment. It is not part of the period. */
export function momentAfter(to: Date | string, timeZone: string): Date {
  return to instanceof Date ? to : startOfDate(addCalendarDays(to, 1), timeZone);
}

/** No clocks are changed and changed back within as many days. */
const STEADY_DAYS = 14;

/** The first moments of so many dates in a row. Finding an offset is slow, so it is done for a few of them. */
export function startsOfDates(first: string, count: number, timeZone: string): Date[] {
  const starts: Date[] = [];
  for (let done = 0; done < count; done += STEADY_DAYS) {
    const dates = Array.from({ length: Math.min(STEADY_DAYS, count - done) }, (_, i) =>
      addCalendarDays(first, done + i),
    );
    const [before, after] = [addCalendarDays(dates[0]!, -1), addCalendarDays(dates.at(-1)!, 1)].map((date) =>
      offsetMs(Date.parse(`${date}T00:00:00Z`), timeZone),
    );
    for (const date of dates)
      starts.push(
        before === after ? new Date(Date.parse(`${date}T00:00:00Z`) - before!) : startOfDate(date, timeZone),
      );
  }
  return starts;
}

export function addCalendarDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day of another month, or its last one. */
export function addMonths(date: string, months: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at.toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

export function startOfQuarter(at: Date): Date {
  return new Date(Math.floor(at.getTime() / QUARTER_MS) * QUARTER_MS);
}
