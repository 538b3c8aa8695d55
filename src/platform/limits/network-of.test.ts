import { expect, test } from 'vitest';
import { networkOf, wideNetworkOf } from './network-of.ts';

test('IPv4 addresses count alone, IPv6 addresses with their /64, however they are written', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(networkOf('2001:0DB8:0001:0002::9')).toBe('2001:db8:1:2');
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0');
  expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'));
  expect(networkOf('::1')).toBe('0:0:0:0');
  expect(networkOf('fe80::')).toBe('fe80:0:0:0');
  expect(networkOf('::2:3:4:5:6:1.2.3.4')).toBe('0:2:3:4');
  expect(networkOf('0:2:3:4:5:6:102:304')).toBe('0:2:3:4');
  expect(networkOf('fe80::1%eth0')).toBe(networkOf('fe80::1%eth1'));
});

test('an IPv6 /48 and an IPv4 /24 are one wide network', () => {
  expect(wideNetworkOf('192.0.2.77')).toBe('192.0.2.0/24');
  expect(wideNetworkOf('::ffff:192.0.2.1')).toBe('192.0.2.0/24');
  expect(wideNetworkOf('192.0.3.1')).not.toBe(wideNetworkOf('192.0.2.1'));
  expect(wideNetworkOf('2001:db8:1:2::1')).toBe('2001:db8:1::/48');
  expect(wideNetworkOf('2001:db8:1:ffff::1')).toBe(wideNetworkOf('2001:db8:1::2'));
  expect(wideNetworkOf('2001:db8:2::1')).not.toBe(wideNetworkOf('2001:db8:1::1'));
  expect(wideNetworkOf('garbage')).toBe(wideNetworkOf(''));
});

test('a port makes no other client, and whatever is no address is one client', () => {
  expect(networkOf('192.0.2.1:1000')).toBe('192.0.2.1');
  expect(networkOf('[2001:db8:1:2::1]:443')).toBe('2001:db8:1:2');
  expect(networkOf('garbage1')).toBe(networkOf('garbage2'));
  expect(networkOf('192.0.2.1:x')).toBe(networkOf(''));
});
