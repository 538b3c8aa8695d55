import type { Language } from '../../platform/lib/language.ts';

/** Contents of an invoice, as plain data. Amounts are US cents; texts may come from anyone. */
export interface InvoiceDocument {
  /** English unless it says otherwise. */
  language?: Language;
  number: string;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  issuedAt: Date;
  dueAt: Date | null;
  paidAt: Date | null;
  currency: 'USD';
  merchant: { name: string | null; payoutAddress: string | null };
  /** `#rrggbb`: a band above the title. */
  brandColor?: string | null;
  /** Above the issuer's name. */
  logo?: LogoFile | null;
  project: { name: string };
  customer: { name: string | null; email: string | null; externalCustomerId: string | null } | null;
  lines: InvoiceDocumentLine[];
  subtotalCents: bigint;
  discount?: { name: string; promotionCode: string | null } | null;
  discountCents?: bigint;
  taxes?: DocumentTax[];
  /** Notes on its tax that the law requires. */
  taxNotes?: string[];
  seller?: DocumentParty | null;
  buyer?: DocumentParty | null;
  creditAppliedCents: bigint;
  totalCents: bigint;
  amountPaidCents: bigint;
  /** The amount the merchant has waived. */
  waivedCents?: bigint;
  /** The amount that was sent back. */
  refundedCents: bigint;
  amountDueCents: bigint;
  periodStart: Date | null;
  periodEnd: Date | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  txSignature: string | null;
  /** A note to the customer. */
  memo?: string | null;
  /** Page where it can be paid now. */
  payUrl?: string | null;
  network: 'mainnet' | 'devnet' | 'sandbox';
}

/** Tax of one rate. */
export interface DocumentTax {
  name: string;
  percent: number;
  isContained: boolean;
  taxableCents: bigint;
  taxCents: bigint;
}

/** Seller or buyer, line by line below the name. */
export interface DocumentParty {
  name: string | null;
  lines: string[];
}

/** An image as it was uploaded. */
export interface LogoFile {
  bytes: Buffer;
  width: number;
  height: number;
  isPng: boolean;
  isJpeg: boolean;
}

/** Lines of invoices that are our own words around a merchant's. */
export type OwnLine = 'payment' | 'tip' | 'paymentFor' | 'unused' | 'remaining';

export interface InvoiceDocumentLine {
  description: string;
  /** Set if the description is our own words, which are written in the paper's language. */
  standardText?: { line: OwnLine; name: string | null } | undefined;
  quantity: bigint;
  unitAmountCents: bigint;
  amountCents: bigint;
  periodStart: Date | null;
  periodEnd: Date | null;
}
