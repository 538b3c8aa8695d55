import { randomBytes } from 'node:crypto';
import { getBase58Decoder } from '@solana/kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase58, encodeBase58 } from './base58.ts';

test('decode undoes encode for any bytes, leading zeros included', () => {
  expect(encodeBase58(Buffer.from('0000287fb4cd', 'hex'))).toBe('11233QC4');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(3), (bytes, zeros) => {
      const all = Uint8Array.from([...Array(zeros).fill(0), ...bytes]);
      expect(decodeBase58(encodeBase58(all))).toEqual(all);
    }),
  );
});

test('the data of the longest call between programs is encoded, at whatever length', () => {
  for (const length of [0, 1, 1_232, 2_048, 2_049, 10_240]) {
    const bytes = randomBytes(length);
    expect([length, encodeBase58(bytes)]).toEqual([length, getBase58Decoder().decode(bytes)]);
  }
});

test('what is no base58 is not decoded, nor what is longer than any transaction', () => {
  for (const text of ['0OIl', 'ñ'.repeat(44), 'a b']) expect(decodeBase58(text)).toBeUndefined();
  expect(decodeBase58('2'.repeat(1_683))).toBeDefined();
  expect(decodeBase58('2'.repeat(1_684))).toBeUndefined();
});
