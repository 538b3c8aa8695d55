import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSolanaRpc } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { encodeBase58 } from '../../src/platform/lib/base58.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks, newIntent } from '../support/payments.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** Purposes of programs' payments, other holders of an offer, and repeated requests. */
let t: TestChain;
let rich: Wallet;
let other: Wallet;
let projectId: string;
let url: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 1_000 });
  await t.chain.mintTo(t.merchant.address, 1n);
  rich = await createWallet(t.chain, { usdcBaseUnits: 1_000_000_000n });
  other = await createWallet(t.chain, { usdcBaseUnits: 1_000_000_000n });
  t.chain.advanceSlots(40);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  const sold = { projectId, productName: 'Report', billingMode: 'one_time', unitAmountCents: 250 };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', sold);
  url = `${t.service.url}/pay/${body.paymentLink.publicToken}`;
});

async function balanceOf({ usdcAccount }: Wallet): Promise<bigint> {
  const rpc = createSolanaRpc(t.chain.rpcUrl);
  const { value } = await rpc.getTokenAccountBalance(usdcAccount, { commitment: 'processed' }).send();
  return BigInt(value.amount);
}

/** Slots end while the answer is awaited, also for payments that we do not sponsor. */
const send = (at: string, headers: Record<string, string>) => mpp.withSlots(t, x402.sendOnce(at, headers));

type Sign = (at: string, wallet: Wallet, purpose?: string) => Promise<Record<string, string>>;
const key = (purpose: string | undefined) => (purpose ? { 'idempotency-key': purpose } : undefined);

const WAYS: Record<string, Sign> = {
  'x402 with a payment identifier': async (at, wallet, purpose) =>
    (await x402.signOffer(t, wallet, at, purpose)).headers,
  'x402 with an Idempotency-Key': async (at, wallet, purpose) => ({
    ...(await x402.signOffer(t, wallet, at)).headers,
    ...key(purpose),
  }),
  'MPP, our fee': async (at, wallet, purpose) => ({
    authorization: await mpp.credentialFor(t, wallet, at),
    ...key(purpose),
  }),
  'MPP, their fee': async (at, wallet, purpose) => ({
    authorization: await mpp.credentialFor(t, wallet, `${at}?fees=payer`),
    ...key(purpose),
  }),
};
const names = Object.keys(WAYS);
const pairs = names.flatMap((first) => names.map((second) => [first, second] as const));

describe('a purpose', () => {
  test.each(pairs)('is paid once under its name: %s, then %s', async (first, second) => {
    const purpose = `order_${randomUUID()}`;
    const before = await balanceOf(rich);
    const bought = await send(url, await WAYS[first]!(url, rich, purpose));
    const receipt = await x402.bodyOf(bought);
    expect([bought.status, receipt.status]).toEqual([200, 'paid']);
    await t.finalize();
    const again = await send(url, await WAYS[second]!(url, rich, purpose));
    expect([again.status, await x402.bodyOf(again)]).toEqual([200, receipt]);
    await t.finalize();
    expect(before - (await balanceOf(rich))).toBe(2_500_000n);
  });

  test('of a client that has paid on chain is taken by that payment', async () => {
    const purpose = `order_${randomUUID()}`;
    const authorization = await mpp.credentialFor(t, rich, `${url}?fees=payer`, { broadcast: true });
    const headers = { authorization, ...key(purpose) };
    const receipt = await x402.bodyOf(await mpp.withSlots(t, x402.sendOnce(url, headers)));
    expect(receipt.status).toBe('paid');
    await t.finalize();
    const before = await balanceOf(rich);
    const again = await send(url, await WAYS['MPP, our fee']!(url, rich, purpose));
    expect([again.status, await x402.bodyOf(again)]).toEqual([200, receipt]);
    expect(await balanceOf(rich)).toBe(before);
  });

  test('is its wallet’s own: another one buys under the same name', async () => {
    const purpose = `order_${randomUUID()}`;
    const orders = [];
    for (const wallet of [rich, other]) {
      const answer = await send(url, await WAYS['MPP, our fee']!(url, wallet, purpose));
      orders.push((await x402.bodyOf(answer)).paymentIntentId);
      await t.finalize();
    }
    expect(new Set(orders).size).toBe(2);
  });

  test('400 for an Idempotency-Key that is none, by either protocol', async () => {
    for (const name of ['x402 with an Idempotency-Key', 'MPP, our fee']) {
      const headers = await WAYS[name]!(url, rich);
      const answer = await x402.sendOnce(url, { ...headers, 'idempotency-key': 'x'.repeat(256) });
      expect([answer.status, (await x402.bodyOf(answer)).error.message]).toEqual([
        400,
        expect.stringContaining('Idempotency-Key'),
      ]);
    }
  });

  test('makes one checkout of a link, however often JSON is posted there', async () => {
    const post = async (purpose?: string) => {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...key(purpose) },
        body: '{}',
      });
      expect(answer.status).toBe(303);
      return answer.headers.get('location');
    };
    const purpose = randomUUID();
    expect(await post(purpose)).toBe(await post(purpose));
    expect(await post(randomUUID())).not.toBe(await post(purpose));
    expect(await post()).not.toBe(await post());
  });
});

