import { expect, test } from 'vitest';
import { plainAddress } from './client-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:80', '192.0.2.1'],
  ['192.0.2.1:65535', '192.0.2.1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:db8::ffff', '2001:db8::ffff'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
])('%s is %s', (text, plain) => {
  expect(plainAddress(text)).toBe(plain);
});

test.each([
  undefined,
  '',
  'unknown',
  'garbage1',
  '192.0.2',
  '192.0.2.1:',
  '192.0.2.1:x',
  '[192.0.2.1',
  '[]:1',
])('%s is no address', (text) => {
  expect(plainAddress(text)).toBeUndefined();
});
