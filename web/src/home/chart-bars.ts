import type { Revenue } from '@florin/sdk';

export interface Bar {
  /** The first and the last day of it. */
  from: string;
  to: string;
  /** Set if it is an hour. */
  startsAt?: string;
  netCents: bigint;
  grossCents: bigint;
  refundedCents: bigint;
  previousNetCents: bigint;
  paymentsCount: number;
}

/** More days than this are drawn as months. */
const MAX_DAYS = 100;

/** A bar for each hour of a day, each day, or each month of many days. */
export function barsOf({ from, to, points }: Revenue): Bar[] {
  const bars = points.map((point, i): Bar => {
    const date = from === to ? from : addDays(from, i);
    return {
      from: date,
      to: date,
      ...(from === to && { startsAt: point.startsAt }),
      netCents: BigInt(point.netCents),
      grossCents: BigInt(point.grossCents),
      refundedCents: BigInt(point.refundedCents),
      previousNetCents: BigInt(point.previousNetCents),
      paymentsCount: Number(point.paymentsCount),
    };
  });
  if (bars.length <= MAX_DAYS) return bars;
  const months = new Map<string, Bar>();
  for (const bar of bars) {
    const month = bar.from.slice(0, 7);
    const sum = months.get(month);
    months.set(month, sum ? joined(sum, bar) : bar);
  }
  return [...months.values()];
}

function joined(a: Bar, b: Bar): Bar {
  return {
    from: a.from,
    to: b.to,
    netCents: a.netCents + b.netCents,
    grossCents: a.grossCents + b.grossCents,
    refundedCents: a.refundedCents + b.refundedCents,
    previousNetCents: a.previousNetCents + b.previousNetCents,
    paymentsCount: a.paymentsCount + b.paymentsCount,
  };
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Round numbers for the side of a chart, from the least to the most, both outside of what is drawn. */
export function ticksOf(least: number, most: number): number[] {
  const size = Math.max(most - Math.min(least, 0), 1) / 3;
  const power = 10 ** Math.floor(Math.log10(size));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((candidate) => candidate >= size)!;
  const first = Math.floor(Math.min(least, 0) / step);
  const last = Math.max(Math.ceil(most / step), 1);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}
