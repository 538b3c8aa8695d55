import type { Buyer, Seller } from '../../accounts/parties/party.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { LineTax } from '../pricing/tax.ts';

export const INVOICE_STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

export const BILLING_REASONS = [
  'one_time',
  'balance_top_up',
  'subscription_create',
  'subscription_cycle',
  'subscription_change',
] as const;
export type BillingReason = (typeof BILLING_REASONS)[number];

export interface InvoiceLine {
  description: string;
  quantity: bigint;
  unitAmountCents: Cents;
  amountCents: Cents;
  /** Its share of the invoice's discount. */
  discountCents: Cents;
  tax: LineTax | null;
  /** Its share of what its rate takes of the invoice: contained in the amount or added to it. */
  taxCents: Cents;
  priceId: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
}

/** Who sold to whom, and what the law wants said about it. */
export interface InvoiceTax {
  seller: Seller | null;
  buyer: Buyer | null;
  notes: string[];
}

/** A discount as it is written on what it was given for. */
export interface AppliedDiscount {
  id: string;
  name: string;
  promotionCode: string | null;
}

/** What is owed, for what, and what has come in for it. */
export interface Invoice {
  id: string;
  merchantId: string;
  projectId: string;
  /** As printed: `INV-000001`. Null while it is a stranger's and nothing has been paid toward it. */
  number: string | null;
  customerId: string | null;
  externalCustomerId: string | null;
  checkoutSessionId: string | null;
  subscriptionId: string | null;
  status: InvoiceStatus;
  billingReason: BillingReason;
  lines: InvoiceLine[];
  subtotalCents: Cents;
  discount: AppliedDiscount | null;
  discountCents: Cents;
  /** Seller, buyer and notes as they were; null without a seller and without tax. */
  tax: InvoiceTax | null;
  /** All tax, contained or added. */
  taxCents: Cents;
  /** The part of it that the amounts do not contain. */
  taxAddedCents: Cents;
  /** Account credit that paid a part of it. */
  creditAppliedCents: Cents;
  totalCents: Cents;
  amountPaidCents: Cents;
  /** What was sent back of it, as credit notes say. */
  refundedCents: Cents;
  dueAt: Date | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  metadata: Metadata;
  txSignature: string | null;
  sequence: number;
  createdAt: Date;
  paidAt: Date | null;
}

/** Every legal transition. An uncollectible invoice is still paid by a late payment. */
export const TRANSITIONS: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  open: ['paid', 'void', 'uncollectible'],
  uncollectible: ['paid'],
  paid: [],
  void: [],
};

export function amountDueCents({ status, totalCents, amountPaidCents }: Invoice): Cents {
  if (status === 'void' || status === 'paid' || amountPaidCents >= totalCents) return 0n;
  return totalCents - amountPaidCents;
}

export function isOverdue({ status, dueAt, number }: Invoice, now: Date): boolean {
  return status === 'open' && number !== null && dueAt !== null && dueAt <= now;
}

export function sumOfLines(lines: readonly InvoiceLine[]): Cents {
  return lines.reduce((sum, line) => sum + line.amountCents, 0n);
}

export function sumOfDiscounts(lines: readonly InvoiceLine[]): Cents {
  return lines.reduce((sum, line) => sum + line.discountCents, 0n);
}

export function sumOfTax(lines: readonly InvoiceLine[]): Cents {
  return lines.reduce((sum, line) => sum + line.taxCents, 0n);
}

/** The tax that comes on top of the amounts. */
export function sumOfAddedTax(lines: readonly InvoiceLine[]): Cents {
  return sumOfTax(lines.filter(({ tax }) => tax?.behavior === 'exclusive'));
}

/** What lines cost with tax, before account credit. */
export function amountOfLines(lines: readonly InvoiceLine[]): Cents {
  return sumOfLines(lines) - sumOfDiscounts(lines) + sumOfAddedTax(lines);
}

/** Every total of an invoice, from its lines. */
export function totalsOf(lines: readonly InvoiceLine[], creditAppliedCents: Cents) {
  return {
    subtotalCents: sumOfLines(lines),
    discountCents: sumOfDiscounts(lines),
    taxCents: sumOfTax(lines),
    taxAddedCents: sumOfAddedTax(lines),
    totalCents: amountOfLines(lines) - creditAppliedCents,
  };
}

/**
 * What is bought for one period, as a beginning or a renewal is: its first line is for just that period, wherever it
 * moves. What was bought along with it is not.
 */
export function withPeriod<Billed extends Pick<Invoice, 'lines' | 'billingReason'>>(
  invoice: Billed,
  period: Pick<Invoice, 'periodStart' | 'periodEnd'>,
): Billed & Pick<Invoice, 'periodStart' | 'periodEnd'> {
  const isForOne =
    invoice.billingReason === 'subscription_create' || invoice.billingReason === 'subscription_cycle';
  const lines = isForOne
    ? invoice.lines.map((line, at) => (at === 0 ? { ...line, ...period } : line))
    : invoice.lines;
  return { ...invoice, ...period, lines };
}
