import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

/** Ranges that belong to someone's own network: refused unless the operator allows private targets. */
const PRIVATE = namedLists({
  'a loopback address': ['127.0.0.0/8', '::1/128'],
  'a private address': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
});

/** Never the address of a webhook receiver, whatever the operator allows. */
const FORBIDDEN = namedLists({
  'a metadata service of a cloud provider': [
    '169.254.169.254/32',
    '169.254.170.2/32',
    '100.100.100.200/32',
    '168.63.129.16/32',
    // Amazon, Google, Oracle, Scaleway, Akamai and Alibaba, each among addresses that are private otherwise.
    'fd00:ec2::/32',
    'fd20:ce::254/128',
    'fd00:c1::a9fe:a9fe/128',
    'fd00:42::42/128',
    'fd00:a9fe:a9fe::1/128',
    'fd00:100::100:200/128',
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

/** The rest of IPv6 is not assigned to anyone. */
const ASSIGNED = listOf(['0.0.0.0/0', '2000::/3']);

/** Says what is wrong with connecting to an IP address; undefined when nothing is. */
export function blockedReason(text: string, allowPrivate: boolean): string | undefined {
  const family = isIPv4(text) ? 'ipv4' : isIPv6(text) ? 'ipv6' : undefined;
  // A zone means something on one machine only.
  if (!family || text.includes('%')) return 'no IP address';
  const address = new SocketAddress({ address: text, family });
  const isIn = ({ list }: NamedList) => list.check(address);
  const forbidden = FORBIDDEN.find(isIn);
  if (forbidden) return forbidden.name;
  const own = PRIVATE.find(isIn);
  if (own) return allowPrivate ? undefined : own.name;
  return ASSIGNED.check(address) ? undefined : 'a reserved address';
}

interface NamedList {
  name: string;
  list: BlockList;
}

function namedLists(table: Record<string, string[]>): NamedList[] {
  return Object.entries(table).map(([name, ranges]) => ({ name, list: listOf(ranges) }));
}

/** Two kinds of IPv6 address embed an IPv4 address, which is the one to check: `::ffff:…`, which BlockList knows, and NAT64's. */
function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, bits] = range.split('/') as [string, string];
    if (isIPv4(address)) {
      list.addSubnet(address, Number(bits), 'ipv4');
      list.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), 'ipv6');
    } else list.addSubnet(address, Number(bits), 'ipv6');
  }
  return list;
}
