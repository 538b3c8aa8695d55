import { lockIntent } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lockInvoiceOfSession } from '../invoices/queries.ts';
import type { LockedSession } from './close-session.ts';
import { lockSessionOfIntent } from './queries.ts';

/** Intent, session, invoice: always in this order, to avoid deadlocks. */
export async function lockWholeSession(tx: Tx, merchantId: string, intentId: string): Promise<LockedSession> {
  const intent = (await lockIntent(tx, { merchantId, id: intentId }))!;
  const session = (await lockSessionOfIntent(tx, merchantId, intentId))!;
  const invoice = (await lockInvoiceOfSession(tx, merchantId, session.id))!;
  return { intent, session, invoice };
}
