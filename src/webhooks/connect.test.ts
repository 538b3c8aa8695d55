import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseWebhookUrl } from '../accounts/merchants/webhook-url.ts';
import { createSender, type Sender } from './send.ts';

/** Two servers on this machine that must never hear from us, one for each family, on one port. */
let hits = 0;
let port = 0;

async function listen(host: string, at: number): Promise<number> {
  const server = createServer((_request, response) => {
    hits++;
    response.end();
  }).on('connection', () => hits++);
  server.listen(at, host);
  await once(server, 'listening');
  afterAll(() => server.close());
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  port = await listen('127.0.0.1', 0);
  // A machine without IPv6 has nothing to reach there either.
  await listen('::1', port).catch(() => {});
});

async function post(sender: Sender, url: string): Promise<string | null> {
  const { error } = await sender.post({ url, headers: [], body: Buffer.from('{}') });
  return error;
}

const LOOPBACK = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '127.0.0.1.',
    '127.1.',
    '0',
    '0.0.0.0',
    '0.',
  ],
  ...[
    '2130706433',
    '2130706433.',
    '0x7f000001',
    '0X7F000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '0x7f.0x0.0x0.0x1',
    '0x7F.1',
  ],
  ...['0177.0.0.1', '0177.1', '017700000001', '00000177.0.0.1', '0177.0x0.0.1', '127.0x1', '0x7f000001.'],
  ...[
    '１２７.０.０.１',
    '１２７。０。０。１',
    '127。0。0。1',
    '127．0．0．1',
    '①②⑦.0.0.1',
    '⓪',
    '１２７.1',
    '0ｘ7f.1',
  ],
  ...['%31%32%37.0.0.1', '127.0.0.%31', '%30', '127%2e0%2e0%2e1', '1%327.1', '０x７f０００００１'],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'x.y.localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
  ],
  ...['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'LocalHost', 'local\u00adhost', 'foo.LOCALHOST'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0:1]', '[0::1]', '[::]'],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
  ],
  ...[
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
  ],
  ...[
    '[2002:7f00:0001::1]',
    '[2001::7f00:1]',
    '[::ffff:0.0.0.0]',
    '[::ffff:127.1.2.3]',
    '[64:ff9b::0.0.0.0]',
  ],
];

const ELSEWHERE = [
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '0xa.0.0.1',
    '012.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.0.1',
  ],
  ...[
    '3232235521',
    '0xC0A80001',
    '192.168.1',
    '100.64.0.1',
    '100.127.255.254',
    '100.100.100.200',
    '169.254.169.254',
  ],
  ...[
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '169.254.170.2',
    '168.63.129.16',
    '192.0.0.192',
  ],
  ...[
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '4294967295',
    '0xffffffff',
    '192.88.99.1',
    '1',
    '0.1.2.3',
    '１６９.２５４.１６９.２５４',
    '169。254。169。254',
  ],
  ...[
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
  ],
  ...[
    '[::ffff:10.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b::10.0.0.1]',
  ],
  ...['[2002:a00:1::]', '[2002:a9fe:a9fe::]', '[::a9fe:a9fe]', '[4000::1]', '[5f00::1]'],
];

/** URLs that a parser may read differently from a person. */
const TWISTED = (at: number) => [
  `http://127.0.0.1:${at}\\@example.com/`,
  `http:\\\\127.0.0.1:${at}/`,
  `http:/127.0.0.1:${at}/`,
  `http:127.0.0.1:${at}/`,
  `http:///127.0.0.1:${at}/`,
  `http://127.0.0.1:${at}#@example.com/`,
  `http://127.0.0.1:${at}?@example.com/`,
  `http://example.com@127.0.0.1:${at}/`,
  `http://example.com:80@127.0.0.1:${at}/`,
  `http://example.com%00@127.0.0.1:${at}/`,
  `http://127.0.0.1:${at}/..;/admin`,
  `http://[::ffff:127.0.0.1]:${at}/%0d%0aHost:x`,
];

const urls = () => [
  ...[...LOOPBACK, ...ELSEWHERE].flatMap((host) => [`http://${host}:${port}/hook`]),
  ...LOOPBACK.slice(0, 10).map((host) => `https://${host}:${port}/hook`),
  ...TWISTED(port),
];

