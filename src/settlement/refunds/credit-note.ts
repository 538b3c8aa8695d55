import type { CreditShare } from '../../money/invoices/credit-shares.ts';
import type { InvoiceTax } from '../../money/invoices/invoice.ts';
import type { Cents } from '../../platform/lib/money.ts';

/** The document of a refund that the chain has proven. It never changes. */
export interface CreditNote {
  id: string;
  merchantId: string;
  number: bigint;
  refundId: string;
  projectId: string | null;
  customerId: string | null;
  invoiceId: string | null;
  amountCents: Cents;
  /** Amount credited for each tax rate of its invoice; none if it corrects no paid invoice. */
  shares: CreditShare[];
  /** Seller, buyer and notes of the invoice. */
  tax: InvoiceTax | null;
  taxCents: Cents;
  createdAt: Date;
}

/** Number as printed on the document. */
export function creditNoteNumber(number: bigint): string {
  return `CN-${number.toString().padStart(6, '0')}`;
}
