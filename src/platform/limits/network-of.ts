import { plainAddress } from '../lib/client-address.ts';

/**
 * What counts as one client: an IPv4 address, or a whole IPv6 /64, which one household or machine has to itself.
 * Everyone without an address is one client: faking that gains nothing.
 */
export function networkOf(given: string): string {
  const ip = plainAddress(given);
  if (ip === undefined) return 'unknown';
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const groups = [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}
