import type { Language } from '../../../platform/lib/language.ts';
import type { InvoiceDocument, OwnLine } from '../invoice-document.ts';

/** The words of invoices and credit notes in one language: a file next to this one, listed in languages.ts. */
export interface PaperMessages {
  language: Language;
  invoice: string;
  creditNote: string;
  /** Printed where the number will be. */
  draft: string;
  /** A customer reads these: an invoice that merchants know as uncollectible is simply unpaid. */
  badges: Record<InvoiceDocument['status'] | 'refunded' | 'test', string>;
  facts: Record<
    | 'invoiceNumber'
    | 'number'
    | 'issuedAt'
    | 'dueAt'
    | 'paidAt'
    | 'period'
    | 'orderReference'
    | 'clientReference'
    | 'invoiceCorrected'
    | 'refundNumber',
    string
  >;
  from(day: string): string;
  until(day: string): string;
  parties: Record<'from' | 'billTo' | 'to' | 'registrationNumber' | 'vatId' | 'taxId', string>;
  headlines: {
    paid(amount: string, day: string | null): string;
    draft(amount: string): string;
    void(amount: string): string;
    unpaid(amount: string): string;
    due(amount: string, day: string | null): string;
    refunded(amount: string, day: string): string;
  };
  columns: readonly [string, string, string, string];
  /** Around a `{name}`. */
  lines: Record<OwnLine, string>;
  refundLines: { overpayment: string; payment: string; invoice(number: string): string };
  totals: Record<
    'subtotal' | 'credit' | 'total' | 'paid' | 'waived' | 'refunded' | 'due' | 'totalRefunded',
    string
  >;
  discount: string;
  /** The name of a tax that the buyer accounts for. */
  reverseCharge: string;
  /** A rate is `VAT 19%`. */
  tax(rate: string, taxable: string): string;
  taxContained(rate: string, taxable: string): string;
  memo: string;
  payment: Record<
    | 'title'
    | 'refundTitle'
    | 'network'
    | 'paidTo'
    | 'payTo'
    | 'payOnline'
    | 'paidOn'
    | 'transaction'
    | 'sentTo'
    | 'sentOn'
    | 'scan',
    string
  >;
  notes: Record<'invoice' | 'testInvoice' | 'creditNote' | 'testCreditNote', string>;
}
