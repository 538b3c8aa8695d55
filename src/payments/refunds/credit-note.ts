import type { CreditShare } from '../../billing/invoices/credit-shares.ts';
import type { InvoiceTax } from '../../billing/invoices/invoice.ts';
import {
  bigint,
  cents,
  json,
  jsonText,
  nullable,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** The documents of refunds that the chain has proven. They never change. */
export const creditNotes = table(
  'credit_notes',
  {
    merchantId: uuid,
    id: uuid,
    number: bigint,
    refundId: uuid,
    projectId: nullable(uuid),
    customerId: nullable(uuid),
    invoiceId: nullable(uuid),
    amountCents: cents,
    /** Amount credited for each tax rate of its invoice; none if it corrects no paid invoice. */
    shares: withDefault(jsonText),
    /** Seller, buyer and notes of the invoice. */
    tax: nullable(json<InvoiceTax>()),
    taxCents: withDefault(cents),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type CreditNoteRow = RowOf<typeof creditNotes>;

export interface CreditNote extends Omit<CreditNoteRow, 'shares'> {
  shares: CreditShare[];
}

/** Number as printed on the document. */
export function creditNoteNumber(number: bigint): string {
  return `CN-${number.toString().padStart(6, '0')}`;
}
