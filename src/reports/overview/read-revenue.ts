import type { Queryable } from '../../platform/db/database.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { monthlyCents } from './monthly-cents.ts';
import { type Period, type PeriodChoice, periodOf } from './period.ts';
import type { Scope } from './queries.ts';
import {
  listLive,
  listRevenue,
  listSubscriberMoves,
  type SubscriberMoves,
  type Sums,
  sumDueRenewals,
} from './revenue-queries.ts';
import { spansOf } from './spans.ts';
import type { TopLists } from './top-lists.ts';
import type { Top } from './top-queries.ts';

const FORECAST_DAYS = 30;

/** Reads the figures of a business over a period, beside those of the one before, and a forecast. */
export async function readRevenue(
  { db, tops }: { db: Queryable; tops: TopLists },
  scope: Scope,
  choice: PeriodChoice,
  timeZone: string,
  now: Date,
) {
  const period = periodOf(choice, timeZone, now);
  const [start, end] = [period.starts[0]!, period.starts.at(-1)!];
  const topTime = { spans: spansOf(start, end), since: end > now ? start : null };
  const until = addDays(now, FORECAST_DAYS);
  const reading = readSeries(db, scope, period);
  const [revenue, subscribers, live, renewals, { customers, products }] = await Promise.all([
    reading,
    readSubscribers(db, scope, period),
    listLive(db, scope),
    sumDueRenewals(db, scope, now, until),
    reading.then(({ current }) => tops.read(db, scope, topTime, current.paymentsCount)),
  ]);
  const liveCount = live.reduce((sum, { subscriptions }) => sum + subscriptions, 0n);
  const { from, to, previousFrom, previousTo, comparedUntil } = period;
  return {
    timeZone,
    from,
    to,
    previousFrom,
    previousTo,
    comparedUntil,
    current: totals(revenue.current, subscribers.current, liveCount - subscribers.sinceStart),
    previous: totals(revenue.previous, subscribers.previous, liveCount - subscribers.sincePreviousStart),
    points: revenue.points,
    monthlyRecurringCents: saturateInt64(monthlyCents(live)),
    subscribersCount: liveCount,
    renewals: { until, count: renewals.count, cents: saturateInt64(renewals.cents) },
    topProducts: products.map(({ id, name, cents, count }) => ({
      productId: id,
      name: name ?? '',
      salesCents: saturateInt64(cents),
      salesCount: count,
    })),
    topCustomers: customers.map(presentCustomer),
  };
}

function presentCustomer({ id, name, email, externalCustomerId, cents, count }: Top) {
  return {
    customerId: id,
    name,
    email,
    externalCustomerId,
    netCents: saturateInt64(cents),
    paymentsCount: count,
  };
}

const NOTHING: Sums = {
  paymentsCount: 0n,
  grossCents: 0n,
  refundsCount: 0n,
  refundedCents: 0n,
  openedCount: 0n,
  completedCount: 0n,
};

function plus(a: Sums, b: Sums): Sums {
  return {
    paymentsCount: a.paymentsCount + b.paymentsCount,
    grossCents: a.grossCents + b.grossCents,
    refundsCount: a.refundsCount + b.refundsCount,
    refundedCents: a.refundedCents + b.refundedCents,
    openedCount: a.openedCount + b.openedCount,
    completedCount: a.completedCount + b.completedCount,
  };
}

/** One statement reads both periods, so that no payment is between them. */
async function readSeries(db: Queryable, scope: Scope, period: Period) {
  const { starts, previousStarts, comparedUntil } = period;
  const times = [...previousStarts, comparedUntil, ...starts].map((at) => at.getTime());
  const bounds = [...new Set(times)].sort((a, b) => a - b).map((ms) => new Date(ms));
  const rows = await listRevenue(db, scope, bounds);
  const inside = (from: Date, to: Date) =>
    rows.filter(({ bucket }) => bounds[bucket]! >= from && bounds[bucket]! < to).reduce<Sums>(plus, NOTHING);
  const sumAt = sumsByStart(rows, bounds, [...previousStarts.slice(0, -1), ...starts.slice(0, -1)]);
  return {
    current: inside(starts[0]!, starts.at(-1)!),
    previous: inside(previousStarts[0]!, comparedUntil),
    points: starts.slice(0, -1).map((startsAt, i) => {
      const sums = sumAt.get(startsAt.getTime()) ?? NOTHING;
      const before = i < previousStarts.length - 1 ? sumAt.get(previousStarts[i]!.getTime()) : undefined;
      return {
        startsAt,
        endsAt: starts[i + 1]!,
        grossCents: saturateInt64(sums.grossCents),
        refundedCents: saturateInt64(sums.refundedCents),
        netCents: netOf(sums),
        paymentsCount: sums.paymentsCount,
        previousNetCents: netOf(before ?? NOTHING),
      };
    }),
  };
}

/** The moment that is compared to may divide a point; both halves belong to it. */
function sumsByStart(rows: readonly (Sums & { bucket: number })[], bounds: readonly Date[], starts: Date[]) {
  const isStart = new Set(starts.map((at) => at.getTime()));
  const sums = new Map<number, Sums>();
  for (const row of rows) {
    let place = row.bucket;
    while (!isStart.has(bounds[place]!.getTime())) place--;
    const start = bounds[place]!.getTime();
    sums.set(start, plus(sums.get(start) ?? NOTHING, row));
  }
  return sums;
}

async function readSubscribers(
  db: Queryable,
  scope: Scope,
  { starts, previousStarts, comparedUntil }: Period,
) {
  const [from, to, previousFrom] = [starts[0]!, starts.at(-1)!, previousStarts[0]!];
  const bounds = [previousFrom, comparedUntil, from, to];
  const rows = await listSubscriberMoves(db, scope, bounds);
  const between = (after: Date, before: Date | null) =>
    rows
      .filter(({ bucket }) => bounds[bucket]! >= after && (!before || bounds[bucket]! < before))
      .reduce((sum, { begun, lost }) => ({ begun: sum.begun + begun, lost: sum.lost + lost }), {
        begun: 0n,
        lost: 0n,
      });
  const grown = ({ begun, lost }: SubscriberMoves) => begun - lost;
  return {
    current: between(from, to),
    previous: between(previousFrom, comparedUntil),
    sinceStart: grown(between(from, null)),
    sincePreviousStart: grown(between(previousFrom, null)),
  };
}

function netOf({ grossCents, refundedCents }: Sums): bigint {
  return saturateInt64(grossCents - refundedCents);
}

function totals(sums: Sums, { begun, lost }: SubscriberMoves, subscribersAtStart: bigint) {
  return {
    grossCents: saturateInt64(sums.grossCents),
    refundedCents: saturateInt64(sums.refundedCents),
    netCents: netOf(sums),
    paymentsCount: sums.paymentsCount,
    refundsCount: sums.refundsCount,
    checkoutsOpenedCount: sums.openedCount,
    checkoutsPaidCount: sums.completedCount,
    newSubscribersCount: begun,
    lostSubscribersCount: lost,
    subscribersAtStartCount: subscribersAtStart,
  };
}
