import { expect, test } from 'vitest';
import { randomInvoice } from '../../../test/support/random-invoice.ts';
import { totalsOf } from '../invoices/invoice.ts';
import { taxesOf } from '../invoices/taxes-of.ts';
import { priceLines } from './price-lines.ts';

test('2,000 random invoices: lines, discount and tax add up to the total, by line and by rate', () => {
  const seen = { inclusive: 0, exclusive: 0, both: 0 };
  for (let seed = 1; seed <= 2_000; seed++) {
    const { lines, discount, isTooMuch } = randomInvoice(seed);
    if (isTooMuch) continue;
    const priced = priceLines(lines, discount, () => undefined);
    const totals = totalsOf(priced, 0n);
    const taxes = taxesOf(priced);
    const sum = (values: bigint[]) => values.reduce((all, value) => all + value, 0n);
    const added = sum(taxes.map((tax) => (tax.behavior === 'exclusive' ? tax.taxCents : 0n)));
    const lefts = priced.map(({ amountCents, discountCents }) => amountCents - discountCents);
    const untaxed = sum(lefts.map((left, at) => (priced[at]!.tax ? 0n : left)));
    const problem =
      (sum(lefts) + added !== totals.totalCents && 'lines and added tax are not the total') ||
      (sum(taxes.map(({ taxCents }) => taxCents)) !== totals.taxCents && 'rates are not all tax') ||
      (untaxed + sum(taxes.map((tax) => tax.taxableCents + tax.taxCents)) !== totals.totalCents &&
        'what is taxed and its tax are not the total') ||
      taxes.map(isOff).find(Boolean);
    if (problem) expect.fail(`invoice ${seed}: ${problem}`);
    const behaviors = new Set(taxes.map(({ behavior }) => behavior));
    if (behaviors.size > 1) seen.both++;
    for (const behavior of behaviors) seen[behavior]++;
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(200);
});

/** A rate's tax is what it takes of its base, to the cent. */
function isOff({ taxableCents, taxCents, percentPpm, name }: ReturnType<typeof taxesOf>[number]) {
  const twice = 2n * taxableCents * BigInt(percentPpm) - 2n * taxCents * 1_000_000n;
  const off = twice < 0n ? -twice : twice;
  // An inclusive tax is rounded on the whole amount, so of its base it is off by up to half a cent and its share.
  return off > 2n * 1_000_000n && `${name} is off by ${off}`;
}
