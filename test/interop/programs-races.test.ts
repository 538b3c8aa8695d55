import { setTimeout as sleep } from 'node:timers/promises';
import { type Base64EncodedWireTransaction, createSolanaRpc } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { cancelSession } from '../../src/billing/checkout-sessions/cancel-session.ts';
import { cancelIntent } from '../../src/intents/cancel-intent.ts';
import { lockIntent } from '../../src/intents/queries.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks, newIntent, payIntent } from '../support/payments.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** Races: answers to programs when something else happens at the same moment. */
let t: TestChain;
let projectId: string;
let poor: Wallet;
let rich: Wallet;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 300 });
  await t.chain.mintTo(t.merchant.address, 1n);
  poor = await x402.programWallet(t);
  rich = await createWallet(t.chain, { usdcBaseUnits: 1_000_000_000n });
  t.chain.advanceSlots(40);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
});

async function newSession(more: object = {}) {
  const order = { projectId, mode: 'one_time', amountCents: 500, ...more };
  const { body } = await t.shop.call('POST', '/api/v2/checkout-sessions', order);
  const url = `${t.service.url}${new URL(body.checkoutUrl).pathname}`;
  return { id: body.id as string, intentId: body.paymentIntentId as string, url };
}

const readSession = async (id: string) => (await t.shop.call('GET', `/api/v2/checkout-sessions/${id}`)).body;

const BY = {
  x402: async (url: string) => (await x402.signOffer(t, poor, url)).headers,
  'MPP, our fee': async (url: string) => ({ authorization: await mpp.credentialFor(t, poor, url) }),
  'MPP, their fee': async (url: string) => ({
    authorization: await mpp.credentialFor(t, rich, `${url}?fees=payer`),
  }),
} satisfies Record<string, (url: string) => Promise<Record<string, string>>>;

/** Sends a payment and, while it waits for the intent's row, changes the order first. */
async function during(
  { intentId, url, headers }: { intentId: string; url: string; headers: Record<string, string> },
  act: (tx: Parameters<typeof cancelIntent>[0], merchantId: string) => Promise<unknown>,
): Promise<Response> {
  const { db } = t.service;
  let answer: Promise<Response> | undefined;
  const merchantId = t.shop.id;
  await db.transaction(async (tx) => {
    await lockIntent(tx, { merchantId, id: intentId });
    answer = x402.sendOnce(url, headers);
    while ((await db.query('select from pg_locks where not granted')).length === 0) await sleep(5);
    await act(tx, merchantId);
  });
  return answer!;
}

describe.each(Object.entries(BY))('%s', (_name, sign) => {
  test('409 with the reason for an intent that is canceled while its payment is being taken, and nothing is taken', async () => {
    const { id } = await newIntent(t.shop, 500);
    const url = `${t.service.url}/intents/${id}`;
    const headers = await sign(url);
    const answer = await during({ intentId: id, url, headers }, (tx, merchantId) =>
      cancelIntent(tx, { merchantId, id }, t.service.clock.now()),
    );
    expect([answer.status, await x402.bodyOf(answer)]).toEqual([
      409,
      { error: expect.objectContaining({ message: 'This payment is canceled.' }) },
    ]);
    expect([answer.headers.get('payment-required'), answer.headers.get('www-authenticate')]).toEqual([
      null,
      null,
    ]);
    const rows = await t.service.db.query('select from sponsored_transactions where intent_id = $1', [id]);
    expect(rows).toEqual([]);
    await t.finalize();
    expect((await t.shop.call('GET', `/api/merchants/intents/${id}`)).body.amountReceivedCents).toBe(0);
  });

  test('the same for a checkout', async () => {
    const session = await newSession();
    const headers = await sign(session.url);
    const answer = await during({ ...session, headers }, (tx, merchantId) =>
      cancelSession(tx, { merchantId, id: session.id }, t.service.clock.now()),
    );
    expect([answer.status, (await x402.bodyOf(answer)).error?.message]).toEqual([
      409,
      'This payment is canceled.',
    ]);
    await t.finalize();
    expect(await readSession(session.id)).toMatchObject({ status: 'canceled', amountReceivedCents: 0 });
    await expectSoundBooks(t);
  });
});

