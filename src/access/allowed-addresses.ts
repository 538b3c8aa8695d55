import { BlockList, isIPv4, isIPv6 } from 'node:net';

export const MAX_ADDRESSES = 20;

export interface AddressRange {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** Where a key may be used from. */
export interface AllowedAddresses {
  /** As they were given. */
  list: readonly string[];
  allows(ip: string): boolean;
}

/** Undefined unless it is an IPv4 or IPv6 address, or a CIDR range of either. */
export function parseRange(text: string): AddressRange | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined;
  // A zone means something on one machine only, and an IPv4 address is written as one.
  if (!family || rest.length > 0 || address.includes('%') || isMapped(address)) return undefined;
  const longest = family === 'ipv4' ? 32 : 128;
  if (bits === undefined) return { address, prefix: longest, family };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= longest
    ? { address, prefix: Number(bits), family }
    : undefined;
}

/** Built once for each key, not for each call. */
export function allowAddresses(list: readonly string[]): AllowedAddresses {
  const ranges = new BlockList();
  for (const text of list) addRange(ranges, parseRange(text)!);
  return {
    list,
    allows(ip) {
      const address = isMapped(ip) ? ip.slice(ip.lastIndexOf(':') + 1) : ip;
      if (isIPv4(address)) return ranges.check(address, 'ipv4');
      return isIPv6(address) && ranges.check(address, 'ipv6');
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

/** An IPv4 address in the form of an IPv6 one, as sockets that serve both report it. */
function isMapped(address: string): boolean {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address);
}
