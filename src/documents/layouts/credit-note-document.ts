import type { InvoiceDocument } from './invoice-document.ts';

/** Contents of a credit note, as plain data. Texts may come from anyone. */
export interface CreditNoteDocument
  extends Pick<
    InvoiceDocument,
    'language' | 'customer' | 'brandColor' | 'logo' | 'network' | 'taxes' | 'taxNotes' | 'seller' | 'buyer'
  > {
  number: string;
  issuedAt: Date;
  /** The refund's, as in the memo of the transfer. */
  refundNumber: string;
  /** Number of the invoice that it corrects. */
  invoiceNumber: string | null;
  merchant: { name: string | null };
  project: { name: string } | null;
  /** More had been paid than was due. */
  isOverpayment: boolean;
  amountCents: bigint;
  /** Address the money went to, and the transaction that sent it. */
  address: string;
  txSignature: string;
}
