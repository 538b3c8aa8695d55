import type { Interval } from '../../billing/catalog/price.ts';

/** The total of live subscriptions with one interval, each time they renew. */
export interface RecurringSum {
  interval: Interval;
  count: number;
  cents: bigint;
}

/** Number of intervals in a year: it has 12 months, 52 weeks or 365 days. */
const TIMES_A_YEAR: Record<Interval, bigint> = { year: 1n, month: 12n, week: 52n, day: 365n };

/** Average revenue per month: exact fractions, rounded once over all of them, halves up. */
export function monthlyCents(sums: readonly RecurringSum[]): bigint {
  let [cents, whole] = [0n, 1n];
  for (const sum of sums) {
    const part = 12n * BigInt(sum.count);
    cents = cents * part + sum.cents * TIMES_A_YEAR[sum.interval] * whole;
    whole *= part;
  }
  return (2n * cents + whole) / (2n * whole);
}
