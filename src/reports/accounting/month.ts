import { badField } from '../../platform/lib/errors.ts';
import { addCalendarDays, addMonths, startOfDate } from '../../platform/lib/local-days.ts';

export interface Month {
  /** Its first and its last day, as YYYY-MM-DD. */
  firstDay: string;
  lastDay: string;
  /** Start of the month in the time zone, and of the next one. */
  from: Date;
  to: Date;
}

/** A calendar month there, of the years that other reports take. */
export function monthOf(month: string, timeZone: string): Month {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw badField('month', 'must be a month, such as 2026-11');
  if (!month.startsWith('2')) throw badField('month', 'must be between 2000-01 and 2999-12');
  const firstDay = `${month}-01`;
  const next = addMonths(firstDay, 1);
  return {
    firstDay,
    lastDay: addCalendarDays(next, -1),
    from: startOfDate(firstDay, timeZone),
    to: startOfDate(next, timeZone),
  };
}
