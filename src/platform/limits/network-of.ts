import { plainAddress } from '../lib/client-address.ts';

/**
 * What counts as one client: an IPv4 address, or a whole IPv6 /64, which one household or machine has to itself.
 * Everyone without an address is one client: faking that gains nothing.
 */
export function networkOf(given: string): string {
  const ip = plainAddress(given);
  if (ip === undefined) return 'unknown';
  if (!ip.includes(':')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const zeros = Array(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
