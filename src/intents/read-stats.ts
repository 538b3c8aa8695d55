import type { Queryable } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/lib/ids.ts';
import { addCalendarDays, dateAt, startsOfDates } from '../platform/lib/local-days.ts';
import { saturateInt64 } from '../platform/lib/money.ts';
import { listCreatedByDay, listRefundedByDay, listSucceededByDay } from './stats-queries.ts';

const DAYS = 31;

export interface Stats {
  totalVolumeCents: bigint;
  totalRefundedCents: bigint;
  netVolumeCents: bigint;
  totalTransactions: number;
  successfulTransactions: number;
  chartData: { date: Date; volumeCents: bigint; refundedCents: bigint; transactions: number }[];
}

/** Today and the 30 days before in a time zone, zero days included; the totals are the sums of what the chart shows. */
export async function readStats(
  db: Queryable,
  { merchantId, timeZone }: { merchantId: string; timeZone: string },
  now: Date,
): Promise<Stats> {
  const first = addCalendarDays(dateAt(now, timeZone), 1 - DAYS);
  const starts = startsOfDates(first, DAYS + 1, timeZone);
  const [created, succeeded, refunded] = await Promise.all([
    listCreatedByDay(db, merchantId, starts.map(firstIdAt)),
    listSucceededByDay(db, merchantId, starts),
    listRefundedByDay(db, merchantId, starts),
  ]);
  const createdOn = new Map(created.map((row) => [row.day, row.count]));
  const succeededOn = new Map(succeeded.map((row) => [row.day, row]));
  const refundedOn = new Map(refunded.map((row) => [row.day, row.refundedCents]));
  const volumes = Array.from({ length: DAYS }, (_, day) => succeededOn.get(day)?.volumeCents ?? 0n);
  const totalVolumeCents = saturateInt64(volumes.reduce((sum, cents) => sum + cents, 0n));
  const totalRefundedCents = saturateInt64(refunded.reduce((sum, row) => sum + row.refundedCents, 0n));
  return {
    totalVolumeCents,
    totalRefundedCents,
    netVolumeCents: totalVolumeCents - totalRefundedCents,
    totalTransactions: created.reduce((sum, row) => sum + row.count, 0),
    successfulTransactions: succeeded.reduce((sum, row) => sum + row.count, 0),
    chartData: volumes.map((cents, day) => ({
      // The date itself is the day, whatever zone its reader is in; where it began there, nobody could tell.
      date: new Date(`${addCalendarDays(first, day)}T00:00:00Z`),
      volumeCents: saturateInt64(cents),
      refundedCents: saturateInt64(refundedOn.get(day) ?? 0n),
      transactions: createdOn.get(day) ?? 0,
    })),
  };
}