describe('POST at a link', () => {
  const posted = (headers: Record<string, string>) => ({ method: 'POST', headers, body: '{}' });
  const json = { 'content-type': 'application/json' };

  test('of a program is answered as GET is: it pays once under its key, and a stranger with the key gets no receipt', async () => {
    const purpose = `order-${randomUUID()}`;
    const asking = { ...json, ...x402.JSON_ONLY.headers, ...key(purpose) };
    const before = await balanceOf(rich);
    const receipts = [];
    for (let times = 0; times < 2; times++) {
      const paid = await x402.payAt(t, rich, url, posted(asking));
      expect(paid.status).toBe(200);
      receipts.push(await x402.bodyOf(paid));
      await t.finalize();
    }
    expect(receipts[0]).toMatchObject({ status: 'paid', payer: rich.address });
    expect(receipts[1]).toEqual(receipts[0]);
    expect(before - (await balanceOf(rich))).toBe(2_500_000n);
    const stranger = await fetch(url, posted(asking));
    expect([stranger.status, stranger.headers.has('payment-required')]).toEqual([402, true]);
    expect(await stranger.text()).not.toContain(receipts[0].paymentIntentId);
    for (const way of ['x402 with a payment identifier', 'MPP, our fee', 'MPP, their fee']) {
      const signed = await WAYS[way]!(url, rich, `order_${randomUUID()}`);
      const answer = await mpp.withSlots(
        t,
        fetch(url, posted({ ...json, ...signed, origin: 'https://a.example' })),
      );
      expect([way, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        way,
        200,
        '*',
      ]);
      await t.finalize();
    }
  });

  test('of anybody else leads to the checkout of its Idempotency-Key until that has money, and not to the receipt', async () => {
    const asking = { ...json, ...key(`order-${randomUUID()}`) };
    const ask = () => fetch(url, { ...posted(asking), redirect: 'manual' });
    const first = await ask();
    const checkout = `${t.service.url}${new URL(first.headers.get('location')!, url).pathname}`;
    const headers = await WAYS['MPP, our fee']!(checkout, rich);
    expect((await ask()).headers.get('location')).toBe(first.headers.get('location'));
    expect((await x402.sendOnce(checkout, headers)).status).toBe(503);
    expect((await ask()).status).toBe(409);
    expect((await send(checkout, headers)).status).toBe(200);
    for (const step of ['seen', 'final']) {
      const answer = await ask();
      expect([step, answer.status, answer.headers.get('location')]).toEqual([step, 409, null]);
      await t.finalize();
    }
  });
});

describe('an offer in the hands of two wallets', () => {
  const BY: Record<string, (offered: Response, wallet: Wallet) => Promise<Record<string, string>>> = {
    x402: async (offered, wallet) => (await x402.signOffered(t, wallet, offered)).headers,
    'MPP, our fee': async (offered, wallet) => ({
      authorization: await mpp.accept(t, wallet, mpp.challengesOf(offered)[0]!),
    }),
    'MPP, their fee': async (offered, wallet) => ({
      authorization: await mpp.accept(t, wallet, mpp.challengesOf(offered)[1]!),
    }),
  };

  test.each(Object.entries(BY))(
    '%s: 402 with an offer of its own for the second one, and no receipt',
    async (...by) => {
      const [, sign] = by;
      const offered = await fetch(url, x402.JSON_ONLY);
      const [first, second] = [await sign(offered, rich), await sign(offered, other)];
      const before = await balanceOf(other);
      const receipt = await x402.bodyOf(await send(url, first));
      expect(receipt.status).toBe('paid');
      for (let times = 0; times < 2; times++) {
        const answer = await send(url, second);
        const text = await answer.text();
        expect([answer.status, text]).toEqual([402, expect.stringContaining('Another wallet')]);
        expect(text).not.toContain(receipt.paymentIntentId);
        expect(text).not.toContain(receipt.transaction);
        const offers = [answer.headers.has('payment-required'), answer.headers.has('www-authenticate')];
        expect(offers).toContain(true);
        await t.finalize();
      }
      expect(await balanceOf(other)).toBe(before);
      expect(await x402.bodyOf(await send(url, first))).toEqual(receipt);
    },
  );

  test('409 for good where the second one has paid on chain: its money is listed with the order', async () => {
    const offered = await fetch(url, x402.JSON_ONLY);
    const first = await BY.x402!(offered, rich);
    const receipt = await x402.bodyOf(await send(url, first));
    const second = await mpp.accept(t, other, mpp.challengesOf(offered)[1]!, { broadcast: true });
    const answer = await mpp.present(t, url, second);
    expect([answer.status, (await x402.bodyOf(answer)).error?.message]).toEqual([
      409,
      expect.stringMatching(/Another wallet.*has arrived.*Do not pay again/),
    ]);
    await t.finalize();
    const { body } = await t.shop.call('GET', '/api/v2/exceptions?status=open');
    expect(body.data).toMatchObject([{ kind: 'surplus', paymentIntentId: receipt.paymentIntentId }]);
    await expectSoundBooks(t);
  });
});

