import { changeSession, orderingKeyOf } from '../../billing/checkout-sessions/change-session.ts';
import { closeSession } from '../../billing/checkout-sessions/close-session.ts';
import { registerBuyer } from '../../billing/checkout-sessions/register-buyer.ts';
import { type Session, withVolume } from '../../billing/checkout-sessions/session.ts';
import { numberInvoice } from '../../billing/invoices/create-invoice.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { dropLateRenewal, endUnpaid } from '../../billing/renewals/end-unpaid.ts';
import { lockSubscription } from '../../billing/subscriptions/queries.ts';
import { type Intent, receivedCents } from '../../intents/intent.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { announceSubscription } from './announce-subscription.ts';

/** An intent before and after its money came. */
export interface Funded {
  before: Intent;
  after: Intent;
}

/**
 * Closes a checkout whose money came when it could not buy anything any more: session and invoice end, and with them the subscription that
 * it was to begin, or the change. The money is final, so a stranger becomes a customer by it, as by any other; it is dealt with a moment later.
 */
export async function refusePayment(
  tx: Tx,
  locked: Session,
  unpaid: Invoice,
  funded: Funded,
  now: Date,
): Promise<void> {
  const isStranger = unpaid.number === null;
  const named = isStranger ? await nameBuyer(tx, locked, unpaid, funded, now) : undefined;
  const { session, invoice, events } = named ?? {
    ...{ session: withReceived(locked, funded), invoice: unpaid, events: [] },
  };
  const paid = withMoney(invoice, funded);
  const closed = await closeSession(tx, { intent: funded.after, session, invoice: paid }, now);
  await appendEvents(tx, [...events, ...closed.events, ...(await endBought(tx, invoice, now))], now);
}

/** Closed as one that money came for, so that what came is found and dealt with: whatever came, it is not paid. */
function withReceived(session: Session, { after }: Funded): Session {
  return { ...session, paymentStatus: 'underpaid', amountReceivedCents: receivedCents(after) };
}

async function nameBuyer(
  tx: Tx,
  before: Session,
  unpaid: Invoice,
  funded: Funded,
  now: Date,
): Promise<{ session: Session; invoice: Invoice; events: NewEvent[] }> {
  const buyer = await registerBuyer(tx, before, now);
  const session = withVolume(withReceived(buyer.session, funded), now);
  const { txSignature } = funded.after;
  const event = 'checkout.session.updated';
  const told = await changeSession(tx, { before: buyer.session, after: session, event, txSignature });
  // After the volume, because all lock in one order.
  const { customerId, subscriptionId } = session;
  const draft = { ...unpaid, customerId, subscriptionId };
  const numbered = await numberInvoice(tx, draft, orderingKeyOf(session), now);
  const started = buyer.subscription
    ? [await announceSubscription(tx, buyer.subscription, numbered.invoice)]
    : [];
  return {
    session: { ...session, sequence: session.sequence + 1 },
    invoice: numbered.invoice,
    events: [numbered.event, told, ...started],
  };
}

/**
 * Ends what the invoice was to begin or change. A subscription whose deadline passed unpaid has ended already and
 * stays ended.
 */
async function endBought(tx: Tx, invoice: Invoice, now: Date): Promise<NewEvent[]> {
  const { merchantId, subscriptionId, billingReason } = invoice;
  if (subscriptionId === null) return [];
  if (billingReason === 'subscription_cycle') return [await dropLateRenewal(tx, invoice)];
  const { status } = (await lockSubscription(tx, { merchantId, id: subscriptionId }))!;
  const hasEnded = billingReason === 'subscription_create' && status !== 'incomplete';
  return hasEnded ? [] : [await endUnpaid(tx, invoice, now)];
}

export function withMoney(invoice: Invoice, { before, after }: Funded): Invoice {
  return {
    ...invoice,
    amountPaidCents: invoice.amountPaidCents + receivedCents(after) - receivedCents(before),
    txSignature: after.txSignature,
  };
}
