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
  createdAt: Date;
}

/** As it is printed. */
export function creditNoteNumber(number: bigint): string {
  return `CN-${number.toString().padStart(6, '0')}`;
}
