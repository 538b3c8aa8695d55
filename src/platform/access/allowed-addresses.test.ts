import { expect, test } from 'vitest';
import { allowAddresses, isWithin, parseRange } from './allowed-addresses.ts';

test('addresses and ranges of both families allow what lies in them, however it is written', () => {
  const { allows } = allowAddresses(['192.0.2.7', '10.1.2.3/8', '2001:db8::/32', '2001:DB9::1']);
  for (const ip of [
    '192.0.2.7',
    '10.0.0.0',
    '10.255.255.255',
    '::ffff:192.0.2.7',
    '2001:db8:ffff::9',
    '2001:db9::1',
  ])
    expect([ip, allows(ip)]).toEqual([ip, true]);
  for (const ip of ['192.0.2.8', '11.0.0.0', '::ffff:192.0.2.8', '2001:db9::2', '::1', 'unix', ''])
    expect([ip, allows(ip)]).toEqual([ip, false]);
});

test('whatever is neither an address nor a range is refused', () => {
  for (const text of [
    '',
    'localhost',
    '192.0.2',
    '192.0.2.1/33',
    '192.0.2.1/-1',
    '192.0.2.1/',
    '192.0.2.1/8/8',
    '192.0.2.1/08x',
    '::1/129',
    'fe80::1%eth0',
    '::ffff:192.0.2.1/32',
    '::ffff:192.0.2.1/129',
    ' 192.0.2.1',
    '192.0.2.1:80',
    '[2001:db8::1]',
  ])
    expect([text, parseRange(text)]).toEqual([text, undefined]);
});

test('an IPv4 address in the form of an IPv6 one is taken as the IPv4 address it is', () => {
  const texts = ['::ffff:192.0.2.1', '::FFFF:c000:201', '::ffff:10.0.0.0/104', '::ffff:0:0/96', '10.1.2.3/8'];
  expect(texts.map((text) => parseRange(text)!.text)).toEqual([
    '192.0.2.1',
    '192.0.2.1',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '10.1.2.3/8',
  ]);
  const { allows } = allowAddresses(texts.slice(0, 3));
  expect(['192.0.2.1', '::ffff:192.0.2.1', '10.9.9.9', '192.0.2.2'].map(allows)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('a range is within another when every address of it is', () => {
  const within = (inner: string, outer: string) => isWithin(parseRange(inner)!, parseRange(outer)!);
  expect(within('10.1.0.0/16', '10.0.0.0/8')).toBe(true);
  expect(within('10.1.2.3', '10.1.2.3')).toBe(true);
  expect(within('10.0.0.0/8', '10.1.0.0/16')).toBe(false);
  expect(within('11.0.0.1', '10.0.0.0/8')).toBe(false);
  expect(within('2001:db8:1::/48', '2001:db8::/32')).toBe(true);
  expect(within('10.0.0.1', '::/0')).toBe(false);
});
