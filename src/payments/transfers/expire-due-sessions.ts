import { changeSession, orderingKeyOf } from '../../billing/checkout-sessions/change-session.ts';
import { closeSession, type LockedSession } from '../../billing/checkout-sessions/close-session.ts';
import { lockWholeSession } from '../../billing/checkout-sessions/lock-session.ts';
import { withVolume } from '../../billing/checkout-sessions/session.ts';
import { releaseExpired } from '../../billing/discounts/redeem.ts';
import { endInvoice } from '../../billing/invoices/change-invoice.ts';
import { emailCustomer } from '../../billing/invoices/email-customer.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { returnInvoiceCredit } from '../../billing/ledger/post.ts';
import { hasLimit } from '../../billing/payment-links/queries.ts';
import { endUnpaid } from '../../billing/renewals/end-unpaid.ts';
import { findSubscription } from '../../billing/subscriptions/queries.ts';
import { isRunning } from '../../billing/subscriptions/subscription.ts';
import { type Intent, isUnseen } from '../../intents/intent.ts';
import { moveIntents } from '../../intents/move-intents.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { type DueSession, listDueSessions, SESSIONS_TO_EXPIRE } from './session-queries.ts';

const SLICE = 200;

/**
 * Ends every open session whose deadline has passed, and returns how many; but only where the chain has been read
 * past that moment and no payment is under way. What was received in part stays where it is, and full payment in
 * the 30 days after still completes all of it.
 */
export function expireDueSessions(db: Database, now: Date, log?: Logger): Promise<number> {
  return eachAlone({ db, log }, SESSIONS_TO_EXPIRE, now, async (alone) => {
    let expired = 0;
    for (;;) {
      const failed = alone.failures();
      const due = await listDueSessions(db, now, SLICE);
      let moved = 0;
      for (const session of due) {
        const item = { merchantId: session.merchantId, id: session.sessionId };
        if (await alone(item, () => db.transaction((tx) => expireSession(tx, session, now)))) moved++;
      }
      expired += moved;
      if (due.length < SLICE || (moved === 0 && alone.failures() === failed)) return expired;
    }
  });
}

async function expireSession(tx: Tx, { merchantId, intentId }: DueSession, now: Date): Promise<boolean> {
  const locked = await lockWholeSession(tx, merchantId, intentId);
  if (locked.session.status !== 'open' || !isSettled(locked.intent)) return false;
  // Money that is confirmed but not final yet may still make it complete, or at least part of it.
  if (await hasPaymentUnderWay(tx, locked.intent)) return false;
  const { invoice } = locked;
  if (await isYetToFallDue(tx, invoice)) return false;
  // A plan is changed in time or not at all, and what is sold in a limited number may be somebody else's by now.
  const isOver = invoice.billingReason === 'subscription_change' || (await isUnpaidOfLimited(tx, locked));
  // Everything else can still be paid for a while.
  const events = isOver ? (await closeSession(tx, locked, now)).events : await giveUp(tx, locked, now);
  const ended = invoice.subscriptionId ? [await endUnpaid(tx, invoice, now)] : [];
  await appendEvents(tx, [...events, ...ended], now);
  if (invoice.billingReason === 'subscription_cycle') {
    await emailCustomer(tx, invoice, { kind: 'canceled', payUrl: locked.session.checkoutUrl });
  }
  if (!isOver)
    await returnInvoiceCredit(tx, {
      merchantId,
      invoiceId: invoice.id,
      orderingKey: orderingKeyOf(locked.session),
      now,
    });
  return true;
}

/**
 * True if a renewal must still become overdue: after a pause both may be due, and it becomes overdue, with its event,
 * before it becomes uncollectible.
 */
async function isYetToFallDue(
  tx: Tx,
  { merchantId, subscriptionId, billingReason }: Invoice,
): Promise<boolean> {
  if (billingReason !== 'subscription_cycle') return false;
  return isRunning((await findSubscription(tx, { merchantId, id: subscriptionId! }))!);
}

/** One that was paid in part can still be completed while a place is left. */
async function isUnpaidOfLimited(tx: Tx, { intent, session }: LockedSession): Promise<boolean> {
  const { merchantId, paymentLinkId } = session;
  if (paymentLinkId === null || !isUnseen(intent)) return false;
  return hasLimit(tx, { merchantId, id: paymentLinkId });
}

async function giveUp(tx: Tx, { intent, session, invoice }: LockedSession, now: Date): Promise<NewEvent[]> {
  if (isUnseen(intent)) await moveIntents(tx, [intent], 'expired', now);
  const uncollectible = await endInvoice(tx, {
    before: invoice,
    after: { ...invoice, status: 'uncollectible' },
    event: 'invoice.uncollectible',
    orderingKey: orderingKeyOf(session),
    now,
  });
  if (session.discount && session.origin !== 'renewal')
    await releaseExpired(tx, { merchantId: session.merchantId, sessionId: session.id }, now);
  const expired = await changeSession(tx, {
    before: session,
    after: withVolume({ ...session, status: 'expired' }, now),
    event: 'checkout.session.expired',
    txSignature: intent.txSignature,
  });
  return [...uncollectible, expired];
}

function isSettled({ status }: Intent): boolean {
  return status === 'pending' || status === 'failed' || status === 'underpaid';
}
