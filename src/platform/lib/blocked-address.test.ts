import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockedReason } from './blocked-address.ts';

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...[
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
  ],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:200::1', '2003::1', '3ffe:ffff::1'],
  ...['::ffff:8.8.8.8', '::FFFF:808:808', '64:ff9b::8.8.8.8', '64:ff9b::808:808'],
];

const PRIVATE = [
  ...[
    '127.0.0.1',
    '127.0.0.0',
    '127.255.255.255',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.168.0.1', '192.168.255.255', '100.64.0.1', '100.127.255.255', '::1', '0:0:0:0:0:0:0:1'],
  ...[
    'fc00::1',
    'fdff:ffff::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:7f00:1',
    '::ffff:10.0.0.1',
  ],
  ...['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::192.168.1.1'],
];

const NEVER = [
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '100.100.100.200',
  ],
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.254', '255.255.255.255'],
  ...[
    '::',
    '::2',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '::ffff:0.0.0.0',
    '::ffff:169.254.169.254',
  ],
  ...[
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
  ],
  ...[
    '2002:808:808::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'FD20:00CE::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:c1::169.254.169.254',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
    'fd00:100::100:200',
  ],
  ...[
    '',
    'localhost',
    '127.1',
    '0177.0.0.1',
    '2130706433',
    '[::1]',
    'fe80::1%eth0',
    '::1%lo',
    '::ffff:8.8.8.8%1',
    '256.1.1.1',
    '1.2.3.4.5',
    '127.0.0.1.',
    '8.8.8.8.',
    '8.8.8.8 ',
    '0x7f.0.0.1',
    '0x7f000001',
    '127.0.1',
    '8.8.8.08',
    '017700000001',
    '１２７.0.0.1',
    '8.8.8.8/32',
    '8.8.8.8:80',
    '::ffff:0177.0.0.1',
    '64:ff9b::127.1',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
  ],
  ...['::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:a9fe:a9fe', '::FFFF:169.254.169.254', '64:FF9B::a9fe:a9fe'],
  ...[
    '0064:ff9b:0:0:0:0:a9fe:a9fe',
    '64:ff9b:0:0:0:0:0.0.0.0',
    '64:ff9b::255.255.255.255',
    '64:ff9b::1:7f00:1',
  ],
  ...[
    '2002:a9fe:a9fe::',
    '2002:7f00:0001::1',
    '2002:a00:1::',
    '2001:0:7f00:1::',
    '::ffff:0:7f00:1',
    '::a00:1',
  ],
];

test.each(PUBLIC)('%s is fine', (address) => {
  expect([blockedReason(address, false), blockedReason(address, true)]).toEqual([undefined, undefined]);
});

test.each(PRIVATE)('%s is refused unless private targets are allowed', (address) => {
  expect(blockedReason(address, false)).toMatch(/^a (loopback|private) address$/);
  expect(blockedReason(address, true)).toBeUndefined();
});

test.each(NEVER)('%s is refused, whatever is allowed', (address) => {
  expect(blockedReason(address, false)).toBeTruthy();
  expect(blockedReason(address, true)).toBeTruthy();
});

/** One IPv6 address, as the eight groups of its bytes, in one of the ways there are to write it. */
const written = (groups: readonly number[], way: number): string => {
  const hex = groups.map((group) => group.toString(16).padStart(way & 1 ? 4 : 1, '0'));
  const [a, b] = groups.slice(6) as [number, number];
  const tail = way & 2 ? [`${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`] : hex.slice(6);
  const text = [...hex.slice(0, 6), ...tail].join(':');
  const short = way & 4 ? text.replace(/(^|:)(0+:){2,}/, '::') : text;
  return way & 8 ? short.toUpperCase() : short;
};

test('an address is judged by what it is, however it is written, and one that carries an IPv4 address by that', () => {
  const octet = fc.oneof(
    fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 254, 255),
    fc.nat(255),
  );
  const groups = (first: number[]) => [...first, ...Array(6 - first.length).fill(0)];
  fc.assert(
    fc.property(
      fc.tuple(octet, octet, octet, octet),
      fc.nat(15),
      fc.boolean(),
      ([a, b, c, d], way, isAllowed) => {
        const last = [(a << 8) | b, (c << 8) | d];
        const expected = blockedReason(`${a}.${b}.${c}.${d}`, isAllowed);
        const mapped = written([0, 0, 0, 0, 0, 0xffff, ...last], way);
        const nat64 = written([...groups([0x64, 0xff9b]), ...last], way);
        expect([mapped, blockedReason(mapped, isAllowed)]).toEqual([mapped, expected]);
        expect([nat64, blockedReason(nat64, isAllowed)]).toEqual([nat64, expected]);
        const sixToFour = written([0x2002, ...last, 0, 0, 0, 0, 1], way);
        expect([sixToFour, blockedReason(sixToFour, isAllowed)]).toEqual([sixToFour, 'a reserved address']);
      },
    ),
    { numRuns: 2_000 },
  );
});
