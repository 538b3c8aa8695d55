import { plainAddress } from '../lib/client-address.ts';

const UNKNOWN = 'unknown';

/**
 * Network that counts as one client: an IPv4 address, or a whole IPv6 /64, which one household or machine has to
 * itself. All callers without an address are one client: faking that gains nothing.
 */
export function networkOf(given: string): string {
  const ip = plainAddress(given);
  if (ip === undefined) return UNKNOWN;
  return ip.includes(':') ? partsOf(ip).slice(0, 4).join(':') : ip;
}

/**
 * Network that one customer of a provider may have: an IPv6 /48 has 65,536 of /64, and an IPv4 /24 has 256 addresses.
 */
export function wideNetworkOf(given: string): string {
  const ip = plainAddress(given);
  if (ip === undefined) return UNKNOWN;
  return ip.includes(':') ? `${partsOf(ip).slice(0, 3).join(':')}::/48` : ip.replace(/\d+$/, '0/24');
}

/** The eight parts of an IPv6 address. */
function partsOf(ip: string): string[] {
  const [head = '', tail = ''] = ip.split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  return [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
}
