import type { Tx } from '../../platform/db/database.ts';
import { deleteDraft } from './draft-queries.ts';
import { type Invoice, invoices, totalsOf } from './invoice.ts';
import { insertInvoices, toRow } from './queries.ts';

export { deleteDraft };

/** A new draft, with its totals. It has no event: only what is open is anybody's business. */
export async function insertDraft(tx: Tx, draft: Invoice): Promise<Invoice> {
  const invoice = { ...draft, ...totalsOf(draft.lines, 0n) };
  await insertInvoices(tx, [{ invoice, number: null }]);
  return invoice;
}

/** Stores a locked draft's change, with its totals. */
export async function storeDraft(tx: Tx, draft: Invoice): Promise<Invoice> {
  const invoice = { ...draft, ...totalsOf(draft.lines, 0n) };
  await invoices.update(tx, invoice, toRow(invoice));
  return invoice;
}

/** Notes on a locked invoice that it was e-mailed once more. */
export async function storeSent(tx: Tx, before: Invoice, now: Date): Promise<Invoice> {
  const invoice = { ...before, sentAt: now, timesSent: before.timesSent + 1 };
  await invoices.store(tx, invoice, ['sentAt', 'timesSent']);
  return invoice;
}

/** Notes on a locked invoice which reminder comes next. */
export const storeSteps = (tx: Tx, invoice: Invoice) =>
  invoices.store(tx, invoice, ['nextStepAt', 'stepsDone']);
