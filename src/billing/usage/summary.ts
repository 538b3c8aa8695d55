import { badField } from '../../platform/lib/errors.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { addCalendarDays, addMonths, dateAt, startOfDate } from '../../platform/lib/local-days.ts';

export const GRANULARITIES = ['total', 'day', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Length of each period, and the time zone in which its days begin. */
export interface Periods {
  granularity: Granularity;
  timeZone: string;
}

/** Usage of one metric of one project in one period. */
export interface UsageSum {
  projectId: string;
  metric: string;
  /** Start of the calendar period; null for the total. */
  period: Date | null;
  quantity: bigint;
  recordCount: bigint;
  credits: bigint;
}

/** Bounds in time, half open; null: none. */
export interface Span {
  from: Date | null;
  to: Date | null;
}

/** The requested part of a sum's period: its calendar day or month, cut at `from` and `to`. */
export function spanOf({ period }: UsageSum, { granularity, timeZone }: Periods, { from, to }: Span): Span {
  if (!period) return { from, to };
  const first = dateAt(period, timeZone);
  const end = startOfDate(granularity === 'day' ? addCalendarDays(first, 1) : addMonths(first, 1), timeZone);
  return { from: from && from > period ? from : period, to: to && to < end ? to : end };
}

/** The place of a sum in its list: newest period first, then by metric and project. */
export interface Place {
  period: Date | null;
  metric: string;
  projectId: string;
}

export function encodePlace({ period, metric, projectId }: Place): string {
  return Buffer.from([period?.toISOString() ?? '', metric, projectId].join(' ')).toString('base64url');
}

export function decodePlace(cursor: string, granularity: Granularity): Place {
  const [date = '', metric = '', projectId = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const period = date === '' ? null : new Date(date);
  const isReadable =
    isUuid(projectId) && metric !== '' && (period === null) === (granularity === 'total') && isDate(period);
  if (!isReadable || encodePlace({ period, metric, projectId }) !== cursor) {
    throw badField('cursor', 'must be a nextCursor from this list');
  }
  return { period, metric, projectId };
}

function isDate(date: Date | null): boolean {
  return date === null || !Number.isNaN(date.getTime());
}
