import { lockIntentsById } from '../../intents/queries.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { amountOfLines, type Invoice } from '../invoices/invoice.ts';
import { listInvoicesById } from '../invoices/queries.ts';
import { findSubscription } from '../subscriptions/queries.ts';
import { type PeriodPayment, remainingValue } from '../subscriptions/remaining-value.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { listIntentsOfPeriod, listKept } from './payment-queries.ts';

/** The payments of the current period, the oldest first. */
export async function readPeriodPayments(
  db: Queryable,
  subscription: Subscription,
): Promise<PeriodPayment[]> {
  const kept = await listKept(db, subscription);
  const ids = kept.map(({ invoiceId }) => invoiceId);
  const invoices = await listInvoicesById(db, subscription.merchantId, ids);
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  return kept.map(({ invoiceId, ...sums }) => ({ invoice: byId.get(invoiceId)!, ...sums }));
}

/**
 * True if the unused time that a change takes off is still paid for: money may have been sent back since the change
 * was requested.
 */
export async function coversUnusedTime(
  db: Queryable,
  subscription: Subscription,
  { lines }: Invoice,
): Promise<boolean> {
  const { prorationDate } = subscription.pendingChange!;
  const most = remainingValue(await readPeriodPayments(db, subscription), prorationDate);
  return -amountOfLines([lines[0]!]) <= most;
}

/**
 * Makes a refund of the current period's money wait, or waits for one. Called before the subscription is locked: settlement
 * locks in the same order.
 */
export async function lockPeriodPayments(tx: Tx, ref: Ref): Promise<void> {
  const subscription = await findSubscription(tx, ref);
  if (subscription) await lockIntentsById(tx, await listIntentsOfPeriod(tx, subscription));
}
