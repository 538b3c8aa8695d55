import { expect, test } from 'vitest';
import { generator } from '../../../test/support/random-cart.ts';
import { randomInvoice } from '../../../test/support/random-invoice.ts';
import { priceLines } from '../discounts/price-lines.ts';
import type { LineTax } from '../pricing/tax.ts';
import { type CreditShare, creditShares, grossOf } from './credit-shares.ts';
import { amountOfLines, type InvoiceLine, sumOfTax } from './invoice.ts';
import { taxesOf, taxKeyOf } from './taxes-of.ts';

const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n);
const abs = (value: bigint) => (value < 0n ? -value : value);

const rate = (percentPpm: number): LineTax => ({
  ...{ taxRateId: `r${percentPpm}`, name: 'VAT', percentPpm, country: 'DE', category: 'S' },
  behavior: 'exclusive',
});
const line = (amountCents: bigint, taxCents: bigint, tax: LineTax | null): InvoiceLine => ({
  ...{ description: 'x', quantity: 1n, unitAmountCents: amountCents, amountCents, discountCents: 0n },
  ...{ tax, taxCents, priceId: null, periodStart: null, periodEnd: null },
});

test('2,000 random invoices, sent back in random parts: every part adds up, and all of them are the invoice', () => {
  let notes = 0;
  for (let seed = 1; seed <= 2_000; seed++) {
    const next = generator(seed);
    const { lines, discount, isTooMuch } = randomInvoice(seed);
    if (isTooMuch) continue;
    const priced = priceLines(lines, discount, () => undefined);
    // Unused time of another plan takes something off at its own rate.
    if (next(4) === 0) priced.push(line(-1n - BigInt(next(50)), -BigInt(next(9)), rate(70_000)));
    const whole = amountOfLines(priced);
    if (whole <= 0n) continue;
    const all: CreditShare[] = [];
    let left = whole;
    while (left > 0n) {
      const most = left < 2n ** 31n ? Number(left) : 2 ** 31 - 1;
      const part = next(5) === 0 ? left : BigInt(1 + next(most));
      const shares = creditShares(priced, all, part);
      all.push(...shares);
      left -= part;
      notes++;
      const problem =
        (sum(shares.map(grossOf)) !== part && 'a part is not its shares') ||
        shares.map((share) => isAgainst(share, priced)).find(Boolean) ||
        isOff(all, priced, whole - left, whole);
      if (problem) expect.fail(`invoice ${seed}: ${problem}`);
    }
    expect(sum(all.map(({ taxCents }) => taxCents))).toBe(sumOfTax(priced));
    for (const total of taxesOf(priced)) {
      const own = all.filter(({ tax }) => tax && taxKeyOf(tax) === taxKeyOf(total));
      expect(sum(own.map(({ netCents }) => netCents))).toBe(total.taxableCents);
      expect(sum(own.map(({ taxCents }) => taxCents))).toBe(total.taxCents);
    }
    expect(creditShares(priced, all, 1n)).toEqual([]);
  }
  expect(notes).toBeGreaterThan(5_000);
});

/** A share has the sign of what was charged. */
function isAgainst({ tax, netCents, taxCents }: CreditShare, priced: InvoiceLine[]) {
  if (!tax) return false;
  const { taxableCents } = taxesOf(priced).find((total) => taxKeyOf(total) === taxKeyOf(tax))!;
  const wrong = taxableCents < 0n ? netCents > 0n || taxCents > 0n : netCents < 0n || taxCents < 0n;
  return wrong && `${tax.name} changes its sign`;
}

/**
 * Finds a rate of which more than two cents too many or too few were credited, for its proportion of what went back.
 */
function isOff(all: CreditShare[], priced: InvoiceLine[], back: bigint, whole: bigint) {
  for (const total of taxesOf(priced)) {
    const own = all.filter(({ tax }) => tax && taxKeyOf(tax) === taxKeyOf(total));
    const exact = (total.taxableCents + total.taxCents) * back;
    if (abs(sum(own.map(grossOf)) * whole - exact) > 2n * whole) return `${total.name} is off`;
  }
  return false;
}

test('cent by cent, tax follows what goes back', () => {
  const lines = [line(1_000n, 190n, rate(190_000))];
  const all: CreditShare[] = [];
  for (let cents = 1n; cents <= 1_190n; cents++) {
    all.push(...creditShares(lines, all, 1n));
    const tax = sum(all.map(({ taxCents }) => taxCents));
    if (abs(tax * 1_190n - cents * 190n) > 595n) expect.fail(`${cents} cents have ${tax} of tax`);
  }
  expect(sum(all.map(({ taxCents }) => taxCents))).toBe(190n);
});

test('two rates and something without tax share a refund by what they cost', () => {
  const lines = [
    line(10_000n, 1_900n, rate(190_000)),
    line(10_000n, 700n, rate(70_000)),
    line(1_400n, 0n, null),
  ];
  const half = creditShares(lines, [], 12_000n);
  expect(half.map(({ netCents, taxCents }) => [netCents, taxCents])).toEqual([
    [5_000n, 350n],
    [5_000n, 950n],
    [700n, 0n],
  ]);
  expect(creditShares(lines, half, 12_000n)).toEqual(half);
  expect(creditShares(lines, [], 99_999n).map(grossOf)).toEqual([10_700n, 11_900n, 1_400n]);
});
