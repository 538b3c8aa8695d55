import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { address } from '@solana/kit';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { cleanUp } from '../support/clean-up.ts';
import { expectSoundBooks } from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createWallet, pay, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** Places of a limited link that programs take and do not pay for. */
let t: TestChain;
let projectId: string;
let beforeSending: (params: [string, Record<string, unknown>]) => Promise<void>;

/** A node that something happens at in the moment before it takes a transaction. */
async function startNode(rpcUrl: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    if (body.method === 'sendTransaction') await beforeSending(body.params);
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const env = { TRUST_PROXY: 'true', RATE_LIMIT_PUBLIC_PER_SECOND: '0' };
  t = await testChain(env, async (url) => [await startNode(url)], undefined, { settleWaitMs: 300 });
  await t.chain.mintTo(t.merchant.address, 1n);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  t.chain.advanceSlots(40);
});

beforeEach(() => {
  t.chain.faults.clear();
  beforeSending = async () => {};
});

async function limitedLink(maxPayments: number) {
  const setUp = { projectId, productName: 'Seat', billingMode: 'one_time', unitAmountCents: 50 };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', setUp);
  const { id, publicToken } = body.paymentLink;
  await t.shop.call('PATCH', `/api/v2/payment-links/${id}`, { maxPayments });
  return { id: id as string, publicToken, url: `${t.service.url}/pay/${publicToken}` };
}

async function sessionsOf({ id }: { id: string }) {
  const { body } = await t.shop.call('GET', `/api/v2/checkout-sessions?paymentLinkId=${id}`);
  return body.data.map(({ status }: { status: string }) => status);
}

async function buyer(usdcBaseUnits = 500_000n): Promise<Wallet> {
  const wallet = await createWallet(t.chain, { usdcBaseUnits });
  t.chain.advanceSlots(2);
  return wallet;
}

/** The money moves away once the payment was found to be good. */
async function moveAway({ signer }: Wallet, keep = 0n, skipPreflight = false): Promise<void> {
  const to = address(t.customer.address);
  const move = { from: signer, destinationOwner: to, amountBaseUnits: 500_000n - keep };
  beforeSending = async ([, options]) => {
    beforeSending = async () => {};
    await pay({ rpcUrl: t.chain.rpcUrl, ...move });
    t.chain.advanceSlots(3);
    if (skipPreflight) options.skipPreflight = true;
  };
}

const SIGN = {
  x402: async (wallet: Wallet, url: string) => (await x402.signOffer(t, wallet, url)).headers,
  'MPP, our fee': async (wallet: Wallet, url: string) => ({
    authorization: await mpp.credentialFor(t, wallet, url),
  }),
  'MPP, their fee': async (wallet: Wallet, url: string) => ({
    authorization: await mpp.credentialFor(t, wallet, `${url}?fees=payer`),
  }),
};
const ways = Object.entries(SIGN);
const send = (url: string, headers: Record<string, string>, ip: string) =>
  x402.sendOnce(url, { ...headers, 'x-forwarded-for': ip });

/** Answer to a payment once its outcome is known: until then it says to ask again. */
async function outcomeOf(url: string, headers: Record<string, string>, ip: string): Promise<Response> {
  for (;;) {
    const answer = await mpp.withSlots(t, send(url, headers, ip));
    if (answer.status !== 503) return answer;
  }
}

test.each(ways)(
  '%s: a network has three places of ten at once, those of its pages included',
  async (way, sign) => {
    const link = await limitedLink(10);
    const ip = `10.1.${ways.findIndex(([name]) => name === way)}.1`;
    const open = () =>
      call(
        `${t.service.url}/api/v2/payment-links/${link.publicToken}/checkout`,
        'POST',
        {},
        { 'x-forwarded-for': ip },
      );
    expect((await open()).status).toBe(201);
    // The payment that was sent lands in its own time; its order is open until then.
    t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['sendTransaction'] }] });
    const statuses = [];
    for (let i = 0; i < 3; i++) {
      const wallet = await buyer();
      const headers = await sign(wallet, link.url);
      const answer = await send(link.url, headers, ip);
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(10);
      expect((await send(link.url, headers, '10.99.0.1')).status).toBe(503);
    }
    t.chain.faults.clear();
    expect(statuses).toEqual([503, 503, 429]);
    expect((await open()).status).toBe(429);
    expect(await sessionsOf(link)).toEqual(['open', 'open', 'open', 'open']);
  },
);

