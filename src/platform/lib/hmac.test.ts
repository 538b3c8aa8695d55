import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacOf } from './hmac.ts';

test('is what createHmac says, for keys and texts of every length', () => {
  for (let length = 0; length < 200; length++) {
    const key = createSecretKey(randomBytes(1 + length));
    for (const text of [
      randomBytes(length).toString('base64'),
      'Größe 5 🦖'.repeat(length),
      '\0'.repeat(length),
    ]) {
      expect(hmacOf(key, text)).toBe(createHmac('sha256', key).update(text).digest('base64url'));
      expect(hmacOf(key, text), 'again').toBe(createHmac('sha256', key).update(text).digest('base64url'));
    }
  }
});

test('is what RFC 4231 says', () => {
  const key = createSecretKey(Buffer.from('Jefe'));
  const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  expect(Buffer.from(hmacOf(key, 'what do ya want for nothing?'), 'base64url').toString('hex')).toBe(
    expected,
  );
});
