import { addDays } from '../../platform/lib/clock.ts';
import type { Interval } from '../catalog/price.ts';

export interface Recurrence {
  interval: Interval;
  count: number;
}

export interface Period {
  start: Date;
  end: Date;
}

/**
 * Returns the start of the n-th period of an anchor. It is always counted from the anchor itself, in UTC, never from
 * the previous period: 31 January is followed by 28 February and that by 31 March, and no year drifts.
 */
export function periodStart(anchor: Date, { interval, count }: Recurrence, n: number): Date {
  switch (interval) {
    case 'day':
      return addDays(anchor, n * count);
    case 'week':
      return addDays(anchor, n * count * 7);
    case 'month':
      return addMonths(anchor, n * count);
    case 'year':
      return addMonths(anchor, n * count * 12);
  }
}

/** The n-th period, half open: its end is where the next one starts. */
export function periodAt(anchor: Date, recurrence: Recurrence, n: number): Period {
  return { start: periodStart(anchor, recurrence, n), end: periodStart(anchor, recurrence, n + 1) };
}

/** The same day and time of a later month, or that month's last day where it has no such day. */
function addMonths(date: Date, months: number): Date {
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const moved = new Date(date.getTime());
  moved.setUTCFullYear(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), lastDay));
  return moved;
}
