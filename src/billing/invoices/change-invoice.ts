import assert from 'node:assert';
import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { inInt64 } from '../pricing/price-cart.ts';
import { type Invoice, TRANSITIONS, totalsOf } from './invoice.ts';
import { presentInvoice } from './present.ts';
import { deleteInvoices, updateInvoice, updateLines } from './queries.ts';

export { deleteInvoices };

export type InvoiceEvent =
  | 'invoice.created'
  | 'invoice.upcoming'
  | 'invoice.paid'
  | 'invoice.underpaid'
  | 'invoice.refunded'
  | 'invoice.overdue'
  | 'invoice.voided'
  | 'invoice.uncollectible'
  | 'invoice.updated';

export interface InvoiceChange {
  before: Invoice;
  after: Invoice;
  event: InvoiceEvent;
  /** Events of one ordering key are first delivered in order. */
  orderingKey: string;
  now: Date;
}

/** Stores a locked invoice's change and answers its event, for the caller to append in the right order. */
export async function changeInvoice(tx: Tx, change: InvoiceChange): Promise<NewEvent> {
  const { before, now, event, orderingKey } = change;
  const after = { ...change.after, sequence: before.sequence + 1 };
  assert(
    before.status === after.status || TRANSITIONS[before.status].includes(after.status),
    `an invoice cannot go from ${before.status} to ${after.status}`,
  );
  await updateInvoice(tx, after);
  return invoiceEvent(event, after, before.status, orderingKey, now);
}

/** Ends an invoice unpaid. One that never had a number goes as quietly as it came. */
export async function endInvoice(tx: Tx, change: InvoiceChange): Promise<NewEvent[]> {
  if (change.before.number !== null) return [await changeInvoice(tx, change)];
  await updateInvoice(tx, change.after);
  return [];
}

/** Name of the event for any other change of an invoice. */
const UPDATED: InvoiceEvent = 'invoice.updated';

/** Stores any other change of the money behind a locked invoice. One without a number has no event, as ever. */
export function adjustInvoice(tx: Tx, change: Omit<InvoiceChange, 'event'>): Promise<NewEvent[]> {
  return endInvoice(tx, { ...change, event: UPDATED });
}

/** Other lines and another discount on a locked invoice that nothing was paid toward. One without a number has no event. */
export async function repriceInvoice(
  tx: Tx,
  { before, after, orderingKey, now }: Omit<InvoiceChange, 'event'>,
): Promise<NewEvent[]> {
  const isTold = before.number !== null;
  const totals = totalsOf(after.lines, after.creditAppliedCents);
  inInt64(totals.subtotalCents, 'amount');
  inInt64(totals.totalCents + after.creditAppliedCents, 'amount');
  const repriced = {
    ...after,
    ...totals,
    sequence: before.sequence + (isTold ? 1 : 0),
  };
  await updateLines(tx, repriced);
  return isTold ? [invoiceEvent(UPDATED, repriced, before.status, orderingKey, now)] : [];
}

export function invoiceEvent(
  event: InvoiceEvent,
  invoice: Invoice,
  previousStatus: string | null,
  orderingKey: string,
  now: Date,
): NewEvent {
  return {
    merchantId: invoice.merchantId,
    event,
    objectType: 'invoice',
    objectId: invoice.id,
    sequence: invoice.sequence,
    status: invoice.status,
    previousStatus,
    orderingKey,
    data: {
      projectId: invoice.projectId,
      status: invoice.status,
      previousStatus,
      customerId: invoice.customerId,
      externalCustomerId: invoice.externalCustomerId,
      merchantReference: invoice.merchantReference,
      clientReferenceId: invoice.clientReferenceId,
      txSignature: invoice.txSignature,
      invoice: presentInvoice(invoice, now),
    },
  };
}
