import { expect, test } from 'vitest';
import { randomCart, shuffled } from '../../../test/support/random-cart.ts';
import { MAX_INT64 } from '../../platform/lib/money.ts';
import { type Cart, priceCart } from './price-cart.ts';

const line = (unitAmountCents: bigint, quantity = 1n, key = 'a') => ({ key, unitAmountCents, quantity });

test('lines are multiplied and added up', () => {
  const priced = priceCart({ lines: [line(1_250n, 3n), line(99n, 10_000n, 'b')] });
  expect(priced).toEqual({
    lines: [
      { amountCents: 3_750n, discountCents: 0n, taxCents: 0n },
      { amountCents: 990_000n, discountCents: 0n, taxCents: 0n },
    ],
    subtotalCents: 993_750n,
    discountCents: 0n,
    taxes: [],
    taxCents: 0n,
    amountCents: 993_750n,
    creditAppliedCents: 0n,
    totalCents: 993_750n,
  });
});

test('a discount is divided by largest remainder, whatever the order of the lines', () => {
  const lines = [line(100n, 1n, 'a'), line(100n, 1n, 'b'), line(100n, 1n, 'c')];
  const discount = { amountOffCents: 100n };
  expect(priceCart({ lines, discount }).lines.map(({ discountCents }) => discountCents)).toEqual([
    34n,
    33n,
    33n,
  ]);
  const turned = priceCart({ lines: [...lines].reverse(), discount });
  expect(turned.lines.map(({ discountCents }) => discountCents)).toEqual([33n, 33n, 34n]);
});

test('a percentage is rounded once, halves up', () => {
  const lines = [line(5n, 1n, 'a'), line(5n, 1n, 'b')];
  expect(priceCart({ lines, discount: { percentOffBps: 2_500n } }).discountCents).toBe(3n);
  expect(priceCart({ lines: [line(10_000n)], discount: { percentOffBps: 3_333n } }).discountCents).toBe(
    3_333n,
  );
  expect(priceCart({ lines, discount: { percentOffBps: 10_000n } }).totalCents).toBe(0n);
});

test('a discount is never more than what it applies to', () => {
  const lines = [{ ...line(500n), isDiscountable: false }, line(300n, 1n, 'b')];
  const priced = priceCart({ lines, discount: { amountOffCents: MAX_INT64 } });
  expect(priced.lines.map(({ discountCents }) => discountCents)).toEqual([0n, 300n]);
  expect(priced.totalCents).toBe(500n);
});

test('a discount that applies to nothing changes nothing', () => {
  const lines = [{ ...line(500n), isDiscountable: false }];
  expect(priceCart({ lines, discount: { percentOffBps: 5_000n } }).totalCents).toBe(500n);
});

test('tax is added or contained, and rounded once per rate', () => {
  const added = { id: 'vat', ratePpm: 190_000n, behavior: 'exclusive' as const };
  const three = ['a', 'b', 'c'].map((key) => ({ ...line(33n, 1n, key), tax: added }));
  // Line by line it would be 6 + 6 + 6 = 18.
  expect(priceCart({ lines: three })).toMatchObject({ taxCents: 19n, totalCents: 118n });
  const contained = { ...added, behavior: 'inclusive' as const };
  const lines = [{ ...line(11_900n), tax: contained }];
  expect(priceCart({ lines })).toMatchObject({ taxCents: 1_900n, totalCents: 11_900n });
  const both = priceCart({ lines: [...three, ...lines], discount: { percentOffBps: 5_000n } });
  expect(
    both.taxes.map(({ behavior, taxableCents, taxCents }) => [behavior, taxableCents, taxCents]),
  ).toEqual([
    ['exclusive', 49n, 9n],
    ['inclusive', 5_950n, 950n],
  ]);
});

test('credit pays at most all of it', () => {
  expect(priceCart({ lines: [line(500n)], creditCents: 200n })).toMatchObject({
    creditAppliedCents: 200n,
    totalCents: 300n,
  });
  expect(priceCart({ lines: [line(500n)], creditCents: 900n })).toMatchObject({
    creditAppliedCents: 500n,
    totalCents: 0n,
  });
});

