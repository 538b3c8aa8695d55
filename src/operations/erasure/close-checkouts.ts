import { changeSession, orderingKeyOf } from '../../billing/checkout-sessions/change-session.ts';
import type { LockedSession } from '../../billing/checkout-sessions/close-session.ts';
import { listSessionsById } from '../../billing/checkout-sessions/queries.ts';
import { type Session, withVolume } from '../../billing/checkout-sessions/session.ts';
import { endInvoice } from '../../billing/invoices/change-invoice.ts';
import { listInvoicesById } from '../../billing/invoices/queries.ts';
import { returnInvoiceCredit } from '../../billing/ledger/post.ts';
import {
  changeSubscription,
  storeSubscriptionQuietly,
} from '../../billing/subscriptions/change-subscription.ts';
import { lockSubscription } from '../../billing/subscriptions/queries.ts';
import { PAYABLE_DAYS_AFTER_EXPIRY } from '../../chain/solana/watched-account.ts';
import type { IntentStatus } from '../../intents/intent.ts';
import { moveIntents } from '../../intents/move-intents.ts';
import { hasPaymentUnderWay, lockIntentsById } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';
import { listNamedIntents, listPayableIntents, lockInvoiceIds, lockSessionIds } from './checkout-queries.ts';

const MAX = 1_000;

/**
 * Cancels every checkout of a customer that could still be paid, also those that expired lately: money that arrives for
 * one later is listed as an exception, and buys nothing for a customer who is gone. Refuses where a payment is on its way.
 */
export async function closeCheckouts(tx: Tx, ref: CustomerRef, now: Date): Promise<void> {
  const expiredSince = addDays(now, -PAYABLE_DAYS_AFTER_EXPIRY);
  const intentIds = await listPayableIntents(tx, ref, expiredSince, MAX + 1);
  if (intentIds.length > MAX)
    throw new AppError('INVALID_STATE', {
      message: `This customer has more than ${MAX} checkouts that can still be paid; cancel them first.`,
    });
  if (intentIds.length === 0) return;
  const closable = (await lockCheckouts(tx, ref.merchantId, intentIds)).filter(
    ({ session }) => session.status === 'open' || session.status === 'expired',
  );
  await requireUnpaid(tx, ref.merchantId, closable);
  await closeAll(tx, closable, now);
}

/** All rows of a kind in one statement, in the usual lock order. */
async function lockCheckouts(
  tx: Tx,
  merchantId: string,
  intentIds: readonly string[],
): Promise<LockedSession[]> {
  const intents = await lockIntentsById(
    tx,
    intentIds.map((id) => ({ merchantId, id })),
  );
  const sessionIds = await lockSessionIds(tx, merchantId, intentIds);
  const invoiceIds = await lockInvoiceIds(tx, merchantId, sessionIds);
  const sessions = byKey(await listSessionsById(tx, merchantId, sessionIds), 'paymentIntentId');
  const invoices = byKey(await listInvoicesById(tx, merchantId, invoiceIds), 'id');
  return intents.map((intent) => {
    const session = sessions.get(intent.id)!;
    return { intent, session, invoice: invoices.get(session.invoiceId)! };
  });
}

function byKey<Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Map<Row[Key], Row> {
  return new Map(rows.map((row) => [row[key], row]));
}

const UNPAID: readonly IntentStatus[] = ['pending', 'failed', 'expired'];

async function requireUnpaid(tx: Tx, merchantId: string, checkouts: readonly LockedSession[]): Promise<void> {
  if (checkouts.some(({ invoice }) => invoice.billingReason === 'manual')) throw openInvoice();
  if (checkouts.some(({ intent }) => !UNPAID.includes(intent.status))) throw paymentUnderWay();
  const ids = checkouts.map(({ intent }) => intent.id);
  for (const id of await listNamedIntents(tx, merchantId, ids))
    if (await hasPaymentUnderWay(tx, { merchantId, id })) throw paymentUnderWay();
}

async function closeAll(tx: Tx, checkouts: readonly LockedSession[], now: Date): Promise<void> {
  await moveIntents(
    tx,
    checkouts.map(({ intent }) => intent),
    'canceled',
    now,
  );
  const events: NewEvent[] = [];
  for (const checkout of checkouts) events.push(...(await closeCheckout(tx, checkout, now)));
  await appendEvents(tx, events, now);
  for (const { session, invoice } of checkouts) {
    if (invoice.creditAppliedCents === 0n) continue;
    const { merchantId, id: invoiceId } = invoice;
    await returnInvoiceCredit(tx, { merchantId, invoiceId, orderingKey: orderingKeyOf(session), now });
  }
}

async function closeCheckout(
  tx: Tx,
  { intent, session, invoice }: LockedSession,
  now: Date,
): Promise<NewEvent[]> {
  const voided = await endInvoice(tx, {
    before: invoice,
    after: { ...invoice, status: 'void' },
    event: 'invoice.voided',
    orderingKey: orderingKeyOf(session),
    now,
  });
  const canceled = await changeSession(tx, {
    before: session,
    after: withVolume({ ...session, status: 'canceled' }, now),
    event: 'checkout.session.canceled',
    txSignature: intent.txSignature,
  });
  return [...voided, canceled, ...(await endSubscription(tx, session, now))];
}

/** A subscription whose first payment never came ends; one that ended overdue can no longer be revived by a payment. */
async function endSubscription(
  tx: Tx,
  { merchantId, subscriptionId, invoiceId }: Session,
  now: Date,
): Promise<NewEvent[]> {
  if (subscriptionId === null) return [];
  const before = (await lockSubscription(tx, { merchantId, id: subscriptionId }))!;
  if (before.renewalInvoiceId === invoiceId)
    await storeSubscriptionQuietly(tx, { ...before, renewalInvoiceId: null });
  if (before.status !== 'incomplete') return [];
  const { event } = await changeSubscription(tx, {
    before,
    after: { ...before, status: 'canceled', canceledAt: now, cancelReason: 'requested' },
    event: 'subscription.canceled',
  });
  return [event];
}

export function paymentUnderWay(): AppError {
  return new AppError('INVALID_STATE', {
    message:
      'A payment of this customer is in progress or was made in part; wait until it is complete, or refund it.',
  });
}

export function openInvoice(): AppError {
  return new AppError('INVALID_STATE', {
    message: 'This customer has an open invoice; void it or wait until it is paid.',
  });
}
