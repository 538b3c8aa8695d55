import type { Cents } from '../../platform/lib/money.ts';
import type { LineTax } from '../pricing/tax.ts';
import type { InvoiceLine } from './invoice.ts';
import { type RateTotal, taxesOf, taxKeyOf } from './taxes-of.ts';

/** The amount taken back of the lines of one rate, or of those without tax. */
export interface CreditShare {
  tax: LineTax | null;
  netCents: Cents;
  taxCents: Cents;
}

/**
 * Divides what is sent back over the rates of an invoice, in proportion to what each was charged. All credit notes of
 * an invoice together follow its proportions to the cent: shares never change their sign, never pass what was charged,
 * and add up to the invoice once all of it is back. What is beyond the invoice has no share.
 */
export function creditShares(
  lines: readonly InvoiceLine[],
  earlier: readonly CreditShare[],
  cents: Cents,
): CreditShare[] {
  const charged = chargedBy(lines);
  const credited = sumByRate(earlier);
  const before = charged.map(({ key }) => grossOf(credited.get(key)));
  const whole = total(charged.map(grossOf));
  const after = smaller(total(before) + cents, whole);
  if (whole <= 0n || after <= total(before)) return [];
  const parts = divide(
    after,
    charged.map((charge, at) => ({ whole: grossOf(charge), done: before[at]! })),
    whole,
  );
  return charged
    .map(({ tax, ...charge }, at) => {
      const gross = grossOf(charge);
      const taxCents =
        gross === 0n
          ? 0n
          : roundHalfUp((before[at]! + parts[at]!) * charge.taxCents, gross) -
            (credited.get(charge.key)?.taxCents ?? 0n);
      return { tax, netCents: parts[at]! - taxCents, taxCents };
    })
    .filter(({ netCents, taxCents }) => netCents !== 0n || taxCents !== 0n);
}

/** Credited in full, the invoice's rates say the same as its credit notes. */
export function creditedTaxes(shares: readonly CreditShare[]): RateTotal[] {
  return shares.flatMap(({ tax, netCents, taxCents }) =>
    tax ? [{ ...tax, taxableCents: netCents, taxCents }] : [],
  );
}

interface Charge extends CreditShare {
  key: string;
}

const UNTAXED_KEY = '';

function chargedBy(lines: readonly InvoiceLine[]): Charge[] {
  const untaxed = lines.filter(({ tax }) => !tax);
  const netCents = total(untaxed.map(({ amountCents, discountCents }) => amountCents - discountCents));
  return [
    ...taxesOf(lines).map(({ taxableCents, taxCents, ...tax }) => ({
      ...{ key: taxKeyOf(tax), tax, netCents: taxableCents, taxCents },
    })),
    ...(netCents === 0n ? [] : [{ key: UNTAXED_KEY, tax: null, netCents, taxCents: 0n }]),
  ];
}

function sumByRate(shares: readonly CreditShare[]): Map<string, CreditShare> {
  const sums = new Map<string, CreditShare>();
  for (const { tax, netCents, taxCents } of shares) {
    const key = tax ? taxKeyOf(tax) : UNTAXED_KEY;
    const sum = sums.get(key) ?? { tax, netCents: 0n, taxCents: 0n };
    sums.set(key, { tax, netCents: sum.netCents + netCents, taxCents: sum.taxCents + taxCents });
  }
  return sums;
}

/**
 * Brings each part as close to its proportion of `sum` as whole cents allow, without taking back what was given: largest
 * remainders alone would, because a part can shrink by a cent while the sum grows.
 */
function divide(sum: Cents, parts: readonly { whole: Cents; done: Cents }[], whole: Cents): Cents[] {
  const given = parts.map((part) => clamp(floorDivide(sum * part.whole, whole) - part.done, part));
  const left = () => sum - total(parts.map(({ done }, at) => done + given[at]!));
  while (left() !== 0n) {
    const step = left() > 0n ? 1n : -1n;
    const missing = (at: number) => sum * parts[at]!.whole - (parts[at]!.done + given[at]!) * whole;
    const next = [...parts.keys()]
      .filter((at) => clamp(given[at]! + step, parts[at]!) === given[at]! + step)
      .reduce((best, at) => (missing(at) * step > missing(best) * step ? at : best));
    given[next]! += step;
  }
  return given;
}

/** Between nothing and what is left of it, on either side of zero. */
function clamp(cents: Cents, { whole, done }: { whole: Cents; done: Cents }): Cents {
  const left = whole - done;
  const [least, most] = left < 0n ? [left, 0n] : [0n, left];
  if (cents < least) return least;
  return cents > most ? most : cents;
}

/** Net and tax together. */
export function grossOf(share: Pick<CreditShare, 'netCents' | 'taxCents'> | undefined): Cents {
  return share ? share.netCents + share.taxCents : 0n;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** Halves away from zero, whichever sign the two have. */
function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator < 0n) return roundHalfUp(-numerator, -denominator);
  if (numerator < 0n) return -roundHalfUp(-numerator, denominator);
  return (2n * numerator + denominator) / (2n * denominator);
}

function smaller(one: Cents, other: Cents): Cents {
  return one < other ? one : other;
}

function total(cents: readonly Cents[]): Cents {
  return cents.reduce((sum, each) => sum + each, 0n);
}
