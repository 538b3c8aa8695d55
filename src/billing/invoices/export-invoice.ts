import type { StructuredDocument } from '../../documents/e-invoice/structured-document.ts';
import { writeCii } from '../../documents/e-invoice/write-cii.ts';
import { writeUbl } from '../../documents/e-invoice/write-ubl.ts';
import type { InvoiceDocument } from '../../documents/layouts/invoice-document.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { findInvoice, findPaymentWay } from './queries.ts';
import { structureInvoice } from './structure-invoice.ts';

export const XML_FORMATS = ['ubl', 'cii'] as const;
export type XmlFormat = (typeof XML_FORMATS)[number];

/** An invoice as other people's programs read it. */
export async function exportInvoice(
  db: Queryable,
  ref: Ref,
  format: XmlFormat,
  network: InvoiceDocument['network'],
): Promise<{ number: string; xml: string }> {
  const invoice = await findInvoice(db, ref);
  if (!invoice) throw new AppError('NOT_FOUND');
  const way = await findPaymentWay(db, ref);
  const document = structureInvoice(invoice, way?.destination ?? null, network !== 'mainnet');
  return { number: document.number, xml: writeDocument(document, format) };
}

export function writeDocument(document: StructuredDocument, format: XmlFormat): string {
  return format === 'cii' ? writeCii(document) : writeUbl(document);
}
