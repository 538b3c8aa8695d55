import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseAmount, fits } from './choose-amount.ts';

const CENT = 10_000n;

test('a million assignments at one address: each pays its price and less than a cent more, no two are alike', () => {
  const taken = new Set<bigint>();
  const prices = 150;
  let refused = 0;
  let wrong = 0;
  for (let each = 0; each < 1_000_000; each++) {
    // Some lack a fraction of a cent, because one has arrived: then the ranges of two prices overlap.
    const due = BigInt(100 + (each % prices)) * CENT - (each % 7 === 0 ? BigInt(randomInt(10_000)) : 0n);
    const amount = chooseAmount(due, taken, randomInt);
    if (amount === undefined) {
      refused++;
      continue;
    }
    if (!fits(amount, due) || taken.has(amount)) wrong++;
    taken.add(amount);
  }
  expect(wrong).toBe(0);
  expect(taken.size + refused).toBe(1_000_000);
  // Nobody is refused while there are 9,999 of each cent.
  expect(refused).toBe(0);
});

test('all 9,999 fractions of a price are given, and then none', () => {
  const taken = new Set<bigint>();
  for (let count = 0; count < 9_999; count++) taken.add(chooseAmount(12_500_000n, taken, randomInt)!);
  expect(taken.size).toBe(9_999);
  expect(chooseAmount(12_500_000n, taken, randomInt)).toBeUndefined();
});

test('whatever is due and wherever the search begins: more by 1 to 9,999 base units, and never whole cents', () => {
  const due = fc.bigInt({ min: 1n, max: 2n ** 63n });
  fc.assert(
    fc.property(
      due,
      fc.nat({ max: 9_998 }),
      fc.array(fc.bigInt({ min: 1n, max: 9_999n })),
      (due, first, gone) => {
        const taken = new Set(gone.map((fraction) => due + fraction));
        const amount = chooseAmount(due, taken, () => first)!;
        expect(amount - due).toBeGreaterThanOrEqual(1n);
        expect(amount - due).toBeLessThanOrEqual(9_999n);
        expect(amount % CENT).not.toBe(0n);
        expect(taken.has(amount)).toBe(false);
      },
    ),
  );
});
