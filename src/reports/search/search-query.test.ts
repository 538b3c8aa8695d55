import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import { parseSearchQuery } from './search-query.ts';

test.each([
  ['12', 1_200n],
  ['12.5', 1_250n],
  ['12,50', 1_250n],
  ['0.01', 1n],
  ['$1,250.00', 125_000n],
  ['$ 7', 700n],
  ['1,250,000', 125_000_000n],
  ['12.50 USDC', 1_250n],
  ['12.50usd', 1_250n],
  ['92233720368547758.07', 9_223_372_036_854_775_807n],
  ['92233720368547758.08', null],
  ['0', null],
  ['0.00', null],
  ['12.345', null],
  ['1.250.000', null],
  ['-5', null],
  ['.5', null],
  ['order 12', null],
  ['', null],
])('%s as an amount is %s', (text, cents) => {
  expect(parseSearchQuery(text).amountCents).toBe(cents);
});

test('every amount is read as it is written', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 9_223_372_036_854_775_807n }), (cents) => {
      const text = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
      expect(parseSearchQuery(text).amountCents).toBe(cents);
    }),
  );
});

test('recognises an id in any case, a reference and a signature', () => {
  const id = '019b76da-a800-7000-8000-00000000000a';
  const reference = encodeBase58(new Uint8Array(32).fill(7));
  const signature = encodeBase58(new Uint8Array(64).fill(7));
  expect(parseSearchQuery(` ${id.toUpperCase()} `)).toMatchObject({ id, reference: null, signature: null });
  expect(parseSearchQuery(reference)).toMatchObject({ id: null, reference, signature: null });
  expect(parseSearchQuery(signature)).toMatchObject({ id: null, reference: null, signature });
});

test('of a page address what it names counts', () => {
  const signature = encodeBase58(new Uint8Array(64).fill(9));
  expect(parseSearchQuery(`https://explorer.example/tx/${signature}?cluster=devnet`).signature).toBe(
    signature,
  );
  expect(parseSearchQuery('http://127.0.0.1:4020/checkout/cs_abc/').texts[0]).toBe('cs_abc');
  expect(parseSearchQuery('https://example.com').texts[0]).toBe('https://example.com');
});

test('a text is looked for as typed and in the usual cases', () => {
  expect(parseSearchQuery('ärzte').texts).toEqual(['ärzte', 'ÄRZTE', 'Ärzte']);
  expect(parseSearchQuery('Order-1').texts).toEqual(['Order-1', 'order-1', 'ORDER-1']);
});
