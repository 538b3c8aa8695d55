import type { Tx } from '../db/database.ts';
import type { NewEvent } from '../events/append-events.ts';
import { takeInvoiceNumber } from '../projects/next-invoice-number.ts';
import { invoiceEvent } from './change-invoice.ts';
import { type Invoice, sumOfLines } from './invoice.ts';
import { insertInvoice } from './queries.ts';

export type InvoiceDraft = Omit<
  Invoice,
  | 'number'
  | 'status'
  | 'subtotalCents'
  | 'totalCents'
  | 'amountPaidCents'
  | 'txSignature'
  | 'sequence'
  | 'paidAt'
>;

/**
 * Opens an invoice and gives it the project's next number. The number is taken in the caller's transaction: one
 * that fails leaves no gap, and one that is under way makes the next wait.
 */
export async function openInvoice(
  tx: Tx,
  draft: InvoiceDraft,
  lane: string,
): Promise<{ invoice: Invoice; event: NewEvent }> {
  const { merchantId, projectId, createdAt } = draft;
  const subtotalCents = sumOfLines(draft.lines);
  const taken = await takeInvoiceNumber(tx, { merchantId, projectId });
  const invoice: Invoice = {
    ...draft,
    number: taken.text,
    status: 'open',
    subtotalCents,
    totalCents: subtotalCents - draft.creditAppliedCents,
    amountPaidCents: 0n,
    txSignature: null,
    sequence: 1,
    paidAt: null,
  };
  await insertInvoice(tx, invoice, taken.number);
  return { invoice, event: invoiceEvent('invoice.created', invoice, null, lane, createdAt) };
}
