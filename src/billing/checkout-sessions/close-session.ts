import type { Intent } from '../../intents/intent.ts';
import { withdrawIntent } from '../../intents/withdraw-intent.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { endInvoice } from '../invoices/change-invoice.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { returnInvoiceCredit } from '../ledger/post.ts';
import { changeSession, orderingKeyOf } from './change-session.ts';
import { type Session, withVolume } from './session.ts';

/** Everything of one session, locked. */
export interface LockedSession {
  intent: Intent;
  session: Session;
  invoice: Invoice;
}

/**
 * Closes an open session permanently: the session is canceled, the invoice void, its account credit returned, and the
 * intent canceled, or withdrawn if money was seen. Money that was seen, or arrives later, is unapplied.
 */
export async function closeSession(
  tx: Tx,
  { intent, session: before, invoice }: LockedSession,
  now: Date,
): Promise<{ session: Session; events: NewEvent[] }> {
  const orderingKey = orderingKeyOf(before);
  await withdrawIntent(tx, intent, now);
  const voided = await endInvoice(tx, {
    before: invoice,
    after: { ...invoice, status: 'void' },
    event: 'invoice.voided',
    orderingKey,
    now,
  });
  const session = withVolume({ ...before, status: 'canceled' }, now);
  const canceled = await changeSession(tx, {
    before,
    after: session,
    event: 'checkout.session.canceled',
    txSignature: intent.txSignature,
  });
  await returnInvoiceCredit(tx, { merchantId: invoice.merchantId, invoiceId: invoice.id, orderingKey, now });
  return { session, events: [...voided, canceled] };
}
