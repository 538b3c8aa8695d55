import { lockOneIntent } from '../../money/intents/lock-intents.ts';
import { lockInvoiceOfSession } from '../../money/invoices/change-invoice.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { LockedSession } from './close-session.ts';
import { findCreationIntent, findIntentOfInvoice, lockSessionOfIntent } from './queries.ts';

export { findCreationIntent, findIntentOfInvoice };

/** Intent, session, invoice: always in this order, so that nobody waits in a circle. */
export async function lockWholeSession(tx: Tx, merchantId: string, intentId: string): Promise<LockedSession> {
  const intent = (await lockOneIntent(tx, { merchantId, id: intentId }))!;
  const session = (await lockSessionOfIntent(tx, merchantId, intentId))!;
  const invoice = (await lockInvoiceOfSession(tx, merchantId, session.id))!;
  return { intent, session, invoice };
}