describe('the same payment again a moment later', () => {
  const places: Record<string, () => Promise<string>> = {
    'a link': async () => url,
    'an intent': async () => `${t.service.url}/intents/${(await newIntent(t.shop, 250)).id}`,
    'a checkout': async () => {
      const order = { projectId, mode: 'one_time', amountCents: 250 };
      const { body } = await t.shop.call('POST', '/api/v2/checkout-sessions', order);
      return `${t.service.url}${new URL(body.checkoutUrl).pathname}`;
    },
  };
  const cases = Object.keys(places).flatMap((place) => names.slice(1).map((way) => [place, way] as const));

  test.each(cases)('at %s, %s: every answer is the receipt', async (place, way) => {
    for (const waitMs of [0, 1, 3, 6, 10, 15, 25]) {
      const at = await places[place]!();
      const headers = await WAYS[way]!(at, rich);
      const both = Promise.all([
        x402.sendOnce(at, headers),
        sleep(waitMs).then(() => x402.sendOnce(at, headers)),
      ]);
      const answers = await mpp.withSlots(t, both);
      const told = await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]));
      expect([waitMs, ...told.map(([status, text]) => (status === 200 ? 200 : text))]).toEqual([
        waitMs,
        200,
        200,
      ]);
      await t.finalize();
      await t.follow();
    }
  });
});

describe('a signature that never lands', () => {
  test('503 with when it is decided, and then 402', async () => {
    const authorization = await mpp.credentialFor(t, rich, `${url}?fees=payer`);
    const signature = encodeBase58(Buffer.alloc(64, 7));
    const claimed = mpp.changed(authorization, () => ({ payload: { type: 'signature', signature } }));
    const decidedMs = Date.parse(mpp.challengeOf(authorization).expires!) + 120_000;
    const ask = async () => {
      const answer = await mpp.present(t, url, claimed);
      return {
        status: answer.status,
        retryAfter: Number(answer.headers.get('retry-after')),
        body: await x402.bodyOf(answer),
      };
    };
    const decidedAt = new Date(decidedMs).toISOString();
    expect(await ask()).toMatchObject({ status: 503, retryAfter: 2, body: { decidedAt } });
    try {
      t.service.clock.setOffsetMs(decidedMs - Date.now() - 60_000);
      const late = await ask();
      expect(late).toMatchObject({ status: 503, body: { detail: expect.stringContaining(decidedAt) } });
      expect(late.retryAfter).toBeGreaterThan(30);
      expect(late.retryAfter).toBeLessThanOrEqual(60);
      t.service.clock.setOffsetMs(decidedMs - Date.now() + 60_000);
      t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['getSignatureStatuses'] }] });
      expect((await ask()).status).toBe(503);
      t.chain.faults.clear();
      t.chain.advanceSlots(40);
      expect(await ask()).toMatchObject({
        status: 402,
        body: { type: expect.stringContaining('payment-expired') },
      });
    } finally {
      t.service.clock.setOffsetMs(0);
    }
  });
});

test('a wallet whose token account is not confirmed yet waits while another payment of it is under way, and is served then', async () => {
  const wallet = await x402.programWallet(t, 5_000_000n);
  const first = await x402.signOffer(t, wallet, url);
  expect(x402.decoded(await x402.sendOnce(url, first.headers), 'PAYMENT-RESPONSE').errorReason).toBe(
    'settlement_pending',
  );
  const next = await x402.signOffer(t, wallet, url);
  const second = await x402.sendOnce(url, next.headers);
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '2']);
  t.chain.advanceSlots(3);
  expect((await send(url, first.headers)).status).toBe(200);
  expect((await send(url, next.headers)).status).toBe(200);
});
