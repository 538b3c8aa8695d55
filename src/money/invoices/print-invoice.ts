import { findCustomer } from '../../accounts/customers/queries.ts';
import { readLogoImage } from '../../accounts/logos/read-logo-image.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { InvoiceDocument } from '../../platform/pdf/invoice-document.ts';
import { amountDueCents, type Invoice, openedAtOf } from './invoice.ts';
import { printTax } from './print-parties.ts';
import { findDestinationOf, findInvoice, type InvoiceRef } from './queries.ts';
import { taxesOf } from './taxes-of.ts';

/** Printed instead of a number on an invoice that has none yet. */
const UNNUMBERED = 'Draft';

export function fileNameOf(number: string): string {
  return `${number.replace(/[^\w.-]/g, '_')}.pdf`;
}

/** An invoice as a person reads it, made from what is stored at this moment. */
export async function printInvoice(
  db: Queryable,
  ref: InvoiceRef,
  network: InvoiceDocument['network'],
): Promise<{ number: string; bytes: Buffer }> {
  const invoice = await findInvoice(db, ref);
  if (!invoice) throw new AppError('NOT_FOUND');
  // Loaded when the first invoice is printed: it is a large part of the code, and most processes never need it.
  const { renderInvoicePdf } = await import('../../platform/pdf/render-invoice-pdf.ts');
  const bytes = await renderInvoicePdf(await describe(db, invoice, network));
  return { number: invoice.number ?? UNNUMBERED, bytes: Buffer.from(bytes) };
}

async function describe(
  db: Queryable,
  invoice: Invoice,
  network: InvoiceDocument['network'],
): Promise<InvoiceDocument> {
  const { merchantId, projectId, customerId } = invoice;
  const [brand, project, customer, payoutAddress] = await Promise.all([
    readProjectBrand(db, { merchantId, id: projectId }),
    findProject(db, { merchantId, id: projectId }),
    customerId === null ? undefined : findCustomer(db, { merchantId, id: customerId }),
    findDestinationOf(db, invoice),
  ]);
  return {
    number: invoice.number ?? UNNUMBERED,
    status: invoice.status,
    issuedAt: openedAtOf(invoice) ?? invoice.createdAt,
    dueAt: invoice.dueAt,
    paidAt: invoice.paidAt,
    currency: 'USD',
    merchant: { name: brand.name, payoutAddress: payoutAddress ?? null },
    brandColor: brand.brandColor,
    logo: brand.logoFile === null ? null : await readLogoImage(db, merchantId, brand.logoFile),
    project: { name: project!.name },
    customer: customer ?? null,
    lines: invoice.lines,
    subtotalCents: invoice.subtotalCents,
    discount: invoice.discount,
    discountCents: invoice.discountCents,
    ...printTax(invoice.tax, taxesOf(invoice.lines)),
    creditAppliedCents: invoice.creditAppliedCents,
    totalCents: invoice.totalCents,
    amountPaidCents: invoice.amountPaidCents,
    refundedCents: invoice.refundedCents,
    amountDueCents: amountDueCents(invoice),
    periodStart: invoice.periodStart,
    periodEnd: invoice.periodEnd,
    merchantReference: invoice.merchantReference,
    clientReferenceId: invoice.clientReferenceId,
    txSignature: invoice.txSignature,
    memo: invoice.memo,
    payUrl: invoice.checkoutUrl,
    network,
  };
}
