import { base58 } from '@scure/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase58, encodeBase58, isSolanaAddress, newReferenceAddress } from './base58.ts';

test('known vectors', () => {
  expect(encodeBase58(Buffer.from('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
  expect(encodeBase58(Buffer.alloc(32))).toBe('1'.repeat(32));
  expect(encodeBase58(Buffer.from('0000287fb4cd', 'hex'))).toBe('11233QC4');
});

test('the same letters as the library, for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat({ max: 4 }), (bytes, zeros) => {
      const padded = Uint8Array.from([...Array<number>(zeros).fill(0), ...bytes]);
      expect(encodeBase58(padded)).toBe(base58.encode(padded));
    }),
    { numRuns: 1_000 },
  );
  for (const length of [1, 2, 3, 31, 32, 33, 64])
    for (const byte of [0, 1, 57, 58, 255])
      expect(encodeBase58(Buffer.alloc(length, byte))).toBe(base58.encode(Buffer.alloc(length, byte)));
});

test('decode undoes encode for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(Buffer.from(decodeBase58(encodeBase58(bytes))!)).toEqual(Buffer.from(bytes));
    }),
  );
});

test.each([
  '',
  '0OIl',
  'abc',
  `${'1'.repeat(31)}`,
  '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS77',
  'ñ'.repeat(44),
])('%j is no Solana address', (text) => {
  expect(isSolanaAddress(text)).toBe(false);
});

test('a text longer than any transaction is not decoded', () => {
  expect(decodeBase58('2'.repeat(1_683))).toBeDefined();
  expect(decodeBase58('2'.repeat(1_684))).toBeUndefined();
  expect(decodeBase58('1'.repeat(1_000_000))).toBeUndefined();
});

test('a new reference is an address, and never the same twice', () => {
  const references = Array.from({ length: 100 }, newReferenceAddress);
  expect(references.every(isSolanaAddress)).toBe(true);
  expect(new Set(references).size).toBe(100);
});
