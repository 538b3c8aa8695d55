import { parseJson } from '../../platform/lib/json.ts';
import type { LineTax } from '../pricing/tax.ts';
import type { DraftItem, DraftTerms, InvoiceLine } from './invoice.ts';

interface StoredLine
  extends Omit<
    InvoiceLine,
    | 'periodStart'
    | 'periodEnd'
    | 'quantity'
    | 'unitAmountCents'
    | 'amountCents'
    | 'discountCents'
    | 'tax'
    | 'taxCents'
  > {
  quantity: number | bigint;
  unitAmountCents: number | bigint;
  amountCents: number | bigint;
  /** Absent from before there were discounts. */
  discountCents?: number | bigint;
  /** Absent from before there was tax. */
  tax?: (Omit<LineTax, 'percentPpm'> & { percentPpm: number | bigint }) | null;
  taxCents?: number | bigint;
  periodStart: string | null;
  periodEnd: string | null;
}

/** Reads stored lines without losing a digit, which the driver's own JSON reader would. */
export function readLines(text: string): InvoiceLine[] {
  return (parseJson(text) as unknown as StoredLine[]).map((line) => ({
    ...line,
    quantity: BigInt(line.quantity),
    unitAmountCents: BigInt(line.unitAmountCents),
    amountCents: BigInt(line.amountCents),
    discountCents: BigInt(line.discountCents ?? 0),
    tax: line.tax ? { ...line.tax, percentPpm: Number(line.tax.percentPpm) } : null,
    taxCents: BigInt(line.taxCents ?? 0),
    periodStart: line.periodStart === null ? null : new Date(line.periodStart),
    periodEnd: line.periodEnd === null ? null : new Date(line.periodEnd),
  }));
}

interface StoredTerms extends Omit<DraftTerms, 'lineItems' | 'netDays'> {
  lineItems: (Omit<DraftItem, 'unitAmountCents' | 'quantity'> & {
    unitAmountCents: number | bigint | null;
    quantity: number | bigint;
  })[];
  netDays: number | bigint | null;
}

/** The same of what a draft is to be for. */
export function readTerms(text: string): DraftTerms {
  const { lineItems, netDays, ...terms } = parseJson(text) as unknown as StoredTerms;
  return {
    ...terms,
    lineItems: lineItems.map((item) => ({
      ...item,
      unitAmountCents: item.unitAmountCents === null ? null : BigInt(item.unitAmountCents),
      quantity: Number(item.quantity),
    })),
    netDays: netDays === null ? null : Number(netDays),
  };
}