describe('a payment that landed long before it is reported', () => {
  const SLOTS = 400;

  test.each([
    ['by its signature', { broadcast: true }],
    ['as a transaction, which cannot be sent again', {}],
  ])('%s: 200 with the receipt, and nobody is told that it has lapsed', async (_name, options) => {
    const { id } = await newIntent(t.shop, 500);
    const url = `${t.service.url}/intents/${id}`;
    const authorization = await mpp.credentialFor(t, rich, `${url}?fees=payer`, options);
    const { transaction } = mpp.payloadOf(authorization);
    if (transaction) {
      const wire = transaction as Base64EncodedWireTransaction;
      await createSolanaRpc(t.chain.rpcUrl).sendTransaction(wire, { encoding: 'base64' }).send();
    }
    t.chain.advanceSlots(SLOTS);
    const answer = await fetch(url, { headers: { authorization } });
    expect([answer.status, (await x402.bodyOf(answer)).status]).toEqual([200, 'paid']);
    await t.finalize();
  });

  test('409 that says so for one that pays for another order', async () => {
    const [own, other] = [await newIntent(t.shop, 500), await newIntent(t.shop, 500)];
    const url = `${t.service.url}/intents/${own.id}`;
    const authorization = await mpp.credentialFor(t, rich, `${url}?fees=payer`);
    const { memo } = await x402Memo(url);
    const paid = await payIntent(t, other, {
      amountBaseUnits: 5_000_000n,
      memo: `${memo}/mpp`,
      from: rich.signer,
    });
    t.chain.advanceSlots(SLOTS);
    const claimed = mpp.changed(authorization, () => ({ payload: { type: 'signature', signature: paid } }));
    const answer = await fetch(url, { headers: { authorization: claimed } });
    expect([answer.status, (await x402.bodyOf(answer)).detail]).toEqual([
      409,
      expect.stringContaining('it pays for'),
    ]);
    await t.finalize();
  });
});

test.each(Object.entries(BY))(
  '%s: while a payment of a checkout may land nobody is offered to pay it, and once it is answered everybody gets the receipt',
  async (_name, sign) => {
    const { url } = await newSession();
    const headers = await sign(url);
    const whole = await mpp.credentialFor(t, rich, `${url}?fees=payer`);
    // Cut short: a letter more would be padding to a lenient decoder, and the credential still good.
    const broken = { authorization: whole.slice(0, whole.length / 2) };
    const ask = async () => {
      const urls = [url, `${url}?fees=payer`];
      const asked = [...urls.map((at) => fetch(at, x402.JSON_ONLY)), fetch(urls[1]!, mpp.ASK)];
      return Promise.all([...asked, x402.sendOnce(url, broken)]);
    };
    for (const answer of (await ask()).slice(0, 3)) expect(answer.status).toBe(402);
    expect((await x402.sendOnce(url, headers)).status).toBe(503);
    for (const answer of await ask()) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
      expect((await x402.bodyOf(answer)).error.message).toContain('do not pay again');
      for (const name of ['www-authenticate', 'payment-required'])
        expect(answer.headers.has(name)).toBe(false);
    }
    const receipt = await x402.bodyOf(await mpp.withSlots(t, x402.sendOnce(url, headers)));
    expect(receipt.status).toBe('paid');
    const [first, ...more] = (await ask()).slice(0, 3);
    const { transaction, paymentIntentId } = receipt;
    expect(await x402.bodyOf(first!)).toMatchObject({ status: 'paid', transaction, paymentIntentId });
    expect(more.map(({ status }) => status)).toEqual([200, 200]);
    await t.finalize();
    await expectSoundBooks(t);
  },
);

async function x402Memo(url: string): Promise<{ memo: string }> {
  return (await x402.bodyOf(await fetch(url, x402.JSON_ONLY))).accepts[0].extra;
}

test('a transaction that lapsed, of an order that another one has paid since: the receipt, and no new offer', async () => {
  const { id } = await newIntent(t.shop, 500);
  const url = `${t.service.url}/intents/${id}`;
  const lost = await x402.signOffer(t, poor, url);
  t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['sendTransaction'] }] });
  expect((await x402.sendOnce(url, lost.headers)).status).toBe(503);
  await t.lapse();
  t.chain.faults.clear();
  const lapsed = await x402.sendOnce(url, lost.headers);
  expect([lapsed.status, x402.decoded(lapsed, 'PAYMENT-RESPONSE').errorMessage]).toEqual([
    402,
    expect.stringContaining('lapsed'),
  ]);
  const paid = await x402.sendPayment(t, url, (await x402.signOffer(t, poor, url)).headers);
  const receipt = await x402.bodyOf(paid);
  expect([paid.status, receipt.status]).toEqual([200, 'paid']);
  for (const step of ['seen', 'final']) {
    const again = await x402.sendOnce(url, lost.headers);
    expect([step, again.status, (await x402.bodyOf(again)).transaction]).toEqual([
      step,
      200,
      receipt.transaction,
    ]);
    await t.finalize();
  }
});

