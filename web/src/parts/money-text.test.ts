import { expect, test } from 'vitest';
import {
  moneyIn,
  moneyText,
  parseMoney,
  plainMoney,
  readPlainMoney,
  requireMoney,
  wantedText,
} from './money-text.ts';

test('every digit of the largest amount is kept', () => {
  expect([0, 5, 1250, 123_456_789].map(moneyText)).toEqual(['0.00', '0.05', '12.50', '1,234,567.89']);
  expect(moneyText(9_223_372_036_854_775_807n)).toBe('92,233,720,368,547,758.07');
  expect(moneyText(-1250)).toBe('−12.50');
});

test('an amount is read as it is typed, and nothing else is', () => {
  expect(['12', '12.5', ' 12.50 ', '1,234.50'].map(parseMoney)).toEqual([1200n, 1250n, 1250n, 123_450n]);
  expect(['12,50', '12,5', '1,250', '1,25.00', '1.250,00', '12,345,6'].map(parseMoney)).toEqual(
    Array(6).fill(undefined),
  );
  expect(parseMoney('92,233,720,368.07')).toBe(9_223_372_036_807n);
  expect(['', '12.345', '-1', '1e3', 'twelve', '12.'].map(parseMoney)).toEqual(Array(6).fill(undefined));
});

test('an amount with two meanings is refused as such', () => {
  expect(requireMoney('Price', ' 12.50 ')).toBe(1250n);
  expect(() => requireMoney('Price', '1,250')).toThrow('Price: “1,250” could mean two amounts.');
  expect(() => requireMoney('Price', 'twelve')).toThrow('Price: enter an amount such as 12 or 12.50.');
});

test('in an address and in a search an amount is the same in every language', () => {
  expect([plainMoney(5n), plainMoney(123_450n)]).toEqual(['0.05', '1234.50']);
  expect(['1234.5', '12', '12,50', '1,234.50', ''].map(readPlainMoney)).toEqual([
    ...[123_450n, 1200n],
    ...Array(3).fill(undefined),
  ]);
  expect(['1,234.50', '١٢٫٥٠', '1234,50', '1001', 'ord-1'].map(wantedText)).toEqual([
    ...['1234.50', '12.50', '1234,50', '1001', 'ord-1'],
  ]);
});

test.each([
  ['de', '1.234.567,89', '1.250,00', ['1.250', '1,250', '1,250.00']],
  ['es', '1.234.567,89', '12.500,00', ['1.250', '1,250', '1,250.00']],
  ['fr', '1 234 567,89', '1 250,00', ['1.250', '1,250', '1,250.00', '1 25']],
  ['ar-u-nu-latn', '1,234,567.89', '1,250.00', ['1,250', '1.250', '12,50', '1.250,00']],
])(
  '%s: written and read as its readers do, and what can mean two amounts is refused',
  (locale, written, grouped, refused) => {
    const money = moneyIn(locale);
    expect(money.text(123_456_789).replace(/\s/g, ' ')).toBe(written);
    expect(money.parse(money.text(123_456_789))).toBe(123_456_789n);
    expect(money.parse(grouped)).toBe(locale === 'es' ? 1_250_000n : 125_000n);
    expect(money.parse('12.50')).toBe(1250n);
    expect(money.parse('١٢٫٥٠')).toBe(1250n);
    expect(money.parse('۱۲')).toBe(1200n);
    expect(money.parse('1 250')).toBe(locale === 'fr' ? 125_000n : undefined);
    if (locale.startsWith('ar')) expect(money.parse('١٬٢٥٠٫٠٠')).toBe(125_000n);
    else expect(money.parse('12,5')).toBe(1250n);
    expect(refused.map(money.parse)).toEqual(refused.map(() => undefined));
  },
);
