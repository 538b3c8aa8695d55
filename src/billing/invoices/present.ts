import { CustomerView } from '../../accounts/customers/present.ts';
import { BuyerView, Country, SellerView } from '../../accounts/parties/party-schema.ts';
import { Expanded } from '../../platform/http/expand.ts';
import { MetadataView } from '../../platform/http/metadata-schema.ts';
import {
  Flag,
  Int32,
  Int64,
  List,
  Nullable,
  OneOf,
  Percent,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import type { LineTax } from '../pricing/tax.ts';
import { CATEGORY } from '../tax-rates/present.ts';
import { TAX_BEHAVIORS, TAX_CATEGORIES, toPercent } from '../tax-rates/tax-rate.ts';
import {
  amountDueCents,
  BILLING_REASONS,
  INVOICE_STATUSES,
  type Invoice,
  type InvoiceLine,
  isOverdue,
  MAX_MEMO,
  openedAtOf,
} from './invoice.ts';
import { type RateTotal, taxesOf } from './taxes-of.ts';

const rate = {
  taxRateId: Nullable(Uuid('Null for reverse charge.')),
  name: Text(),
  percent: Percent(),
  country: Country(),
  category: OneOf(TAX_CATEGORIES, CATEGORY),
  behavior: OneOf(['inclusive', 'exclusive'], 'Whether the amounts contain it, or it is added to them.'),
};

/** The rate of a line, as it was then. */
export const LineTaxView = Shape('LineTax', rate);

/** Tax of one rate over all its lines, rounded once. */
export const RateTotalView = Shape('RateTotal', {
  ...rate,
  taxableCents: Int64({ description: 'What it is taken of, without the tax.' }),
  taxCents: Int64(),
});

export const InvoiceLineView = Shape('InvoiceLine', {
  description: Text({ max: 2000 }),
  quantity: Int64(),
  unitAmountCents: Int64(),
  amountCents: Int64(),
  discountCents: Int64({ description: 'Its share of the discount.' }),
  tax: Nullable(LineTaxView),
  taxCents: Int64({ description: 'Its share of the tax: contained in the amount, or added to it.' }),
  priceId: Nullable(Uuid()),
  periodStart: Nullable(Timestamp()),
  periodEnd: Nullable(Timestamp()),
});

/** The discount that was given, as it was then. */
export const AppliedDiscountView = Shape('AppliedDiscount', {
  id: Uuid(),
  name: Text(),
  promotionCode: Nullable(Text({ max: 50, description: 'The code it was given for.' })),
});

/** Terms with which a draft was requested. */
export const InvoiceDraftView = Shape('InvoiceDraft', {
  lineItems: List(
    Shape('InvoiceDraftItem', {
      priceId: Nullable(Uuid()),
      name: Nullable(Text()),
      unitAmountCents: Nullable(Int64()),
      quantity: Int32(),
      taxBehavior: Nullable(OneOf(TAX_BEHAVIORS)),
      taxRateId: Nullable(Uuid()),
    }),
  ),
  netDays: Nullable(
    Int32({ description: 'How many days after it is opened it is due, where it has no dueAt.' }),
  ),
  discountId: Nullable(Uuid()),
  promotionCode: Nullable(Text({ max: 50 })),
  send: Flag('Whether the customer gets it by e-mail when it is opened.'),
});

export const InvoiceView = Shape('Invoice', {
  id: Uuid(),
  number: Nullable(
    Text({
      description:
        'Without gaps within a project. Null for a draft, and for a checkout of a payment link until its first money is final.',
    }),
  ),
  projectId: Uuid(),
  customerId: Nullable(Uuid()),
  subscriptionId: Nullable(Uuid()),
  checkoutSessionId: Nullable(Uuid()),
  status: OneOf(INVOICE_STATUSES),
  billingReason: OneOf(BILLING_REASONS),
  currency: Text(),
  lines: List(InvoiceLineView),
  subtotalCents: Int64(),
  discount: Nullable(AppliedDiscountView),
  discountCents: Int64(),
  taxes: { ...List(RateTotalView), description: 'The tax by rate; an empty list where none is charged.' },
  taxCents: Int64({ description: 'All tax, contained in the amounts or added to them.' }),
  taxNotes: {
    ...List(Text({ max: 2000 })),
    description: 'What the law wants said, in the buyer’s language.',
  },
  seller: Nullable(SellerView),
  buyer: Nullable(BuyerView),
  creditAppliedCents: Int64({
    description:
      'Account credit taken off the amount to pay. An invoice that is not paid in time gives it back, and takes it again when it is paid late.',
  }),
  totalCents: Int64({
    description:
      'The amount to pay: the subtotal minus discount and credit, plus tax that it does not contain.',
  }),
  amountPaidCents: Int64({
    description: 'All that finally arrived for it, without money that became account credit.',
  }),
  refundedCents: Int64({ description: 'What was sent back of it, as its credit notes say.' }),
  amountDueCents: Int64({ description: 'The amount still due.' }),
  isOverdue: Flag(),
  dueAt: Nullable(Timestamp()),
  periodStart: Nullable(Timestamp()),
  periodEnd: Nullable(Timestamp()),
  merchantReference: Nullable(Text()),
  clientReferenceId: Nullable(Text({ max: 200 })),
  txSignature: Nullable(Text({ description: 'The latest transaction that brought money.' })),
  paidAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
  openedAt: Nullable(Timestamp('The date of the invoice. Null for a draft.')),
  memo: Nullable(Text({ max: MAX_MEMO, lines: true, description: 'A note to the customer.' })),
  checkoutUrl: Nullable(
    Text({ max: 2048, description: 'Where the customer pays an invoice that was made by hand.' }),
  ),
  sentAt: Nullable(Timestamp('When it was last sent to the customer by e-mail.')),
  draft: Nullable(InvoiceDraftView),
  metadata: MetadataView,
  waivedCents: Int64({ description: 'What you waived of it when you accepted less as paid.' }),
  remindedAt: Nullable(Timestamp('When the customer was last reminded of the rest by e-mail.')),
});

export const ExpandedInvoiceView = Expanded('ExpandedInvoice', InvoiceView, {
  customer: Nullable(CustomerView),
});

export function presentInvoice(invoice: Invoice, now: Date) {
  return {
    id: invoice.id,
    number: invoice.number,
    projectId: invoice.projectId,
    customerId: invoice.customerId,
    subscriptionId: invoice.subscriptionId,
    checkoutSessionId: invoice.checkoutSessionId,
    status: invoice.status,
    billingReason: invoice.billingReason,
    currency: 'USD',
    lines: invoice.lines.map(presentLine),
    subtotalCents: invoice.subtotalCents,
    discount: invoice.discount,
    discountCents: invoice.discountCents,
    taxes: presentTaxes(invoice.lines),
    taxCents: invoice.taxCents,
    taxNotes: invoice.tax?.notes ?? [],
    seller: invoice.tax?.seller ?? null,
    buyer: invoice.tax?.buyer ?? null,
    creditAppliedCents: invoice.creditAppliedCents,
    totalCents: invoice.totalCents,
    amountPaidCents: saturateInt64(invoice.amountPaidCents),
    refundedCents: saturateInt64(invoice.refundedCents),
    amountDueCents: amountDueCents(invoice),
    isOverdue: isOverdue(invoice, now),
    dueAt: invoice.dueAt,
    periodStart: invoice.periodStart,
    periodEnd: invoice.periodEnd,
    merchantReference: invoice.merchantReference,
    clientReferenceId: invoice.clientReferenceId,
    metadata: invoice.metadata,
    txSignature: invoice.txSignature,
    paidAt: invoice.paidAt,
    createdAt: invoice.createdAt,
    openedAt: openedAtOf(invoice),
    memo: invoice.memo,
    checkoutUrl: invoice.checkoutUrl,
    sentAt: invoice.sentAt,
    draft: invoice.draft,
    waivedCents: invoice.waivedCents,
    remindedAt: invoice.remindedAt,
  };
}

export function presentTaxes(lines: readonly InvoiceLine[]) {
  return presentRates(taxesOf(lines));
}

export function presentRates(totals: readonly RateTotal[]) {
  return totals.map(({ percentPpm, ...total }) => ({ ...total, percent: toPercent(percentPpm) }));
}

export function presentLine(line: InvoiceLine) {
  return { ...line, tax: presentTax(line.tax) };
}

function presentTax(tax: LineTax | null) {
  if (!tax) return null;
  const { percentPpm, ...shown } = tax;
  return { ...shown, percent: toPercent(percentPpm) };
}
