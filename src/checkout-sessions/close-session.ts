import type { Tx } from '../db/database.ts';
import type { NewEvent } from '../events/append-events.ts';
import { hasPaymentUnderWay } from '../intents/has-pending-credit.ts';
import { type Intent, isUnseen } from '../intents/intent.ts';
import { moveIntents } from '../intents/move-intents.ts';
import { endInvoice } from '../invoices/change-invoice.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { returnInvoiceCredit } from '../ledger/post.ts';
import { changeSession, laneOf } from './change-session.ts';
import { type Session, withVolume } from './session.ts';

/** Everything of one session, locked. */
export interface LockedSession {
  intent: Intent;
  session: Session;
  invoice: Invoice;
}

/**
 * Ends an open session for good: session canceled, invoice void, its account credit given back, and the intent
 * canceled unless money was seen. Money that was seen, or comes later, buys nothing any more: it is stray.
 */
export async function closeSession(
  tx: Tx,
  { intent, session: before, invoice }: LockedSession,
  now: Date,
): Promise<{ session: Session; events: NewEvent[] }> {
  const lane = laneOf(before);
  if (isUnseen(intent) && !(await hasPaymentUnderWay(tx, intent))) {
    await moveIntents(tx, [intent], 'canceled', now);
  }
  const voided = await endInvoice(tx, {
    before: invoice,
    after: { ...invoice, status: 'void' },
    event: 'invoice.voided',
    lane,
    now,
  });
  const session = withVolume({ ...before, status: 'canceled' }, now);
  const canceled = await changeSession(tx, {
    before,
    after: session,
    event: 'checkout.session.canceled',
    txSignature: intent.txSignature,
  });
  await returnInvoiceCredit(tx, { merchantId: invoice.merchantId, invoiceId: invoice.id, lane, now });
  return { session, events: [...voided, canceled] };
}
