import { isIPv4, isIPv6 } from 'node:net';

/** Ranges that belong to someone's own network: refused unless the operator allows private targets. */
const PRIVATE = ranges({
  'a loopback address': ['127.0.0.0/8', '::1/128'],
  'a private address': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
});

/** Never the address of a webhook receiver, whatever the operator allows. */
const FORBIDDEN = ranges({
  'a metadata service of a cloud provider': [
    '169.254.169.254/32',
    '169.254.170.2/32',
    '100.100.100.200/32',
    '168.63.129.16/32',
    'fd00:ec2::254/128',
  ],
  'no host': ['0.0.0.0/8', '::/128'],
  'a link-local address': ['169.254.0.0/16', 'fe80::/10', 'fec0::/10'],
  'a multicast address': ['224.0.0.0/4', 'ff00::/8'],
  'a broadcast address': ['255.255.255.255/32'],
  'a reserved address': [
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '3fff::/20',
  ],
});

const GLOBAL_IPV6 = parseRange('2000::/3');
/** IPv6 addresses that embed an IPv4 address, which is the one to check. */
const CARRIES_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'].map(parseRange);

/** What is wrong with connecting to an IP address; undefined when nothing is. */
export function blockedReason(address: string, allowPrivate: boolean): string | undefined {
  const bytes = parseAddress(address);
  if (!bytes) return 'no IP address';
  const judged = CARRIES_IPV4.some((range) => contains(range, bytes)) ? bytes.slice(12) : bytes;
  const forbidden = FORBIDDEN.find((range) => contains(range, judged));
  if (forbidden) return forbidden.name;
  const own = PRIVATE.find((range) => contains(range, judged));
  if (own) return allowPrivate ? undefined : own.name;
  return judged.length === 4 || contains(GLOBAL_IPV6, judged) ? undefined : 'a reserved address';
}

interface Range {
  bytes: number[];
  bits: number;
}

function ranges(table: Record<string, string[]>): (Range & { name: string })[] {
  return Object.entries(table).flatMap(([name, list]) => list.map((text) => ({ name, ...parseRange(text) })));
}

function parseRange(text: string): Range {
  const [address, bits] = text.split('/') as [string, string];
  return { bytes: parseAddress(address)!, bits: Number(bits) };
}

function contains({ bytes, bits }: Range, address: number[]): boolean {
  if (bytes.length !== address.length) return false;
  return bytes.every((byte, i) => {
    const here = Math.min(8, Math.max(0, bits - 8 * i));
    const mask = (0xff << (8 - here)) & 0xff;
    return (byte & mask) === (address[i]! & mask);
  });
}

/** The 4 or 16 bytes of an address as text. */
function parseAddress(text: string): number[] | undefined {
  if (isIPv4(text)) return text.split('.').map(Number);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const hex = tail ? `${tail[1]}${asGroups(tail[2]!)}` : text;
  const [head = '', rest] = hex.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = rest === undefined || rest === '' ? [] : rest.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** `127.0.0.1` as the last two groups of an IPv6 address: `7f00:1`. */
function asGroups(ipv4: string): string {
  const [a, b, c, d] = ipv4.split('.').map(Number) as [number, number, number, number];
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
