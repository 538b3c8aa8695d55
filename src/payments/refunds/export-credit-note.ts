import type { CreditShare } from '../../billing/invoices/credit-shares.ts';
import { grossOf } from '../../billing/invoices/credit-shares.ts';
import { writeDocument, type XmlFormat } from '../../billing/invoices/export-invoice.ts';
import { type Invoice, openedAtOf } from '../../billing/invoices/invoice.ts';
import { findInvoice } from '../../billing/invoices/queries.ts';
import { notesOf } from '../../billing/invoices/structure-invoice.ts';
import { structureParties } from '../../billing/invoices/structure-parties.ts';
import { rateNamer, structureTaxes } from '../../billing/invoices/structure-taxes.ts';
import { toPercent } from '../../billing/tax-rates/tax-rate.ts';
import type { StructuredDocument, StructuredLine } from '../../documents/e-invoice/structured-document.ts';
import type { CreditNoteDocument } from '../../documents/layouts/credit-note-document.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type CreditNote, creditNoteNumber } from './credit-note.ts';

/** A credit note as other people's programs read it: what it takes back of its invoice, and nothing beyond that. */
export async function exportCreditNote(
  db: Queryable,
  note: CreditNote,
  format: XmlFormat,
  network: CreditNoteDocument['network'],
): Promise<{ number: string; xml: string }> {
  const { merchantId, invoiceId, shares } = note;
  if (invoiceId === null || shares.length === 0) {
    throw new AppError('INVALID_STATE', {
      message: 'This credit note corrects no invoice with a seller, so there is no XML for it.',
    });
  }
  const invoice = (await findInvoice(db, { merchantId, id: invoiceId }))!;
  const document = structureCreditNote(note, invoice, network !== 'mainnet');
  return { number: document.number, xml: writeDocument(document, format) };
}

export function structureCreditNote(note: CreditNote, invoice: Invoice, isTest: boolean): StructuredDocument {
  const { shares, tax } = note;
  const rateOf = rateNamer(shares, tax);
  const taxes = structureTaxes(shares, tax);
  const categories = new Set(taxes.map(({ category }) => category));
  const { seller, buyer } = structureParties(tax, categories, invoice.projectId);
  const grossCents = shares.map(grossOf).reduce((sum, cents) => sum + cents, 0n);
  return {
    kind: 'creditNote',
    number: creditNoteNumber(note.number),
    issuedAt: note.createdAt,
    dueAt: null,
    currency: 'USD',
    notes: notesOf(tax?.notes ?? [], isTest),
    buyerReference: invoice.clientReferenceId ?? invoice.merchantReference,
    corrects: { number: invoice.number!, issuedAt: openedAtOf(invoice)! },
    period: null,
    seller,
    buyer,
    deliveredTo: categories.has('K') ? buyer.country : null,
    lines: shares.map((share) => ({ ...structureShare(share, invoice.number!), ...rateOf(share) })),
    taxes,
    totals: {
      linesCents: grossCents - note.taxCents,
      taxCents: note.taxCents,
      grossCents,
      paidCents: grossCents,
      dueCents: 0n,
    },
    payment: { means: 'USDC on Solana', terms: 'Refunded in USDC on Solana.', account: null },
  };
}

function structureShare(
  { tax, netCents }: CreditShare,
  invoiceNumber: string,
): Omit<StructuredLine, 'category' | 'percent'> {
  const rate = tax ? `, ${tax.name}${tax.percentPpm > 0 ? ` ${toPercent(tax.percentPpm)}%` : ''}` : '';
  return {
    name: `Refund of invoice ${invoiceNumber}${rate}`,
    quantity: netCents < 0n ? -1n : 1n,
    priceCents: netCents < 0n ? -netCents : netCents,
    priceQuantity: 1n,
    allowance: null,
    netCents,
    period: null,
  };
}
