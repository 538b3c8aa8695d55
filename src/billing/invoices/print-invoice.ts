import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { findCustomer } from '../../accounts/customers/queries.ts';
import { readStoredImage } from '../../accounts/images/read-stored-image.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { InvoiceDocument } from '../../documents/layouts/invoice-document.ts';
import { paperMessages } from '../../documents/layouts/messages/languages.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type Language, languageOf } from '../../platform/lib/language.ts';
import { Memo } from '../../platform/lib/memo.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { amountDueCents, type Invoice, openedAtOf } from './invoice.ts';
import { isPayable } from './payable.ts';
import { printTax } from './print-parties.ts';
import { findInvoice, findPaymentWay } from './queries.ts';
import { standardTextOf } from './standard-text.ts';
import { taxesOf } from './taxes-of.ts';

/** The file of an invoice that has no number yet. */
const UNNUMBERED = 'Draft';

export interface Print {
  network: InvoiceDocument['network'];
  /** The customer's unless it is given. */
  language?: Language | undefined;
  /** The time of printing, which decides if there is a link to pay it. */
  now: Date;
  /**
   * The buyer as they described themselves: anyone may read this copy, so nothing stored about a customer is printed.
   */
  buyer?: { name: string | null; email: string | null };
}

export function fileNameOf(number: string): string {
  return `${number.replace(/[^\w.-]/g, '_')}.pdf`;
}

/** An invoice as a person reads it, made from what is stored at this moment. */
export async function printInvoice(
  db: Queryable,
  ref: Ref,
  print: Print,
): Promise<{ number: string; bytes: Buffer }> {
  const invoice = await findInvoice(db, ref);
  if (!invoice) throw new AppError('NOT_FOUND');
  const bytes = await renderOnce(await describe(db, invoice, print));
  return { number: invoice.number ?? UNNUMBERED, bytes };
}

const MAX_RENDERED = 50;
/** By what they show: rendering costs a hundred times what reading it does, and somebody may ask again and again. */
const rendered = new Memo<Buffer>(MAX_RENDERED);

async function renderOnce(document: InvoiceDocument): Promise<Buffer> {
  const key = createHash('sha256').update(serialize(document)).digest('base64');
  return rendered.read(key, () => render(document));
}

async function render(document: InvoiceDocument): Promise<Buffer> {
  // Loaded when the first invoice is printed: it is a large part of the code, and most processes never need it.
  const { renderInvoicePdf } = await import('../../documents/layouts/render-invoice-pdf.ts');
  return Buffer.from(await renderInvoicePdf(document));
}

async function describe(
  db: Queryable,
  invoice: Invoice,
  { network, language: wanted, now, buyer }: Print,
): Promise<InvoiceDocument> {
  const { merchantId, projectId, customerId } = invoice;
  const [brand, project, customer, way] = await Promise.all([
    readProjectBrand(db, { merchantId, id: projectId }),
    findProject(db, { merchantId, id: projectId }),
    customerId === null ? undefined : findCustomer(db, { merchantId, id: customerId }),
    findPaymentWay(db, invoice),
  ]);
  const language = wanted ?? languageOf(customer?.language);
  return {
    language,
    number: invoice.number ?? paperMessages[language].draft,
    status: invoice.status,
    issuedAt: openedAtOf(invoice) ?? invoice.createdAt,
    dueAt: invoice.dueAt,
    paidAt: invoice.paidAt,
    currency: 'USD',
    merchant: { name: brand.name, payoutAddress: way?.destination ?? null },
    brandColor: brand.brandColor,
    logo: brand.logoFile === null ? null : await readStoredImage(db, merchantId, brand.logoFile),
    project: { name: project!.name },
    customer: buyer ? { ...buyer, externalCustomerId: null } : (customer ?? null),
    lines: invoice.lines.map((line) => ({ ...line, standardText: standardTextOf(invoice, line) })),
    subtotalCents: invoice.subtotalCents,
    discount: invoice.discount,
    discountCents: invoice.discountCents,
    ...printTax(invoice.tax, taxesOf(invoice.lines), language),
    creditAppliedCents: invoice.creditAppliedCents,
    totalCents: invoice.totalCents,
    amountPaidCents: invoice.amountPaidCents,
    waivedCents: invoice.waivedCents,
    refundedCents: invoice.refundedCents,
    amountDueCents: amountDueCents(invoice),
    periodStart: invoice.periodStart,
    periodEnd: invoice.periodEnd,
    merchantReference: invoice.merchantReference,
    clientReferenceId: invoice.clientReferenceId,
    txSignature: invoice.txSignature,
    memo: invoice.memo,
    payUrl: way && isPayable(way, invoice, now) ? way.checkoutUrl : null,
    network,
  };
}