test('MPP, their fee: what the network refuses gives its place back at once, and the next buyer has it', async () => {
  const link = await limitedLink(1);
  const wallet = await buyer();
  const headers = await SIGN['MPP, their fee'](wallet, link.url);
  await moveAway(wallet);
  const refused = await send(link.url, headers, '10.2.0.1');
  expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining('did not take')]);
  expect(await sessionsOf(link)).toEqual(['canceled']);
  // The order is over, and so is its offer, even with the money back.
  await t.chain.mintTo(wallet.address, 500_000n);
  const again = await send(link.url, headers, '10.2.0.1');
  expect([again.status, again.headers.get('www-authenticate')]).toEqual([
    402,
    expect.stringContaining('Payment'),
  ]);
  const next = await outcomeOf(link.url, await SIGN.x402(await buyer(), link.url), '10.2.0.2');
  expect(next.status).toBe(200);
  await t.finalize();
  expect(await sessionsOf(link)).toEqual(['complete', 'canceled']);
  await expectSoundBooks(t);
});

test.each([
  [
    'knows no such blockhash',
    { code: -32002, message: 'Transaction simulation failed: Blockhash not found' },
  ],
  [
    'has less money in the wallet',
    { code: -32002, message: 'Transaction simulation failed: custom program error' },
  ],
])(
  'MPP, their fee: sent again where a node %s, it is waited for and not offered again: the first node may have taken it',
  async (_, error) => {
    const link = await limitedLink(1);
    const headers = await SIGN['MPP, their fee'](await buyer(), link.url);
    const failSending = (rule: object) =>
      t.chain.faults.set({ rules: [{ methods: ['sendTransaction'], ...rule } as never] });
    failSending({ kind: 'httpError', status: 502 });
    expect((await send(link.url, headers, '10.5.0.1')).status).toBe(503);
    failSending({ kind: 'rpcError', ...error });
    for (let i = 0; i < 2; i++) {
      const again = await send(link.url, headers, '10.5.0.1');
      expect([again.status, again.headers.get('www-authenticate')]).toEqual([503, null]);
    }
    t.chain.faults.clear();
    expect(await sessionsOf(link)).toEqual(['open']);
    expect((await outcomeOf(link.url, headers, '10.5.0.1')).status).toBe(200);
    await t.finalize();
    expect(await sessionsOf(link)).toEqual(['complete']);
    await expectSoundBooks(t);
  },
);

test.each(ways)('%s: what fails on chain gives its place back at once', async (way, sign) => {
  const link = await limitedLink(1);
  const wallet = await buyer();
  const headers = await sign(wallet, link.url);
  await moveAway(wallet, 0n, true);
  const refused = await outcomeOf(link.url, headers, '10.3.0.1');
  expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining('failed on chain')]);
  expect([way, await sessionsOf(link)]).toEqual([way, ['canceled']]);
  expect((await outcomeOf(link.url, await sign(await buyer(), link.url), '10.3.0.2')).status).toBe(200);
  await expectSoundBooks(t);
});

test.each(ways)(
  '%s: an outcome that nobody waits for keeps the place until it is known',
  async (way, sign) => {
    const link = await limitedLink(1);
    const failing = await buyer();
    const headers = await sign(failing, link.url);
    await moveAway(failing, 0n, true);
    expect((await send(link.url, headers, '10.4.0.1')).status).toBe(503);
    expect(await sessionsOf(link)).toEqual(['open']);
    await t.finalize();
    await t.follow();
    for (let i = 0; i < 5; i++) await t.lookCloser();
    expect([way, await sessionsOf(link)]).toEqual([way, ['canceled']]);

    const lost = await buyer();
    const late = await sign(lost, link.url);
    t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['sendTransaction'] }] });
    expect((await send(link.url, late, '10.4.0.1')).status).toBe(503);
    t.chain.faults.clear();
    for (let i = 0; i < 5; i++) await t.lookCloser();
    expect(await sessionsOf(link)).toEqual(['open', 'canceled']);
    t.chain.advanceSlots(400);
    await t.service.db.query(
      `update submitted_signatures set submitted_at = submitted_at - interval '1 hour'`,
    );
    await t.service.db.query(
      'update payment_intents set reference_check_at = $1 where reference_check_at is not null',
      [t.service.clock.now()],
    );
    if (way !== 'MPP, their fee')
      t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['sendTransaction'] }] });
    await t.lapse();
    t.chain.faults.clear();
    for (let i = 0; i < 8; i++) await t.lookCloser();
    expect([way, await sessionsOf(link)]).toEqual([way, ['canceled', 'canceled']]);
    await expectSoundBooks(t);
  },
);
