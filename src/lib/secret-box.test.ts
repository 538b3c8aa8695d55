import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { secretBox } from './secret-box.ts';

test('opens what it sealed, never twice the same bytes, and nothing that was touched or sealed elsewhere', () => {
  const box = secretBox(randomBytes(32));
  const sealed = box.seal('whsec_grüß');
  expect(box.open(sealed)).toBe('whsec_grüß');
  expect(box.seal('whsec_grüß').equals(sealed)).toBe(false);
  for (let i = 0; i < sealed.length; i++) {
    const touched = Buffer.from(sealed);
    touched[i]! ^= 1;
    expect(() => box.open(touched)).toThrow();
  }
  expect(() => secretBox(randomBytes(32)).open(sealed)).toThrow();
  expect(() => box.open(sealed.subarray(0, 20))).toThrow();
});
