import {
  type InvoiceNumber,
  nextInvoiceNumber,
  nextInvoiceNumbers,
  type ToNumber,
} from '../../accounts/projects/next-invoice-number.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { invoiceEvent } from './change-invoice.ts';
import { type ByHand, type Invoice, invoices, NOT_BY_HAND, totalsOf } from './invoice.ts';
import { insertInvoices, toRow } from './queries.ts';

export type InvoiceDraft = Omit<
  Invoice,
  | 'number'
  | 'status'
  | 'subtotalCents'
  | 'discountCents'
  | 'taxCents'
  | 'taxAddedCents'
  | 'totalCents'
  | 'amountPaidCents'
  | 'waivedCents'
  | 'remindedAt'
  | 'timesReminded'
  | 'refundedCents'
  | 'txSignature'
  | 'sequence'
  | 'paidAt'
  | keyof ByHand
> &
  Partial<Omit<ByHand, 'draft'>>;

/**
 * Opens an invoice with the project's next number. The number is assigned in the caller's transaction: a rollback
 * leaves no gap, and a concurrent transaction waits for this one.
 */
export async function createInvoice(
  tx: Tx,
  draft: InvoiceDraft,
  orderingKey: string,
): Promise<{ invoice: Invoice; event: NewEvent }> {
  const taken = await nextInvoiceNumber(tx, toNumber(draft));
  const opened = open(draft, taken, orderingKey);
  await insertInvoices(tx, [{ invoice: opened.invoice, number: taken.number }]);
  return opened;
}

/** Opens a locked draft made by hand, under its own id, in the same way. */
export async function openDraft(
  tx: Tx,
  draft: InvoiceDraft,
  orderingKey: string,
): Promise<{ invoice: Invoice; event: NewEvent }> {
  const taken = await nextInvoiceNumber(tx, toNumber(draft));
  const opened = open(draft, taken, orderingKey);
  await invoices.update(tx, draft, { ...toRow(opened.invoice), number: taken.number });
  return opened;
}

/** An invoice without a number: it gets one with its first money, and is announced then. */
export async function draftInvoice(tx: Tx, draft: InvoiceDraft): Promise<Invoice> {
  const invoice: Invoice = { ...invoiceOf(draft), number: null, sequence: 0 };
  await insertInvoices(tx, [{ invoice, number: null }]);
  return invoice;
}

/**
 * Gives a drafted, locked invoice the project's next number, and its buyer as far as known. Its seller, tax and date stay
 * those of the day on which it was offered and accepted, also where the project has another seller by now.
 */
export async function numberInvoice(
  tx: Tx,
  draft: Invoice,
  orderingKey: string,
  now: Date,
): Promise<{ invoice: Invoice; event: NewEvent }> {
  const taken = await nextInvoiceNumber(tx, toNumber(draft));
  const invoice: Invoice = { ...draft, number: taken.text, sequence: 1 };
  const row = { ...toRow(invoice), number: taken.number };
  await invoices.store(tx, row, ['number', 'numberText', 'customerId', 'subscriptionId', 'sequence']);
  return { invoice, event: invoiceEvent('invoice.created', invoice, null, orderingKey, now) };
}

/** Opens many: the numbers of a project follow the order of its drafts. */
export async function openInvoices(
  tx: Tx,
  drafts: readonly { draft: InvoiceDraft; orderingKey: string }[],
): Promise<{ invoice: Invoice; event: NewEvent }[]> {
  const taken = await nextInvoiceNumbers(
    tx,
    drafts.map(({ draft }) => toNumber(draft)),
  );
  const opened = drafts.map(({ draft, orderingKey }, i) => open(draft, taken[i]!, orderingKey));
  await insertInvoices(
    tx,
    opened.map(({ invoice }, i) => ({ invoice, number: taken[i]!.number })),
  );
  return opened;
}

function toNumber({
  merchantId,
  projectId,
  tax,
}: Pick<Invoice, 'merchantId' | 'projectId' | 'tax'>): ToNumber {
  return { merchantId, projectId, seller: tax?.seller ?? null };
}

function open(
  draft: InvoiceDraft,
  { text }: InvoiceNumber,
  orderingKey: string,
): { invoice: Invoice; event: NewEvent } {
  const invoice: Invoice = { ...invoiceOf(draft), number: text, sequence: 1 };
  return {
    invoice,
    event: invoiceEvent('invoice.created', invoice, null, orderingKey, draft.openedAt ?? draft.createdAt),
  };
}

function invoiceOf(draft: InvoiceDraft): Omit<Invoice, 'number' | 'sequence'> {
  return {
    ...NOT_BY_HAND,
    ...draft,
    status: 'open',
    ...totalsOf(draft.lines, draft.creditAppliedCents),
    amountPaidCents: 0n,
    waivedCents: 0n,
    remindedAt: null,
    timesReminded: 0,
    refundedCents: 0n,
    txSignature: null,
    paidAt: null,
  };
}