test('what one answer offers by both protocols is one order: paid by both at once, it is paid once', async () => {
  const terms = { billingMode: 'one_time', unitAmountCents: 500, productName: 'Report' };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', { projectId, ...terms });
  const url = `${t.service.url}/pay/${body.paymentLink.publicToken}`;
  const paidCents = async () => {
    const [row] = await t.service.db.query<{ cents: bigint }>(
      'select (coalesce(sum(base_units), 0) / 10000)::bigint as cents from payment_allocations',
    );
    return Number(row!.cents);
  };
  const before = await paidCents();
  const offered = await fetch(url, x402.JSON_ONLY);
  const { headers } = await x402.signOffered(t, rich, offered);
  const challenges = mpp.challengesOf(offered);
  expect(challenges).toHaveLength(2);
  const ours = await mpp.accept(t, rich, challenges[0]!);
  const theirs = await mpp.accept(t, rich, challenges[1]!);
  const ways = [headers, { authorization: ours }, { authorization: theirs }];
  await x402.withSlots(t, Promise.all(ways.map((way) => x402.sendOnce(url, way))));
  await t.finalize();
  const receipts = [];
  for (const way of ways) {
    const answer = await x402.sendOnce(url, way);
    expect(answer.status).toBe(200);
    receipts.push(await x402.bodyOf(answer));
  }
  expect(new Set(receipts.map(({ transaction }) => transaction)).size).toBe(1);
  expect(new Set(receipts.map(({ paymentIntentId }) => paymentIntentId)).size).toBe(1);
  expect((await paidCents()) - before).toBe(500);
  await expectSoundBooks(t);
});

test('no two answers share an order, however close together they are', async () => {
  const terms = { billingMode: 'one_time', unitAmountCents: 500, productName: 'A "report", Größe 5' };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', { projectId, ...terms });
  const url = `${t.service.url}/pay/${body.paymentLink.publicToken}`;
  const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(url, x402.JSON_ONLY)));
  const named = new Set<string>();
  for (const answer of answers) {
    const offer = await x402.bodyOf(answer);
    expect(x402.decoded(answer, 'PAYMENT-REQUIRED')).toEqual(offer);
    expect(offer).toMatchObject({ error: 'Payment required', resource: { description: terms.productName } });
    const { memo } = offer.accepts[0].extra;
    const challenges = mpp.challengesOf(answer);
    expect(challenges.map(({ request }) => [request.externalId, request.description])).toEqual([
      [`${memo}/mpp`, terms.productName],
      [`${memo}/mpp`, terms.productName],
    ]);
    for (const name of [memo, offer.accepts[0].extra.offer, ...challenges.map(({ id }) => id)])
      named.add(name);
  }
  expect(named.size).toBe(4 * answers.length);
});

