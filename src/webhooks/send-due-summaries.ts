import type { Database, Tx } from '../platform/db/database.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { findLastSequence, sumEvents } from '../platform/events/queries.ts';
import type { Logger } from '../platform/lib/log.ts';
import { eachAlone } from '../platform/set-aside/each-alone.ts';
import type { Notification } from './notification.ts';
import { listDueSummaries, SUMMARIES, updateSummaryPlan } from './notification-queries.ts';
import { SUMMARY } from './notifications/channel.ts';
import { lastDueSummary } from './notifications/next-summary.ts';

/** Margin for events that were written a moment before and may not be committed yet. */
const SETTLE_MS = 60_000;
const AT_ONCE = 100;

/** Sends what is due, each day once however many processes try; a day on which nothing happened has no summary. */
export function sendDueSummaries(db: Database, now: Date, log?: Logger): Promise<number> {
  const before = new Date(now.getTime() - SETTLE_MS);
  return eachAlone({ db, log }, SUMMARIES, now, async (alone) => {
    for (let sent = 0; ; ) {
      const due = await listDueSummaries(db, { before, now }, AT_ONCE);
      for (const notification of due)
        if (await alone(notification, () => sendSummary(db, notification, { before, now }))) sent++;
      if (due.length < AT_ONCE) return sent;
    }
  });
}

/** After a pause of several days there is one summary of all of them. */
async function sendSummary(
  db: Database,
  notification: Notification,
  { before, now }: { before: Date; now: Date },
): Promise<boolean> {
  const { merchantId, summaryHour, summaryTimeZone } = notification;
  const from = notification.summarySince!;
  const { to, next } = lastDueSummary(notification.summaryAt!, before, summaryHour, summaryTimeZone);
  const data = dayOf(await sumEvents(db, merchantId, { from, to, events: Object.values(COUNTED) }), from, to);
  const isTelling = notification.isActive && Object.values(COUNTED).some((event) => data.seen.has(event));
  return db.transaction(async (tx) => {
    const isOurs = await updateSummaryPlan(tx, notification, { summaryAt: next, summarySince: to });
    if (isOurs && isTelling) await writeSummary(tx, notification, data.facts, now);
    return isOurs && isTelling;
  });
}

const COUNTED = {
  paid: 'payment_intent.succeeded',
  failed: 'payment_intent.failed',
  expired: 'payment_intent.expired',
  exceptions: 'exception.created',
  overdueRenewals: 'subscription.past_due',
  newSubscriptions: 'subscription.activated',
  endedSubscriptions: 'subscription.canceled',
  refunds: 'refund.succeeded',
} as const;

function dayOf(sums: readonly { event: string; count: number; amountCents: bigint }[], from: Date, to: Date) {
  const seen = new Map(sums.map((sum) => [sum.event, sum]));
  const counts = Object.entries(COUNTED).map(([name, event]) => [name, seen.get(event)?.count ?? 0]);
  const paidCents = seen.get(COUNTED.paid)?.amountCents ?? 0n;
  const { paid, ...others } = Object.fromEntries(counts);
  return { seen, facts: { from, to, paid, paidCents, ...others } };
}

async function writeSummary(
  tx: Tx,
  { merchantId, id }: Notification,
  facts: object,
  now: Date,
): Promise<void> {
  const sequence = (await findLastSequence(tx, merchantId, id)) + 1;
  const object = { objectType: 'notification', objectId: id, orderingKey: id, sequence };
  const data = { notificationId: id, ...facts };
  const event = { merchantId, event: SUMMARY, ...object, status: 'active', previousStatus: null, data };
  await appendEvents(tx, [event], now);
}
