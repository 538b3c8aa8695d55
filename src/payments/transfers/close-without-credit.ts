import { closeSession } from '../../billing/checkout-sessions/close-session.ts';
import { lockWholeSession } from '../../billing/checkout-sessions/lock-session.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { isInvoiceCreditLeft } from '../../billing/ledger/post.ts';
import { dropLateRenewal } from '../../billing/renewals/end-unpaid.ts';
import { lockSubscription } from '../../billing/subscriptions/queries.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';

/**
 * Cancels a late renewal that somebody looks at when its account credit is spent, so that nobody pays what the rest alone
 * cannot buy; then it answers true.
 */
export async function closeWithoutCredit(db: Database, session: Session, now: Date): Promise<boolean> {
  if (!isLate(session)) return false;
  return db.transaction(async (tx) => {
    const locked = await lockWholeSession(tx, session.merchantId, session.paymentIntentId);
    const { intent, invoice } = locked;
    if (!isLate(locked.session) || !(await isCreditSpent(tx, invoice))) return false;
    if (await hasPaymentUnderWay(tx, intent)) return false;
    const { events } = await closeSession(tx, locked, now);
    await appendEvents(tx, [...events, await dropLateRenewal(tx, invoice)], now);
    return true;
  });
}

function isLate({ origin, status }: Session): boolean {
  return origin === 'renewal' && status === 'expired';
}

/** True if the credit that paid a part of an invoice went back to the customer, who no longer has all of it. */
export async function isCreditSpent(tx: Tx, invoice: Invoice): Promise<boolean> {
  if (invoice.creditAppliedCents === 0n || invoice.status !== 'uncollectible') return false;
  const { merchantId, subscriptionId, id: invoiceId } = invoice;
  // The subscription before the balance, as renewals lock them.
  if (subscriptionId !== null) await lockSubscription(tx, { merchantId, id: subscriptionId });
  return !(await isInvoiceCreditLeft(tx, { merchantId, invoiceId }));
}