describe('the last redemption of a promotion code', () => {
  const enter = (url: string, code: string) =>
    fetch(`${url}/promotion-code`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ code }),
      headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
    });

  async function newCode(code: string): Promise<string> {
    const terms = { projectId, name: 'Half', percentOff: 50, maxRedemptions: 1 };
    const { body } = await t.shop.call('POST', '/api/v2/discounts', terms);
    await t.shop.call('POST', '/api/v2/promotion-codes', { discountId: body.id, code });
    return body.id;
  }

  const redeemed = async (id: string) =>
    (await t.shop.call('GET', `/api/v2/discounts/${id}`)).body.redemptionsCount as number;

  test('is one checkout’s, where programs pay at the same moment: what is answered as paid is what was paid', async () => {
    for (let round = 0; round < 3; round++) {
      const code = `LAST${round}`;
      const discountId = await newCode(code);
      const ways = [...Object.values(BY), BY.x402];
      const sessions = await Promise.all(ways.map(() => newSession({ allowPromotionCodes: true })));
      const signed: Record<string, string>[] = [];
      for (const [i, sign] of ways.entries()) signed.push(await sign(sessions[i]!.url));
      const [answers] = await x402.withSlots(
        t,
        Promise.all([
          Promise.all(sessions.map(({ url }, i) => x402.sendOnce(url, signed[i]!))),
          Promise.all(sessions.map(({ url }) => enter(url, code))),
        ]),
      );
      await t.finalize();
      let discounted = 0;
      for (const [i, answer] of answers.entries()) {
        const { amountCents, amountReceivedCents } = await readSession(sessions[i]!.id);
        if (amountCents === 250) discounted++;
        expect(amountReceivedCents, `${answer.status}`).toBe(answer.status === 402 ? 0 : 500);
        if (answer.status === 402)
          expect((await offerAt(sessions[i]!.url)).amount).toBe(`${amountCents}0000`);
      }
      expect(discounted).toBeLessThanOrEqual(1);
      expect(await redeemed(discountId)).toBe(discounted);
      await expectSoundBooks(t);
    }
  });

  test('is free again when its checkout is canceled while a program pays, and the next one pays half', async () => {
    const discountId = await newCode('AGAIN');
    const first = await newSession({ allowPromotionCodes: true });
    expect((await enter(first.url, 'AGAIN')).status).toBe(303);
    expect(await redeemed(discountId)).toBe(1);
    const headers = await BY.x402(first.url);
    const answer = await during({ ...first, headers }, (tx, merchantId) =>
      cancelSession(tx, { merchantId, id: first.id }, t.service.clock.now()),
    );
    expect([answer.status, await redeemed(discountId)]).toEqual([409, 0]);
    const second = await newSession({ allowPromotionCodes: true });
    await enter(second.url, 'AGAIN');
    const paid = await x402.sendPayment(t, second.url, await BY.x402(second.url));
    expect([paid.status, (await x402.bodyOf(paid)).amountCents]).toEqual([200, 250]);
    await t.finalize();
    expect(await redeemed(discountId)).toBe(1);
    await expectSoundBooks(t);
  });

  const offerAt = async (url: string) =>
    (await x402.bodyOf(await fetch(url, x402.JSON_ONLY))).accepts[0] as { amount: string };
});

test('MPP, their fee: a payment that the chain forgets after it was answered as paid lands when its client asks again', async () => {
  const { id, url } = await newSession();
  const authorization = await mpp.credentialFor(t, rich, `${url}?fees=payer`);
  const first = await mpp.present(t, url, authorization);
  expect(first.status).toBe(200);
  t.chain.rollBack(8);
  expect((await mpp.present(t, url, authorization)).status).toBe(200);
  await t.finalize();
  expect(await readSession(id)).toMatchObject({ status: 'complete', paymentStatus: 'paid' });
  await expectSoundBooks(t);
});

test('MPP, our fee: a payment that was answered and seen, and that the network then drops, is not called paid', async () => {
  const { id, url } = await newSession();
  const authorization = await mpp.credentialFor(t, poor, url);
  expect((await mpp.present(t, url, authorization)).status).toBe(200);
  await t.look();
  expect(await readSession(id)).toMatchObject({ paymentStatus: 'processing' });
  await t.follow();
  // However many slots have passed since it landed.
  expect(t.chain.rollBack(20)).not.toEqual([]);
  await t.lapse();
  const again = await mpp.present(t, url, authorization);
  expect([again.status, await again.text()]).toEqual([402, expect.stringContaining('lapsed')]);
});

test('MPP: a transaction that a seller’s own server has taken is refused at once as the payment of a link whose order it names', async () => {
  const sold = { projectId, productName: 'Report', billingMode: 'one_time', unitAmountCents: 2 };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', sold);
  const url = `${t.service.url}/pay/${body.paymentLink.publicToken}?fees=payer`;
  const mine = await mpp.credentialFor(t, rich, url);
  const offered = await fetch(url.replace('?fees=payer', ''), x402.JSON_ONLY);
  const { payload } = await x402.signOffered(t, poor, offered);
  const paymentRequirements = { ...payload.accepted, extra: { ...payload.accepted.extra, projectId } };
  const taken = { x402Version: 2, paymentPayload: payload, paymentRequirements };
  const settled = await mpp.withSlots(t, t.shop.call('POST', '/x402/settle', taken));
  expect(settled.body.success).toBe(true);
  const { transaction: signature } = settled.body;
  for (const challenge of mpp.challengesOf(offered)) {
    const claim = mpp.changed(mine, () => ({ challenge, payload: { type: 'signature', signature } }));
    const answer = await mpp.present(t, url, claim);
    expect([challenge.id, answer.status]).toEqual([challenge.id, 409]);
  }
  const { body: sessions } = await t.shop.call(
    'GET',
    `/api/v2/checkout-sessions?paymentLinkId=${body.paymentLink.id}`,
  );
  expect(sessions.data).toEqual([]);
});
