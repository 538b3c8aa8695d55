import type { Cents } from '../../platform/lib/money.ts';
import type { LineTax } from '../pricing/tax.ts';
import type { InvoiceLine } from './invoice.ts';

/** Tax of one rate on an invoice. */
export interface RateTotal extends LineTax {
  /** The amount it is calculated from, without the tax. */
  taxableCents: Cents;
  taxCents: Cents;
}

/** The tax of lines by rate, country by country. */
export function taxesOf(lines: readonly InvoiceLine[]): RateTotal[] {
  const totals = new Map<string, RateTotal>();
  for (const { tax, taxCents, amountCents, discountCents } of lines) {
    if (!tax) continue;
    const contained = tax.behavior === 'inclusive' ? taxCents : 0n;
    const key = taxKeyOf(tax);
    const total = totals.get(key) ?? { ...tax, taxableCents: 0n, taxCents: 0n };
    totals.set(key, {
      ...total,
      taxableCents: total.taxableCents + amountCents - discountCents - contained,
      taxCents: total.taxCents + taxCents,
    });
  }
  return [...totals].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
}

/** Lines with the same key are taxed together, and rounded once. */
export function taxKeyOf({ taxRateId, country, category, percentPpm, behavior }: LineTax): string {
  return [country, category, String(percentPpm).padStart(7, '0'), taxRateId ?? '', behavior].join(' ');
}

/** A rate whose lines cost nothing: papers and e-mails do not name it. */
export function isOnSomething({ taxableCents, taxCents }: RateTotal): boolean {
  return taxableCents !== 0n || taxCents !== 0n;
}

/** Decided by law and not by a rate of the project, so its name is ours. */
export function isReverseCharge({ taxRateId, category }: LineTax): boolean {
  return taxRateId === null && category === 'AE';
}
