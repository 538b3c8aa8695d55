import { lockIntentsById } from '../../money/intents/queries.ts';
import { amountOfLines, type Invoice } from '../../money/invoices/invoice.ts';
import { listInvoicesById } from '../../money/invoices/queries.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { keptWorth, type PeriodPayment } from '../subscriptions/kept-worth.ts';
import { findSubscription } from '../subscriptions/queries.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { currentPeriod, listIntentsOfPeriod, listKept, type PaidFor } from './payment-queries.ts';

/** What the current period was paid with, the oldest first. */
export async function readPeriodPayments(
  db: Queryable,
  subscription: Subscription,
): Promise<PeriodPayment[]> {
  return readPayments(db, subscription, currentPeriod(subscription));
}

/** A change that began a period was also paid with what was left of the one before. */
async function readPayments(
  db: Queryable,
  subscription: Subscription,
  period: PaidFor,
): Promise<PeriodPayment[]> {
  const kept = await listKept(db, subscription, period);
  const ids = kept.map(({ invoiceId }) => invoiceId);
  const invoices = await listInvoicesById(db, subscription.merchantId, ids);
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  const payments = kept.map(({ invoiceId, keptCents }) => ({ invoice: byId.get(invoiceId)!, keptCents }));
  const [first, ...others] = payments;
  if (first?.invoice.billingReason !== 'subscription_change') return payments;
  const { lines, createdAt: createdBefore } = first.invoice;
  const endsAt = lines[0]!.periodEnd!;
  const cutShort: PaidFor = { startsFrom: '-infinity', startsBefore: endsAt, endsAt, createdBefore };
  return [{ ...first, before: await readPayments(db, subscription, cutShort) }, ...others];
}

/** Whether the unused time that a change takes off is still paid for: money may have gone back since it was requested. */
export async function coversUnusedTime(
  db: Queryable,
  subscription: Subscription,
  { lines }: Invoice,
): Promise<boolean> {
  const { prorationDate } = subscription.pendingChange!;
  const most = keptWorth(await readPeriodPayments(db, subscription), prorationDate);
  return most === undefined || -amountOfLines([lines[0]!]) <= most;
}

/**
 * Makes a refund of the current period's money wait, or waits for one. Called before the subscription is locked: settlement
 * locks in the same order.
 */
export async function lockPeriodPayments(tx: Tx, ref: { merchantId: string; id: string }): Promise<void> {
  const subscription = await findSubscription(tx, ref);
  if (subscription) await lockIntentsById(tx, await listIntentsOfPeriod(tx, subscription));
}
