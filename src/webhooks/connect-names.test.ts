import { beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../test/support/webhooks.ts';
import { createSender, type Sender } from './send.ts';

/** Answers with which a name server may try to lead us inside. */
const INSIDE = [
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1'],
  ...[
    '100.64.0.1',
    '100.127.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '169.254.170.2',
    '169.254.1.1',
  ],
  ...['168.63.129.16', '100.100.100.200', '192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
  ...['::', '::1', '::2', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254'],
  ...['::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '2002:7f00:1::'],
  ...['2001::1', '2001:db8::1', '3fff::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%lo', 'fec0::1'],
  ...['ff02::1', '100::1', '5f00::1', 'localhost', '2130706433', '0x7f.1', '', '127.1'],
];
const OUTSIDE = '93.184.216.34';

let canary: Receiver;
let port: string;

beforeAll(async () => {
  canary = await startReceiver();
  port = new URL(canary.url).port;
});

const post = (sender: Sender, scheme = 'http') =>
  sender.post({
    url: `${scheme}://shop.example:${port}/hook`,
    headers: ['connection', 'close'],
    body: Buffer.from('{}'),
  });

test('a name that leads inside is refused, alone or beside a public address, over http and https', async () => {
  const answers = INSIDE.flatMap((address) => [[address], [OUTSIDE, address], [address, OUTSIDE]]);
  expect(answers.length).toBeGreaterThan(120);
  for (const answer of answers) {
    for (const scheme of ['http', 'https']) {
      const sender = createSender({ allowPrivate: false, resolve: async () => answer });
      const { error, httpStatus } = await post(sender, scheme);
      await sender.close();
      expect([answer, httpStatus, error]).toEqual([
        answer,
        null,
        expect.stringMatching(/^refused: the host name leads to /),
      ]);
    }
  }
  expect(canary.connections()).toBe(0);
});

test('a name whose answer changes with every question is judged by the answer that is used', async () => {
  // Loopback is allowed here, so that a good answer can be told from a bad one by what arrives.
  let asked = 0;
  const bad = ['169.254.169.254', '0.0.0.0', '::ffff:0.0.0.0', '::', '224.0.0.1', '::ffff:169.254.169.254'];
  const resolve = async () => [asked++ % 2 === 0 ? '127.0.0.1' : bad[(asked >> 1) % bad.length]!];
  const sender = createSender({ allowPrivate: true, resolve });
  for (let i = 0; i < 40; i++) {
    const { error } = await post(sender);
    if (i % 2 === 0) expect(error).toBeNull();
    else expect(error).toMatch(/^refused: the host name leads to /);
    expect([asked, canary.received.length]).toEqual([i + 1, Math.floor(i / 2) + 1]);
  }
  await sender.close();
});
