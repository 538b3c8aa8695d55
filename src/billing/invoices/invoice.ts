import type { Buyer, Seller } from '../../accounts/parties/party.ts';
import {
  as,
  bigint,
  cents,
  integer,
  json,
  jsonText,
  nullable,
  numeric,
  oneOf,
  smallint,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { LineTax } from '../pricing/tax.ts';
import type { TaxBehavior } from '../tax-rates/tax-rate.ts';

export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** Statuses that customers and webhooks can see: all but drafts. */
export const ISSUED_STATUSES = INVOICE_STATUSES.filter((status) => status !== 'draft');

export const BILLING_REASONS = [
  'one_time',
  'balance_top_up',
  'subscription_create',
  'subscription_cycle',
  'subscription_change',
  'manual',
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

/** Seller and buyer, and the notes about tax that the law requires. */
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

/** One line of a draft, as it was requested: a price, or a name and an amount. */
export interface DraftItem {
  priceId: string | null;
  name: string | null;
  unitAmountCents: Cents | null;
  quantity: number;
  taxBehavior: TaxBehavior | null;
  taxRateId: string | null;
}

/** The terms of a draft. Its lines are priced again when it is opened. */
export interface DraftTerms {
  lineItems: DraftItem[];
  /** How many days after it is opened it is due; null where it has a due date. */
  netDays: number | null;
  discountId: string | null;
  promotionCode: string | null;
  /** True if the customer gets it by e-mail when it is opened. */
  send: boolean;
}

export const MAX_MEMO = 1000;

/** Amounts owed, the lines they are for, and the money that has come in for them. */
export const invoices = table(
  'invoices',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    /** The place in the project's sequence, and the number as printed: `INV-000001`. */
    number: nullable(bigint),
    numberText: nullable(text),
    customerId: nullable(uuid),
    checkoutSessionId: nullable(uuid),
    subscriptionId: nullable(uuid),
    status: withDefault(oneOf(INVOICE_STATUSES)),
    billingReason: oneOf(BILLING_REASONS),
    merchantReference: nullable(text),
    clientReferenceId: nullable(text),
    metadata: withDefault(json<Metadata>()),
    /** A note to the customer. */
    memo: nullable(text),
    /** Null once it is opened. */
    draft: nullable(jsonText),
    lines: jsonText,
    subtotalCents: cents,
    discount: nullable(json<AppliedDiscount>()),
    discountCents: withDefault(cents),
    /** Seller, buyer and notes as they were; null without a seller and without tax. */
    tax: nullable(json<InvoiceTax>()),
    /** All tax, contained or added. */
    taxCents: withDefault(cents),
    /** The part of it that the amounts do not contain. */
    taxAddedCents: withDefault(cents),
    /** Account credit taken off the amount to pay, though the customer may have spent it before a late payment. */
    creditAppliedCents: withDefault(cents),
    totalCents: cents,
    amountPaidCents: withDefault(as<Cents>(numeric)),
    /** The amount the merchant has waived, also by tax rate. */
    waivedCents: withDefault(cents),
    waivedShares: withDefault(jsonText),
    /** The amount that was sent back, as credit notes say. */
    refundedCents: withDefault(as<Cents>(numeric)),
    txSignature: nullable(text),
    periodStart: nullable(timestamp),
    periodEnd: nullable(timestamp),
    dueAt: nullable(timestamp),
    /** Page where the customer pays it. */
    checkoutUrl: nullable(text),
    sequence: withDefault(integer),
    createdAt: timestamp,
    openedAt: nullable(timestamp),
    paidAt: nullable(timestamp),
    /** When it was last e-mailed to the customer, and how often. */
    sentAt: nullable(timestamp),
    timesSent: withDefault(integer),
    /** When its next reminder is due, and how many steps of its schedule are done. */
    nextStepAt: nullable(timestamp),
    stepsDone: withDefault(smallint),
    /** When the customer was last reminded of the rest, and how often. */
    remindedAt: nullable(timestamp),
    timesReminded: withDefault(integer),
  },
  ['merchantId', 'id'],
);

type InvoiceRow = RowOf<typeof invoices>;

/** Invoice as code has it: with what its texts of JSON say. */
export interface Invoice
  extends Omit<InvoiceRow, 'number' | 'numberText' | 'lines' | 'draft' | 'waivedShares'> {
  /** The number as printed. Null of a draft, and while it is a stranger's and nothing has been paid toward it. */
  number: string | null;
  externalCustomerId: string | null;
  lines: InvoiceLine[];
  draft: DraftTerms | null;
}

/** Fields that only an invoice made by hand has. */
export type ByHand = Pick<
  Invoice,
  'memo' | 'draft' | 'openedAt' | 'checkoutUrl' | 'sentAt' | 'timesSent' | 'nextStepAt' | 'stepsDone'
>;

export const NOT_BY_HAND: ByHand = {
  memo: null,
  draft: null,
  openedAt: null,
  checkoutUrl: null,
  sentAt: null,
  timesSent: 0,
  nextStepAt: null,
  stepsDone: 0,
};

/** Every legal transition. An uncollectible invoice is still paid by a late payment. */
export const TRANSITIONS: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  draft: ['open'],
  open: ['paid', 'void', 'uncollectible'],
  uncollectible: ['paid', 'void'],
  paid: [],
  void: [],
};

export function amountDueCents({ status, totalCents, amountPaidCents }: Invoice): Cents {
  if (status === 'draft' || status === 'void' || status === 'paid' || amountPaidCents >= totalCents)
    return 0n;
  return totalCents - amountPaidCents;
}

export function isOverdue({ status, dueAt, number }: Invoice, now: Date): boolean {
  return status === 'open' && number !== null && dueAt !== null && dueAt <= now;
}

/** The date of an invoice. What was not made by hand is open as soon as it exists. */
export function openedAtOf({ status, openedAt, createdAt }: Invoice): Date | null {
  return openedAt ?? (status === 'draft' ? null : createdAt);
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

/** Price of lines with tax, before account credit. */
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
 * Sets the period of an invoice. If it is for one period, as a beginning or a renewal is, its first line has the same
 * period, wherever that moves. Lines that were bought along with it do not.
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
