import { findCustomer } from '../../accounts/customers/queries.ts';
import { readStoredImage } from '../../accounts/images/read-stored-image.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import { creditedTaxes } from '../../billing/invoices/credit-shares.ts';
import type { Print } from '../../billing/invoices/print-invoice.ts';
import { printTax } from '../../billing/invoices/print-parties.ts';
import { findInvoice } from '../../billing/invoices/queries.ts';
import type { CreditNoteDocument } from '../../documents/layouts/credit-note-document.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { languageOf } from '../../platform/lib/language.ts';
import { findException } from '../transfers/exception-queries.ts';
import { type CreditNote, creditNoteNumber } from './credit-note.ts';
import { findRefund } from './queries.ts';
import { type Refund, refundNumber } from './refund.ts';

type PrintNote = Omit<Print, 'now'>;

/** A credit note as a person reads it. */
export async function printCreditNote(
  db: Queryable,
  note: CreditNote,
  print: PrintNote,
): Promise<{ number: string; bytes: Buffer }> {
  // Loaded with the first paper somebody prints, as an invoice's is.
  const { renderCreditNotePdf } = await import('../../documents/layouts/render-invoice-pdf.ts');
  const bytes = await renderCreditNotePdf(await describe(db, note, print));
  return { number: creditNoteNumber(note.number), bytes: Buffer.from(bytes) };
}

async function describe(
  db: Queryable,
  note: CreditNote,
  { network, language: wanted }: PrintNote,
): Promise<CreditNoteDocument> {
  const { merchantId, projectId, customerId, invoiceId } = note;
  const refund = (await findRefund(db, { merchantId, id: note.refundId }))!;
  const [brand, project, customer, invoice, isOverpayment] = await Promise.all([
    readProjectBrand(db, { merchantId, id: projectId }),
    projectId === null ? undefined : findProject(db, { merchantId, id: projectId }),
    customerId === null ? undefined : findCustomer(db, { merchantId, id: customerId }),
    invoiceId === null ? undefined : findInvoice(db, { merchantId, id: invoiceId }),
    wasOverpaid(db, refund),
  ]);
  const language = wanted ?? languageOf(customer?.language);
  return {
    language,
    number: creditNoteNumber(note.number),
    issuedAt: note.createdAt,
    refundNumber: refundNumber(refund.number),
    invoiceNumber: invoice?.number ?? null,
    merchant: { name: brand.name },
    brandColor: brand.brandColor,
    logo: brand.logoFile === null ? null : await readStoredImage(db, merchantId, brand.logoFile),
    project: project ?? null,
    customer: customer ?? null,
    isOverpayment,
    amountCents: note.amountCents,
    ...printTax(note.tax, creditedTaxes(note.shares), language),
    address: refund.address!,
    txSignature: refund.txSignature!,
    network,
  };
}

async function wasOverpaid(db: Queryable, { merchantId, exceptionId, reason }: Refund): Promise<boolean> {
  if (reason === 'overpaid') return true;
  const exception = exceptionId === null ? undefined : await findException(db, merchantId, exceptionId);
  return exception?.kind === 'surplus';
}
