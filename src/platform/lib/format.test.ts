import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCount, formatPercent, formatUsd } from './format.ts';

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
  expect(formatUsd(cents, 'en')).toBe(text);
});

test('no digit of any amount is lost or added', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (cents) => {
      expect(BigInt(formatUsd(cents, 'en').replace(/[$,.]/g, ''))).toBe(cents);
      expect(BigInt(formatCount(cents, 'en').replaceAll(',', ''))).toBe(cents);
      expect(formatUsd(cents, 'en')).toMatch(/^-?\$\d{1,3}(,\d{3})*\.\d{2}$/);
    }),
  );
});

test('dollars are exact at any size, as each language writes them', () => {
  expect(formatUsd(9223372036854775807n, 'en')).toBe('$92,233,720,368,547,758.07');
  expect(formatUsd(5n, 'en')).toBe('$0.05');
  expect(formatUsd(-1050n, 'de')).toBe('-10,50\u00a0$');
});

test('in Arabic an amount is isolated left to right, so that its signs stay in place', () => {
  for (const cents of [3000n, -1000n]) {
    const text = formatUsd(cents, 'ar');
    expect(text.at(0)).toBe('\u2066');
    expect(text.at(-1)).toBe('\u2069');
    expect(text).toMatch(cents < 0n ? /-10\.00/ : /30\.00/);
    expect(text).not.toMatch(/[\u061c\u200e\u200f]/);
  }
});

test('a percentage shows the decimals it has', () => {
  expect(formatPercent(19, 'en')).toBe('19%');
  expect(formatPercent(8.1251, 'de')).toBe('8,1251\u00a0%');
  expect(formatPercent(15, 'ar')).toBe('15%');
});