test('the largest amount is priced exactly, and one more cent is refused', () => {
  const discount = { percentOffBps: 9_999n };
  const most = priceCart({ lines: [line(MAX_INT64 - 1n), line(1n, 1n, 'b')], discount });
  expect(most.subtotalCents).toBe(MAX_INT64);
  expect(most.discountCents + most.totalCents).toBe(MAX_INT64);
  const says = `lineItems must not add up to more than ${MAX_INT64} cents`;
  expect(() => priceCart({ lines: [line(MAX_INT64), line(1n)] })).toThrow(says);
  expect(() => priceCart({ lines: [line(MAX_INT64 / 2n + 1n, 2n)] })).toThrow(says);
  expect(() => priceCart({ lines: [line(MAX_INT64, 2n)], field: 'quantity' })).toThrow(
    `quantity is too large: the total would be more than ${MAX_INT64} cents`,
  );
  const tax = { id: 'vat', ratePpm: 1n, behavior: 'exclusive' as const };
  expect(() => priceCart({ lines: [{ ...line(MAX_INT64), tax }] })).toThrow(says);
});

test('100,000 random carts: every sum is exact to the cent, and order changes nothing', () => {
  let [discounted, taxed, edge] = [0, 0, 0];
  for (let seed = 1; seed <= 100_000; seed++) {
    const cart = randomCart(seed);
    const priced = pricedOrRefused(cart);
    if (priced === undefined) {
      edge++;
      continue;
    }
    if (priced.discountCents > 0n) discounted++;
    if (priced.taxCents > 0n) taxed++;
    const problem = problemOf(cart, priced, seed);
    if (problem) expect.fail(`cart ${seed}: ${problem}`);
  }
  expect(discounted).toBeGreaterThan(10_000);
  expect(taxed).toBeGreaterThan(10_000);
  expect(edge).toBeGreaterThan(100);
});

function pricedOrRefused(cart: Cart) {
  try {
    return priceCart(cart);
  } catch (error) {
    expect(String(error)).toContain('must not add up to more than');
    return undefined;
  }
}

function problemOf(cart: Cart, priced: ReturnType<typeof priceCart>, seed: number): string | undefined {
  const { lines, taxes } = priced;
  const add = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);
  const added = add(taxes.map(({ behavior, taxCents }) => (behavior === 'exclusive' ? taxCents : 0n)));
  const all = [...lines.flatMap((each) => Object.values(each)), priced.totalCents, priced.creditAppliedCents];
  if (all.some((cents) => cents < 0n || cents > MAX_INT64)) return 'an amount is out of bounds';
  if (add(lines.map(({ amountCents }) => amountCents)) !== priced.subtotalCents) return 'the subtotal is off';
  if (add(lines.map(({ discountCents }) => discountCents)) !== priced.discountCents)
    return 'the discount is off';
  if (lines.some(({ amountCents, discountCents }) => discountCents > amountCents))
    return 'a line is below zero';
  if (add(lines.map(({ taxCents }) => taxCents)) !== priced.taxCents) return 'the tax is off';
  if (add(taxes.map(({ taxCents }) => taxCents)) !== priced.taxCents) return 'the tax by rate is off';
  if (priced.subtotalCents - priced.discountCents + added !== priced.amountCents) return 'the amount is off';
  if (priced.amountCents - priced.creditAppliedCents !== priced.totalCents) return 'the total is off';
  const order = shuffled(cart.lines.length, seed);
  const again = priceCart({ ...cart, lines: order.map((at) => cart.lines[at]!) });
  if (again.totalCents !== priced.totalCents) return 'the total depends on the order';
  if (order.some((at, i) => !same(again.lines[i]!, lines[at]!))) return 'a share depends on the order';
  return undefined;
}

function same(one: object, other: object): boolean {
  return Object.entries(one).every(([name, value]) => (other as Record<string, unknown>)[name] === value);
}
