import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INTERVALS } from '../../billing/catalog/price.ts';
import { monthlyCents } from './monthly-cents.ts';

test('known sums', () => {
  expect(monthlyCents([])).toBe(0n);
  expect(monthlyCents([{ interval: 'month', count: 1, cents: 1_000n }])).toBe(1_000n);
  expect(monthlyCents([{ interval: 'month', count: 6, cents: 1_000n }])).toBe(167n);
  expect(monthlyCents([{ interval: 'year', count: 1, cents: 1_200n }])).toBe(100n);
  expect(monthlyCents([{ interval: 'week', count: 1, cents: 300n }])).toBe(1_300n);
  expect(monthlyCents([{ interval: 'day', count: 1, cents: 12n }])).toBe(365n);
  // Halves up, and once over all: two halves are one.
  expect(monthlyCents([{ interval: 'month', count: 2, cents: 1n }])).toBe(1n);
  expect(
    monthlyCents([
      { interval: 'month', count: 2, cents: 1n },
      { interval: 'year', count: 1, cents: 6n },
    ]),
  ).toBe(1n);
});

test('the same as sums in twelfths of the least common multiple', () => {
  const LCM = 27_720n * 12n;
  const perYear = { year: 1n, month: 12n, week: 52n, day: 365n };
  const sum = fc.record({
    interval: fc.constantFrom(...INTERVALS),
    count: fc.integer({ min: 1, max: 12 }),
    cents: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  });
  fc.assert(
    fc.property(fc.array(sum, { maxLength: 40 }), (sums) => {
      const scaled = sums.reduce(
        (total, { interval, count, cents }) =>
          total + (cents * perYear[interval] * LCM) / (12n * BigInt(count)),
        0n,
      );
      const remainder = scaled % LCM;
      expect(monthlyCents(sums)).toBe(scaled / LCM + (2n * remainder >= LCM ? 1n : 0n));
    }),
    { numRuns: 2_000 },
  );
});
