import type { InvoiceDocument } from './invoice-document.ts';

/** What a credit note says, as plain data. Texts may come from anyone. */
export interface CreditNoteDocument
  extends Pick<
    InvoiceDocument,
    'language' | 'customer' | 'brandColor' | 'logo' | 'network' | 'taxes' | 'taxNotes' | 'seller' | 'buyer'
  > {
  number: string;
  issuedAt: Date;
  /** The refund's, as in the memo of the transfer. */
  refundNumber: string;
  /** Of the invoice that it corrects. */
  invoiceNumber: string | null;
  merchant: { name: string | null };
  project: { name: string } | null;
  /** More had been paid than was due. */
  isOverpayment: boolean;
  amountCents: bigint;
  /** Where the money went, and by which transaction. */
  address: string;
  txSignature: string;
}