test('no spelling of an inner address is ever connected to, and each delivery says why', async () => {
  const sender = createSender({ allowPrivate: false }, 5_000);
  const all = urls();
  expect(new Set(all).size).toBeGreaterThan(120);
  const answers = await Promise.all(all.map(async (url) => [url, await post(sender, url)] as const));
  await sender.close();
  expect(hits).toBe(0);
  const words = /^refused: .+ (is|leads to) (a|no|this) |^Invalid URL$|cannot be resolved$/;
  expect(answers.filter(([, error]) => !words.test(error ?? ''))).toEqual([]);
  const refused = answers.filter(([, error]) => error?.startsWith('refused: '));
  expect(refused.length).toBeGreaterThan(120);
});

test('the same table reaches the servers once the guard lets it: it is no empty test', async () => {
  const sender = createSender({ allowPrivate: true });
  const before = hits;
  expect(await post(sender, `http://2130706433:${port}/`)).toBeNull();
  expect(await post(sender, `http://0177.1:${port}/`)).toBeNull();
  expect(await post(sender, `http://[::ffff:127.0.0.1]:${port}/`)).toBeNull();
  expect(await post(sender, `http://localhost:${port}/`)).toBeNull();
  expect(hits).toBeGreaterThan(before + 3);
  expect(await post(sender, `http://169.254.169.254:${port}/`)).toContain('metadata service');
  await sender.close();
});

test('a name is refused when any of its addresses is, and the answer does not say which', async () => {
  for (const addresses of [
    ['127.0.0.1'],
    ['93.184.216.34', '127.0.0.1'],
    ['2606:4700::1', '::1'],
    ['10.1.2.3', '93.184.216.34'],
    ['::ffff:10.1.2.3'],
  ]) {
    const sender = createSender({ allowPrivate: false, resolve: async () => addresses });
    const before = hits;
    const error = await post(sender, `http://shop.example:${port}/`);
    expect(error).toMatch(/^refused: the host name leads to a (loopback|private) address$/);
    expect(hits).toBe(before);
    await sender.close();
  }
});

test('DNS rebinding: what was judged is what is connected to, with one look-up', async () => {
  const before = hits;
  let asked = 0;
  // First an address where nobody listens, then the server: anything that asks twice for one connection is caught.
  const resolve = async () => (asked++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']);
  const sender = createSender({ allowPrivate: true, resolve });
  expect(await post(sender, `http://rebind.example:${port}/`)).toBe('the connection was refused');
  expect([asked, hits]).toEqual([1, before]);
  expect(await post(sender, `http://rebind.example:${port}/`)).toBeNull();
  expect(asked).toBe(2);
  await sender.close();

  const turned = createSender({
    allowPrivate: true,
    resolve: async () => (asked++ === 2 ? ['127.0.0.1'] : ['169.254.169.254']),
  });
  const { error } = await turned.post({
    url: `http://turn.example:${port}/`,
    headers: ['connection', 'close'],
    body: Buffer.from('{}'),
  });
  expect(error).toBeNull();
  expect(await post(turned, `http://turn.example:${port}/`)).toContain('refused: the host name leads to');
  await turned.close();
});

test('a literal never asks the resolver; a name without addresses cannot be reached', async () => {
  const resolve = async (hostname: string) => {
    if (hostname !== 'empty.example') throw new Error(`asked about ${hostname}`);
    return [];
  };
  const sender = createSender({ allowPrivate: false, resolve });
  expect(await post(sender, `http://2130706433:${port}/`)).toBe('refused: 127.0.0.1 is a loopback address');
  expect(await post(sender, `http://[::1]:${port}/`)).toBe('refused: ::1 is a loopback address');
  expect(await post(sender, 'http://empty.example/')).toBe('the host name has no address');
  await sender.close();
});

test('the table holds URLs: the setting takes most, or refuses them for where they lead', () => {
  const judged = urls().filter((url) => {
    try {
      return parseWebhookUrl(url, { allowHttp: true, allowPrivate: false }) === url;
    } catch (error) {
      return /cannot be reached/.test((error as Error).message);
    }
  });
  expect(judged.length).toBeGreaterThan(110);
});
