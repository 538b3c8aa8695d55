import { expect, test } from 'vitest';
import { NetworkBuckets } from './network-buckets.ts';

const RULE = { perSecond: 1, burst: 5 };

/** How many of so many calls are allowed. */
function allowedOf(buckets: NetworkBuckets, calls: number, addressOf: (call: number) => string): number {
  return Array.from({ length: calls }, (_, call) => buckets.take(addressOf(call), 0)).filter(
    ({ allowed }) => allowed,
  ).length;
}

test.each([
  ['one IPv6 /48', (call: number) => `2001:db8:1:${call.toString(16)}::1`, '2001:db8:2::1'],
  ['one IPv4 /24', (call: number) => `192.0.2.${call}`, '198.51.100.1'],
])(
  'the clients of %s have four times as much as one of them, and others are not affected',
  (_name, addressOf, other) => {
    const buckets = new NetworkBuckets(RULE, 'test');
    expect(allowedOf(buckets, 20, () => addressOf(0))).toBe(5);
    expect(allowedOf(buckets, 200, addressOf)).toBe(15);
    expect(allowedOf(buckets, 20, () => other)).toBe(5);
  },
);

test('what is given back can be taken again', () => {
  const buckets = new NetworkBuckets(RULE, 'test');
  for (let call = 0; call < 100; call++) {
    expect(buckets.take('192.0.2.1', 0).allowed).toBe(true);
    buckets.give('192.0.2.1', 0);
  }
  expect(allowedOf(buckets, 20, () => '192.0.2.1')).toBe(5);
});
