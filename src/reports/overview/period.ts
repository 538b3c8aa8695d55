import { HOUR_MS } from '../../platform/lib/clock.ts';
import { badField } from '../../platform/lib/errors.ts';
import {
  addCalendarDays,
  addMonths,
  dateAt,
  daysBetween,
  startOfQuarter,
  startsOfDates,
} from '../../platform/lib/local-days.ts';

export const RANGES = ['today', '7d', '30d', '3m', '12m'] as const;
export type Range = (typeof RANGES)[number];

/** A year, and a day of a leap year. */
const MAX_DAYS = 366;

export interface PeriodChoice {
  range?: Range | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface Period {
  /** The first and the last day, and those of the period before, which has as many. */
  from: string;
  to: string;
  previousFrom: string;
  previousTo: string;
  /** Start of each point, and finally the end of the last one; likewise for the period before. */
  starts: Date[];
  previousStarts: Date[];
  /** End of the part of the period before that corresponds to what has passed of this one. */
  comparedUntil: Date;
}

/** The days of a choice on the calendar of a time zone. One day is divided into hours. */
export function periodOf(choice: PeriodChoice, timeZone: string, now: Date): Period {
  const { from, to } = datesOf(choice, dateAt(now, timeZone));
  const days = daysBetween(from, to) + 1;
  const previousFrom = addCalendarDays(from, -days);
  const startsOf = (first: string) => {
    const bounds = startsOfDates(first, days + 1, timeZone);
    return days === 1 ? hoursOf(bounds[0]!, bounds[1]!) : bounds;
  };
  const [starts, previousStarts] = [startsOf(from), startsOf(previousFrom)];
  const passedMs = startOfQuarter(now).getTime() - starts[0]!.getTime();
  const end = previousStarts.at(-1)!;
  const sameTime = new Date(previousStarts[0]!.getTime() + Math.max(0, passedMs));
  const isOver = now >= starts.at(-1)!;
  const comparedUntil = isOver || sameTime > end ? end : sameTime;
  return {
    from,
    to,
    previousFrom,
    previousTo: addCalendarDays(from, -1),
    starts,
    previousStarts,
    comparedUntil,
  };
}

function hoursOf(from: Date, to: Date): Date[] {
  const starts: Date[] = [];
  for (let ms = from.getTime(); ms < to.getTime(); ms += HOUR_MS) starts.push(new Date(ms));
  return [...starts, to];
}

function datesOf({ range, from, to }: PeriodChoice, today: string): { from: string; to: string } {
  if (from === undefined && to === undefined) return { from: firstOf(range ?? '30d', today), to: today };
  if (range !== undefined) throw badField('range', 'cannot be combined with from and to');
  if (from === undefined) throw badField('from', 'is required with to');
  if (to === undefined) throw badField('to', 'is required with from');
  requireDate('from', from);
  requireDate('to', to);
  if (to < from) throw badField('to', 'must not be before from');
  if (daysBetween(from, to) >= MAX_DAYS) throw badField('to', `must be within ${MAX_DAYS} days of from`);
  return { from, to };
}

function requireDate(field: string, date: string): void {
  const at = new Date(`${date}T00:00:00Z`);
  const isDate = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === date;
  if (!isDate || date < '2000-01-01' || date > '2999-12-31')
    throw badField(field, 'must be a date from 2000 to 2999, such as 2026-11-30');
}

function firstOf(range: Range, today: string): string {
  if (range === 'today') return today;
  if (range === '7d') return addCalendarDays(today, -6);
  if (range === '30d') return addCalendarDays(today, -29);
  return addCalendarDays(addMonths(today, range === '3m' ? -3 : -12), 1);
}
