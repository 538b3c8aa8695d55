import { expect, test } from 'vitest';
import { formatUsd } from '../../platform/lib/format.ts';
import { LANGUAGES } from '../../platform/lib/language.ts';
import { isAmbiguous, readMoney } from './read-money.ts';

test.each([
  ['12', 1200n],
  ['12.5', 1250n],
  ['12,5', 1250n],
  ['12.50', 1250n],
  ['12,50', 1250n],
  [' $12.50 ', 1250n],
  ['12,50 USDC', 1250n],
  ['1,234.50', 123_450n],
  ['1.234,50', 123_450n],
  ['1 234,50', 123_450n],
  ['1234567.89', 123_456_789n],
  ['١٢٫٥٠', 1250n],
  ['0', 0n],
])('%s', (typed, cents) => {
  expect(readMoney(typed)).toBe(cents);
});

test.each([
  ...['1,250', '1.250', '1.2.3', '12.505', ',5', '5,', '-5', '+5', '1e3', '0x10', 'five', '', ' '],
  ...['1,23.45', '12,34,567.00', '9999999999999999', '1,234,50', '١٬٢٥٠', '12.50.', 'NaN'],
])('%j is no amount, or could be two', (typed) => {
  expect(readMoney(typed)).toBeUndefined();
});

test.each(LANGUAGES)('what we write in %s is read as it was', (language) => {
  for (const cents of [1n, 50n, 1250n, 123_450n, 123_456_789n]) {
    expect([cents, readMoney(formatUsd(cents, language))]).toEqual([cents, cents]);
  }
});

test('an amount that could be two differs from one that is none', () => {
  const could = ['1,250', '1.250', '$1,250', '1,234,567', '1.234.567', '١٬٢٥٠'];
  const none = ['1250', '12,50', '1,250.00', '1.250,00', '1,25', '1,23,456', '1,250.000', 'five', ''];
  expect(could.filter((typed) => !isAmbiguous(typed))).toEqual([]);
  expect(none.filter(isAmbiguous)).toEqual([]);
});
