import { Int32, Nullable, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { type Invoice, openedAtOf } from './invoice.ts';
import { InvoiceLineView, InvoiceView, presentLine } from './present.ts';

const { number, status, billingReason, currency, txSignature, projectId, customerId, subscriptionId } =
  InvoiceView.properties;
const { priceId, ...line } = InvoiceLineView.properties;

/** One row of a CSV file for each line of an invoice. */
export const InvoiceLineRow = Shape(undefined, {
  createdAt: Timestamp(),
  number,
  line: Int32({ description: 'Its place in the invoice, from 1.' }),
  ...line,
  currency,
  status,
  billingReason,
  openedAt: Nullable(Timestamp()),
  paidAt: Nullable(Timestamp()),
  merchantReference: Nullable(Text()),
  txSignature,
  ...{ invoiceId: Uuid(), projectId, customerId, subscriptionId, priceId },
});

export function presentLineRows(invoice: Invoice): object[] {
  return invoice.lines.map((each, at) => ({
    ...presentLine(each),
    createdAt: invoice.createdAt,
    number: invoice.number,
    line: at + 1,
    currency: 'USD',
    status: invoice.status,
    billingReason: invoice.billingReason,
    openedAt: openedAtOf(invoice),
    paidAt: invoice.paidAt,
    merchantReference: invoice.merchantReference,
    txSignature: invoice.txSignature,
    invoiceId: invoice.id,
    projectId: invoice.projectId,
    customerId: invoice.customerId,
    subscriptionId: invoice.subscriptionId,
  }));
}
