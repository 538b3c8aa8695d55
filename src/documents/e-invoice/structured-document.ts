/** An invoice or a credit note as EN 16931 has it: plain data, amounts in cents without tax. Texts may come from anyone. */
export interface StructuredDocument {
  kind: 'invoice' | 'creditNote';
  number: string;
  issuedAt: Date;
  dueAt: Date | null;
  currency: 'USD';
  notes: string[];
  buyerReference: string | null;
  /** The invoice that a credit note corrects. */
  corrects: { number: string; issuedAt: Date } | null;
  period: StructuredPeriod | null;
  seller: StructuredParty;
  buyer: StructuredParty;
  /**
   * Country goods were delivered to within the European Union, which the standard requires; null for other deliveries.
   */
  deliveredTo: string | null;
  lines: StructuredLine[];
  /** One for each category and rate. */
  taxes: StructuredTax[];
  totals: StructuredTotals;
  payment: { means: string; terms: string; account: string | null };
}

export interface StructuredPeriod {
  start: Date;
  end: Date;
}

export interface StructuredParty {
  name: string;
  /** An identifier of any kind. */
  id: string | null;
  /** In the register of companies. */
  registrationNumber: string | null;
  /** Begins with the code of its country. */
  vatId: string | null;
  /** Any other number of the seller's tax authority. */
  taxNumber: string | null;
  line1: string | null;
  line2: string | null;
  postalCode: string | null;
  city: string | null;
  state: string | null;
  country: string;
  email: string | null;
}

export interface StructuredRate {
  category: string;
  /** Null where nothing is subject to tax. */
  percent: string | null;
}

export interface StructuredLine extends StructuredRate {
  name: string;
  /** Less than zero for what is taken off: a price cannot be. */
  quantity: bigint;
  priceCents: bigint;
  /** How many the price is for. */
  priceQuantity: bigint;
  allowance: { cents: bigint; reason: string } | null;
  netCents: bigint;
  period: StructuredPeriod | null;
}

export interface StructuredTax extends StructuredRate {
  taxableCents: bigint;
  taxCents: bigint;
  /** Why nothing is charged. */
  reason: string | null;
  reasonCode: string | null;
}

export interface StructuredTotals {
  linesCents: bigint;
  taxCents: bigint;
  grossCents: bigint;
  paidCents: bigint;
  dueCents: bigint;
}

/** `-12.05`: exact, with a point and two decimals. */
export function decimalOf(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
