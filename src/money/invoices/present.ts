import { CustomerView } from '../../accounts/customers/present.ts';
import { Expanded } from '../../platform/http/expand.ts';
import { MetadataView } from '../../platform/http/metadata-schema.ts';
import {
  Flag,
  Int64,
  List,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { amountDueCents, BILLING_REASONS, INVOICE_STATUSES, type Invoice, isOverdue } from './invoice.ts';

export const InvoiceLineView = Shape('InvoiceLine', {
  description: Text({ max: 2000 }),
  quantity: Int64(),
  unitAmountCents: Int64(),
  amountCents: Int64(),
  discountCents: Int64({ description: 'Its share of the discount.' }),
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

export const InvoiceView = Shape('Invoice', {
  id: Uuid(),
  number: Nullable(
    Text({
      description:
        'Without gaps within a project. Null for a checkout of a payment link until its first money is final.',
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
  creditAppliedCents: Int64({ description: 'Account credit that paid a part of it.' }),
  totalCents: Int64({ description: 'The amount to pay: the subtotal minus discount and credit.' }),
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
  metadata: MetadataView,
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
    lines: invoice.lines,
    subtotalCents: invoice.subtotalCents,
    discount: invoice.discount,
    discountCents: invoice.discountCents,
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
  };
}
