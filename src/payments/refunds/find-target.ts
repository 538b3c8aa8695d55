import { findIntentOfInvoice } from '../../billing/checkout-sessions/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import type { CreateBody } from './bodies.ts';

/** The payment that is refunded, named in exactly one way. */
export async function findTarget(db: Database, merchantId: string, body: CreateBody) {
  const given = [body.paymentIntentId, body.invoiceId, body.exceptionId].filter(Boolean);
  if (given.length !== 1)
    throw badField('paymentIntentId', 'or invoiceId or exceptionId is required, and only one of them');
  const exceptionId = body.exceptionId?.toLowerCase() ?? null;
  if (!body.invoiceId) return { paymentIntentId: body.paymentIntentId?.toLowerCase() ?? null, exceptionId };
  const intentId = await findIntentOfInvoice(db, merchantId, body.invoiceId.toLowerCase());
  if (!intentId) throw badField('invoiceId', 'must be the id of one of your invoices that was paid on chain');
  return { paymentIntentId: intentId, exceptionId };
}
