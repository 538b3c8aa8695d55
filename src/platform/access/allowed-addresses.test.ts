import fc from 'fast-check';
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

test('a range of one family allows nothing of the other, though IPv4 addresses have a form in IPv6', () => {
  for (const range of ['::/0', '::/80', '::fffe:0:0/95', '2000::/3'])
    for (const ip of ['10.0.0.1', '::ffff:10.0.0.1', '192.0.2.7'])
      expect([range, ip, allowAddresses([range]).allows(ip)]).toEqual([range, ip, false]);
  expect(['::1', '2001:db8::1'].map(allowAddresses(['::/0']).allows)).toEqual([true, true]);
  expect(['::1', '2001:db8::1', '1.2.3.4'].map(allowAddresses(['0.0.0.0/0']).allows)).toEqual([
    false,
    false,
    true,
  ]);
});

test('ranges hold what a mask of their bits says, at any length and whatever follows the mask', () => {
  const bits = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
  const text = (value: bigint) => value.toString(16).padStart(32, '0').match(/.{4}/g)!.join(':');
  fc.assert(
    fc.property(bits, bits, fc.nat(128), fc.boolean(), (network, random, prefix, isNear) => {
      const shift = BigInt(128 - prefix);
      // Half of them differ in one bit only, at the edge of the mask.
      const ip = isNear
        ? network ^ (1n << (random % 2n === 0n || shift === 0n ? shift % 128n : shift - 1n))
        : random;
      if (ip >> 32n === 0xffffn || network >> 32n === 0xffffn) return;
      const isInside = ip >> shift === network >> shift;
      expect(allowAddresses([`${text(network)}/${prefix}`]).allows(text(ip))).toBe(isInside);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ...[
    '0177.0.0.1',
    '0x7f.0.0.1',
    '127.1',
    '2130706433',
    '127.0.0.1.',
    '127.0.0.1 ',
    '127.0.0.01',
    '127.0.0.1\0',
  ],
  ...[
    '127.0.0.1%lo',
    '[::1',
    '::1]',
    '::ffff:127.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '::127.0.0.1',
    '::ffff:0:7f00:1',
  ],
])('%j is not 127.0.0.1, however some programs read it', (ip) => {
  expect(allowAddresses(['127.0.0.1', '::1']).allows(ip)).toBe(false);
  expect(parseRange(ip)?.family).not.toBe('ipv4');
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
