import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { mappedIpv4, plainAddress } from '../lib/client-address.ts';

export const MAX_ADDRESSES = 20;

export interface AddressRange {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
  /** The text as given, except that an IPv4-mapped IPv6 address is written as IPv4. */
  text: string;
}

/** The addresses a key may be used from. */
export interface AllowedAddresses {
  /** The ranges as they are stored. */
  list: readonly string[];
  allows(ip: string): boolean;
}

/** Undefined unless it is an IPv4 or IPv6 address, or a CIDR range of either. */
export function parseRange(text: string): AddressRange | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined;
  // A zone means something on one machine only.
  if (!family || rest.length > 0 || address.includes('%')) return undefined;
  const longest = family === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
  if (prefix > longest) return undefined;
  const ipv4 = family === 'ipv6' ? mappedIpv4(address) : undefined;
  return ipv4 === undefined ? { address, prefix, family, text } : unmapped(text, ipv4, prefix);
}

const MAPPED_BITS = 96;

/**
 * A range that starts with an IPv4 address and is wider than all of IPv4 is a mistake, unless it is written as IPv6.
 */
function unmapped(text: string, address: string, bits: number): AddressRange | undefined {
  const prefix = bits - MAPPED_BITS;
  if (prefix >= 0)
    return { address, prefix, family: 'ipv4', text: prefix === 32 ? address : `${address}/${prefix}` };
  const [ipv6 = ''] = text.split('/');
  return ipv6.includes('.') ? undefined : { address: ipv6, prefix: bits, family: 'ipv6', text };
}

/** Built once for each key, not for each call. */
export function allowAddresses(list: readonly string[]): AllowedAddresses {
  // One list for each family: in a shared one, ::/0 would hold every IPv4 address too.
  const ranges = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of list) {
    const range = parseRange(text)!;
    addRange(ranges[range.family], range);
  }
  return {
    list,
    allows(ip) {
      const address = plainAddress(ip);
      if (address === undefined) return false;
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      return ranges[family].check(address, family);
    },
  };
}

export function isWithin(inner: AddressRange, outer: AddressRange): boolean {
  if (inner.family !== outer.family || inner.prefix < outer.prefix) return false;
  const range = new BlockList();
  addRange(range, outer);
  return range.check(inner.address, inner.family);
}

function addRange(ranges: BlockList, { address, prefix, family }: AddressRange): void {
  ranges.addSubnet(address, prefix, family);
}
