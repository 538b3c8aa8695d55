import { findCustomer } from '../../accounts/customers/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { invoiceEvent } from './change-invoice.ts';
import { type Invoice, invoices } from './invoice.ts';
import { lockInvoice } from './queries.ts';

/** Books what has been sent back for an invoice. Its status stays: what was paid was paid. */
export async function refundInvoice(
  tx: Tx,
  ref: Ref,
  { cents, orderingKey, now }: { cents: Cents; orderingKey: string; now: Date },
): Promise<void> {
  const before = (await lockInvoice(tx, ref))!;
  const after = { ...before, refundedCents: before.refundedCents + cents, sequence: before.sequence + 1 };
  await invoices.store(tx, after, ['refundedCents', 'sequence']);
  const told = await withoutErasedBuyer(tx, after);
  await appendEvents(tx, [invoiceEvent('invoice.refunded', told, before.status, orderingKey, now)], now);
}

/** A deleted customer's document still names them; events about it do not. */
async function withoutErasedBuyer(tx: Tx, invoice: Invoice): Promise<Invoice> {
  const { merchantId, customerId, tax } = invoice;
  if (!tax?.buyer || customerId === null) return invoice;
  const isThere = await findCustomer(tx, { merchantId, id: customerId });
  return isThere ? invoice : { ...invoice, tax: { ...tax, buyer: null } };
}
