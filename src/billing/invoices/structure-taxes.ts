import type { StructuredRate, StructuredTax } from '../../documents/e-invoice/structured-document.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { LineTax } from '../pricing/tax.ts';
import { noteOfCategory } from '../pricing/tax-notes.ts';
import { toPercent } from '../tax-rates/tax-rate.ts';
import type { InvoiceTax } from './invoice.ts';
import { isTaxable } from './structure-parties.ts';

export interface TaxedPart {
  tax: LineTax | null;
  netCents: Cents;
  taxCents: Cents;
}

const REASON_CODES: Record<string, string> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
};
const EXPLAINED_BY_NAME = new Set(['E', 'O']);
const UNTAXED_REASON = 'No tax is charged.';

/**
 * How the standard names the tax of each part. It has no word for what is simply not taxed: that is exempt, or not subject
 * to tax where the seller has no tax id. What is not subject to tax cannot be on a document with anything else, and is
 * exempt there.
 */
export function rateNamer(
  parts: readonly Pick<TaxedPart, 'tax'>[],
  tax: InvoiceTax | null,
): (part: Pick<TaxedPart, 'tax'>) => StructuredRate {
  const untaxed = isTaxable(tax?.seller ?? null) ? 'E' : 'O';
  const categoryOf = (part: Pick<TaxedPart, 'tax'>) => part.tax?.category ?? untaxed;
  const isAlone = new Set(parts.map(categoryOf)).size === 1;
  return (part) => {
    const category = categoryOf(part);
    if (category === 'O' && isAlone) return { category, percent: null };
    const percent = String(toPercent(part.tax?.percentPpm ?? 0));
    return { category: category === 'O' ? 'E' : category, percent };
  };
}

/** The breakdown: one for each category and rate, whether prices contained the tax or not, and in whichever country. */
export function structureTaxes(parts: readonly TaxedPart[], tax: InvoiceTax | null): StructuredTax[] {
  const rateOf = rateNamer(parts, tax);
  const totals = new Map<string, StructuredTax>();
  for (const part of parts) {
    const rate = rateOf(part);
    const key = `${rate.category} ${rate.percent}`;
    const before = totals.get(key) ?? {
      ...rate,
      taxableCents: 0n,
      taxCents: 0n,
      reason: null,
      reasonCode: null,
    };
    totals.set(key, {
      ...before,
      taxableCents: before.taxableCents + part.netCents,
      taxCents: before.taxCents + part.taxCents,
      reason: joined(before.reason, reasonOf(rate.category, part, tax)),
      reasonCode: REASON_CODES[rate.category] ?? null,
    });
  }
  return [...totals.values()];
}

function reasonOf(category: string, part: Pick<TaxedPart, 'tax'>, tax: InvoiceTax | null): string | null {
  if (EXPLAINED_BY_NAME.has(category)) return part.tax?.name ?? UNTAXED_REASON;
  return noteOfCategory(category, tax?.notes ?? []);
}

function joined(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one.split('; ').includes(other) ? one : `${one}; ${other}`;
}
