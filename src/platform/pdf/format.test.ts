import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCount, formatDay, formatPeriod, formatUsd } from './format.ts';

test.each([
  [0n, '$0.00'],
  [5n, '$0.05'],
  [-5n, '-$0.05'],
  [100n, '$1.00'],
  [99_999n, '$999.99'],
  [100_000n, '$1,000.00'],
  [9_223_372_036_854_775_807n, '$92,233,720,368,547,758.07'],
  [-9_223_372_036_854_775_808n, '-$92,233,720,368,547,758.08'],
])('%s cents are %s', (cents, text) => {
  expect(formatUsd(cents)).toBe(text);
});

test('no digit of any amount is lost or added', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (cents) => {
      expect(BigInt(formatUsd(cents).replace(/[$,.]/g, ''))).toBe(cents);
      expect(BigInt(formatCount(cents).replaceAll(',', ''))).toBe(cents);
      expect(formatUsd(cents)).toMatch(/^-?\$\d{1,3}(,\d{3})*\.\d{2}$/);
    }),
  );
});

test('a day is the day in UTC', () => {
  expect(formatDay(new Date('2026-12-31T23:59:59Z'))).toBe('Dec 31, 2026');
  expect(formatDay(new Date('2027-01-01T00:00:00Z'))).toBe('Jan 1, 2027');
});

test('a period may be open at either end', () => {
  const start = new Date('2026-11-01T00:00:00Z');
  const end = new Date('2026-12-01T00:00:00Z');
  expect(formatPeriod(start, end)).toBe('Nov 1, 2026 – Dec 1, 2026');
  expect(formatPeriod(start, null)).toBe('From Nov 1, 2026');
  expect(formatPeriod(null, end)).toBe('Until Dec 1, 2026');
  expect(formatPeriod(null, null)).toBe('');
});
