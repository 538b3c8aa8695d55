import { DAY_MS, HOUR_MS, QUARTER_MS } from '../../platform/lib/clock.ts';

export type SpanName = 'quarter' | 'hour' | 'day' | 'month';

export interface Span {
  span: SpanName;
  from: Date;
  to: Date;
}

/** The fewest totals that make up exactly this time: whole UTC months, whole days around them, quarters at the ends. */
export function spansOf(from: Date, to: Date): Span[] {
  return cover(from.getTime(), to.getTime(), ['month', 'day', 'quarter']);
}

/** Whole spans of the first kind, and around them of the next. */
export function cover(from: number, to: number, [span, ...finer]: readonly SpanName[]): Span[] {
  if (from >= to || !span) return [];
  const [first, end] = [ceiled(from, span), floored(to, span)];
  if (first >= end) return cover(from, to, finer);
  return [
    ...cover(from, first, finer),
    { span, from: new Date(first), to: new Date(end) },
    ...cover(end, to, finer),
  ];
}

const LENGTHS_MS = { quarter: QUARTER_MS, hour: HOUR_MS, day: DAY_MS };

export function floored(ms: number, span: SpanName): number {
  if (span !== 'month') return Math.floor(ms / LENGTHS_MS[span]) * LENGTHS_MS[span];
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
}

function ceiled(ms: number, span: SpanName): number {
  const floor = floored(ms, span);
  if (floor === ms) return ms;
  if (span !== 'month') return floor + LENGTHS_MS[span];
  const at = new Date(floor);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}
