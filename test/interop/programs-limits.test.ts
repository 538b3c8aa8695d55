import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPage, takeProblems } from '../support/browser.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { cleanUp } from '../support/clean-up.ts';
import { newIntent } from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** Programs at the edges: limits, a slow network, a service without a fee payer, pages of other sites. */
async function newShop(t: TestChain, unitAmountCents = 250) {
  await t.chain.mintTo(t.merchant.address, 1n);
  const poor = await x402.programWallet(t);
  const rich = await createWallet(t.chain, { usdcBaseUnits: 1_000_000_000n });
  t.chain.advanceSlots(40);
  const projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  const terms = { billingMode: 'one_time', unitAmountCents, productName: 'Report' };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', { projectId, ...terms });
  const paywall = { projectId, priceId: body.price.id, description: 'Report' };
  const { body: created } = await t.shop.call('POST', '/api/v2/x402/paywalls', paywall);
  const order = { projectId, mode: 'one_time', amountCents: 250 };
  const { body: session } = await t.shop.call('POST', '/api/v2/checkout-sessions', order);
  const intent = await newIntent(t.shop, 250);
  const at = (path: string, url: string) => `${t.service.url}${path}/${url.split('/').at(-1)}`;
  return {
    ...{ poor, rich, projectId },
    link: at('/pay', body.paymentLink.publicToken),
    paywall: at('/paywalls', created.url),
    checkout: at('/checkout', session.checkoutUrl),
    intent: at('/intents', intent.id),
  };
}

type Shop = Awaited<ReturnType<typeof newShop>>;

const rowsOf = async (t: TestChain, table: string) =>
  Number((await t.service.db.query<{ n: bigint }>(`select count(*) as n from ${table}`))[0]!.n);

describe('an outcome that is not known in time', () => {
  let t: TestChain;
  let shop: Shop;
  beforeAll(async () => {
    t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 200 });
    shop = await newShop(t);
  });

  test('x402: 503 with the signature, never 402; the same payment again gets the receipt, once', async () => {
    for (const url of [shop.link, shop.paywall, shop.checkout, shop.intent]) {
      const { headers } = await x402.signOffer(t, shop.poor, url);
      const before = await rowsOf(t, 'sponsored_transactions');
      for (let i = 0; i < 3; i++) {
        const pending = await x402.sendOnce(url, headers);
        expect([pending.status, pending.headers.get('retry-after')]).toEqual([503, '2']);
        const said = x402.decoded(pending, 'PAYMENT-RESPONSE');
        expect(said).toMatchObject({ success: false, errorReason: 'settlement_pending' });
        expect(await x402.bodyOf(pending)).toMatchObject(said);
        expect(said.transaction).toMatch(/^\w{64,88}$/);
      }
      t.chain.advanceSlots(3);
      const paid = await x402.sendOnce(url, headers);
      expect([paid.status, (await x402.bodyOf(paid)).status]).toEqual([200, 'paid']);
      expect(await rowsOf(t, 'sponsored_transactions')).toBe(before + 1);
    }
    await t.finalize();
  });

  test('the facilitator: 503 with settlement_pending, then the settlement', async () => {
    const { mutations } = await import('./x402-mutations.ts');
    const sound = await mutations.sound(t, shop.poor);
    const settle = () => t.shop.call('POST', '/x402/settle', sound);
    const pending = await settle();
    expect([pending.status, pending.headers.get('retry-after')]).toEqual([503, '2']);
    expect(pending.body).toMatchObject({ success: false, errorReason: 'settlement_pending' });
    t.chain.advanceSlots(3);
    const [settled, again] = [await settle(), await settle()];
    expect([settled.status, settled.body.success]).toEqual([200, true]);
    expect(again.body).toMatchObject({ success: false, errorReason: 'duplicate_settlement' });
    await t.finalize();
  });

  test.each([
    ['our fee', '', {}],
    ['their fee', '?fees=payer', {}],
  ] as const)('MPP, %s: 503 as a problem, never 402; then the receipt', async (_name, query, options) => {
    const fresh = await newIntent(t.shop, 250);
    for (const url of [shop.link, shop.paywall, `${t.service.url}/intents/${fresh.id}`]) {
      const wallet = query === '' ? shop.poor : shop.rich;
      const authorization = await mpp.credentialFor(t, wallet, `${url}${query}`, options);
      for (let i = 0; i < 2; i++) {
        const pending = await fetch(url, { headers: { authorization } });
        expect([pending.status, pending.headers.get('retry-after')]).toEqual([503, '2']);
        expect(pending.headers.get('www-authenticate')).toBeNull();
        expect(await pending.json()).toMatchObject({ title: 'Settlement Pending', status: 503 });
      }
      t.chain.advanceSlots(3);
      const paid = await fetch(url, { headers: { authorization } });
      expect([paid.status, (await x402.bodyOf(paid)).status]).toEqual([200, 'paid']);
    }
    await t.finalize();
  });
});

describe('a payment that we have sent for its payer, and nobody has seen yet', () => {
  test('its order, checkout or intent cannot be canceled until it can no longer land', async () => {
    const t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, {
      settleWaitMs: 50,
    });
    const shop = await newShop(t);
    const sessions = async () =>
      (await t.shop.call('GET', '/api/v2/checkout-sessions?status=open&limit=10')).body.data;
    const cancel = async (path: string) => (await t.shop.call('POST', `${path}/cancel`)).status;
    t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['sendTransaction'] }] });
    for (const url of [shop.link, shop.paywall, shop.checkout, shop.intent]) {
      const authorization = await mpp.credentialFor(t, shop.rich, `${url}?fees=payer`);
      expect((await fetch(url, { headers: { authorization } })).status).toBe(503);
    }
    const open: { id: string }[] = await sessions();
    expect(open).toHaveLength(3);
    const paths = open.map(({ id }) => `/api/v2/checkout-sessions/${id}`);
    paths.push(`/api/merchants/intents/${shop.intent.split('/').at(-1)}`);
    for (const path of paths) expect(await cancel(path)).toBe(409);
    // A stranger's claim of a payment keeps nothing open, and no other payment from being taken.
    const claimed = await newIntent(t.shop, 250);
    const said = { signature: '5'.repeat(87) };
    const claim = await call(`${t.service.url}/api/public/intents/${claimed.id}/check`, 'POST', said);
    expect(claim.status).toBe(202);
    expect(await cancel(`/api/merchants/intents/${claimed.id}`)).toBe(200);
    t.chain.faults.clear();
    // Hours on the clock are nothing to a chain that stands still.
    t.service.clock.setOffsetMs(20_000);
    for (let i = 0; i < 12; i++) await t.lookCloser();
    t.service.clock.setOffsetMs(600_000);
    for (let i = 0; i < 12; i++) await t.lookCloser();
    for (const path of paths) expect(await cancel(path)).toBe(409);
    t.chain.advanceSlots(300);
    t.service.clock.setOffsetMs(660_000);
    for (let i = 0; i < 12; i++) await t.lookCloser();
    // Nobody else has asked for what a link sells to a program: the order ends with its payment.
    const { body } = await t.shop.call('GET', '/api/v2/checkout-sessions?status=canceled&limit=10');
    expect(body.data).toMatchObject([{ paymentLinkId: expect.any(String) }]);
    const ended = `/api/v2/checkout-sessions/${body.data[0].id}`;
    for (const path of paths) expect([path, await cancel(path)]).toEqual([path, path === ended ? 409 : 200]);
  });
});

describe('a day’s budget for fees that ends while programs pay', () => {
  test('nothing was sent, so nobody hears 503: x402 409 with the reason, MPP 402 with an offer of their own fee', async () => {
    const t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
    const shop = await newShop(t);
    const wallets = await Promise.all(Array.from({ length: 10 }, () => x402.programWallet(t)));
    t.chain.advanceSlots(3);
    const signed: { headers: Record<string, string> }[] = [];
    for (const wallet of wallets) signed.push(await x402.signOffer(t, wallet, shop.link));
    const credentials: string[] = [];
    for (const wallet of wallets) credentials.push(await mpp.credentialFor(t, wallet, shop.link));
    // Enough for an offer, and for some of the fees.
    t.sponsor.limitLamportsPerDay = 60_000n;
    const [bySignature, byCredential] = await x402.withSlots(
      t,
      Promise.all([
        Promise.all(signed.map(({ headers }) => x402.sendOnce(shop.link, headers))),
        Promise.all(credentials.map((authorization) => fetch(shop.link, { headers: { authorization } }))),
      ]),
    );
    for (const [answers, status] of [
      [bySignature, 409],
      [byCredential, 402],
    ] as const) {
      const refused = answers.filter((answer) => answer.status !== 200);
      expect(refused.map((answer) => answer.status)).toEqual(refused.map(() => status));
      expect(refused.length).toBeGreaterThan(0);
    }
    const last = bySignature.find(({ status }) => status === 409)!;
    expect((await x402.bodyOf(last)).error.message).toContain('daily_limit_reached');
    const other = byCredential.find(({ status }) => status === 402)!;
    expect(mpp.challengesOf(other).map(({ request }) => request.methodDetails)).toEqual([
      expect.not.objectContaining({ feePayer: true }),
    ]);
    await t.finalize();
    // An unpaid order was not left open, and so keeps nothing from anybody.
    const [row] = await t.service.db.query(
      `select count(*)::int as open from checkout_sessions where status = 'open' and origin = 'link'`,
    );
    expect(row).toEqual({ open: 0 });
  });
});

describe('a tip that is added while the payment is being taken', () => {
  test('what is answered as paid is what was paid, or nothing was taken', async () => {
    const t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
    const { projectId } = await newShop(t);
    t.chain.advanceSlots(3);
    for (let i = 0; i < 8; i++) {
      const order = { projectId, mode: 'one_time', amountCents: 500, tipPercents: [20] };
      const { body: session } = await t.shop.call('POST', '/api/v2/checkout-sessions', order);
      const url = `${t.service.url}${new URL(session.checkoutUrl).pathname}`;
      const wallet = await x402.programWallet(t);
      t.chain.advanceSlots(3);
      const { headers } = await x402.signOffer(t, wallet, url);
      const tip = async () => {
        await sleep(i * 2);
        const form = {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams({ percent: '20' }),
        } as const;
        return fetch(`${url}/tip`, { ...form, headers: { 'sec-fetch-site': 'same-origin', origin: 'null' } });
      };
      const [paid, tipped] = await Promise.all([x402.sendPayment(t, url, headers), tip()]);
      expect(tipped.status).toBe(303);
      await t.finalize();
      const { body } = await t.shop.call('GET', `/api/v2/checkout-sessions/${session.id}`);
      const { amountCents, amountReceivedCents, tipCents, paymentStatus } = body;
      const isPaid = paid.status === 200;
      if (isPaid) expect((await x402.bodyOf(paid)).amountCents).toBe(500);
      expect({ amountCents, amountReceivedCents, tipCents, paymentStatus }).toEqual(
        isPaid
          ? { amountCents: 500, amountReceivedCents: 500, tipCents: 0, paymentStatus: 'paid' }
          : { amountCents: 600, amountReceivedCents: 0, tipCents: 100, paymentStatus: 'unpaid' },
      );
    }
  });
});

describe('what is over or under way', () => {
  test('x402 names it: an order that was canceled, and a wallet that has promised its money twice', async () => {
    const t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
    const shop = await newShop(t);
    const wallet = await x402.programWallet(t, 3_000_000n);
    t.chain.advanceSlots(3);
    const first = await x402.signOffer(t, wallet, shop.link);
    const second = await x402.signOffer(t, wallet, shop.paywall);
    // Signed and stored, and not on chain yet.
    t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['sendTransaction'] }] });
    const paid = x402.sendOnce(shop.link, first.headers);
    while ((await rowsOf(t, 'sponsored_transactions')) === 0) await sleep(5);
    const refused = await x402.sendOnce(shop.paywall, second.headers);
    t.chain.faults.clear();
    // The wallet may still get its money back, so the order is kept for the same signature.
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    await t.follow();
    expect((await mpp.withSlots(t, paid)).status).toBe(200);
    await t.finalize();
    const spent = await x402.sendOnce(shop.paywall, second.headers);
    const { error } = await x402.bodyOf(spent);
    expect([spent.status, error]).toEqual([402, 'invalid_exact_svm_transaction_simulation_failed']);
    // Once its order is canceled, the same signature hears that, and gets a new offer.
    const { body } = await t.shop.call('GET', '/api/v2/checkout-sessions?status=open&limit=1');
    const canceled = await t.shop.call('POST', `/api/v2/checkout-sessions/${body.data[0].id}/cancel`);
    expect(canceled.status).toBe(200);
    await t.chain.mintTo(wallet.address, 3_000_000n);
    const again = await x402.sendOnce(shop.paywall, second.headers);
    expect([again.status, (await x402.bodyOf(again)).error]).toEqual([402, 'invalid_payment_requirements']);
    expect(x402.decoded(again, 'PAYMENT-RESPONSE').errorMessage).toBe('This payment is canceled.');
  });
});

describe('a service without a fee payer', () => {
  let t: TestChain;
  let shop: Shop;
  beforeAll(async () => {
    t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { isSponsored: false });
    shop = await newShop(t);
  });

  test('says so everywhere, offers MPP alone, and takes it', async () => {
    expect((await t.shop.call('GET', '/api/v2/sponsor')).body).toMatchObject({
      isOn: false,
      reasonOff: 'not_set_up',
      address: null,
    });
    expect((await t.shop.call('GET', '/x402/supported')).body).toMatchObject({ kinds: [], signers: {} });
    for (const url of [shop.link, shop.paywall, shop.checkout, shop.intent]) {
      const offered = await fetch(url, x402.JSON_ONLY);
      expect([offered.status, offered.headers.get('payment-required')]).toEqual([402, null]);
      expect(offered.headers.get('content-type')).toContain('application/problem+json');
      const challenges = mpp.challengesOf(offered);
      expect(challenges).toHaveLength(1);
      expect(challenges[0]!.request.methodDetails).not.toHaveProperty('feePayer');
      const paid = await mpp.payAt(t, shop.rich, url);
      expect([paid.status, (await x402.bodyOf(paid)).status]).toEqual([200, 'paid']);
      await t.finalize();
    }
  });

  test('refuses a payment by x402 with the reason, and writes nothing', async () => {
    const { mutations } = await import('./x402-mutations.ts');
    const sound = await mutations.sound(t, shop.poor);
    const before = await rowsOf(t, 'payment_intents');
    const header = Buffer.from(JSON.stringify(sound.paymentPayload)).toString('base64');
    const answer = await fetch(shop.link, { headers: { 'payment-signature': header } });
    expect([answer.status, (await x402.bodyOf(answer)).error.message]).toEqual([
      409,
      expect.stringContaining('no fee payer'),
    ]);
    const verified = await t.shop.call('POST', '/x402/verify', sound);
    expect(verified.body).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
    });
    expect((await t.shop.call('POST', '/x402/settle', sound)).body.success).toBe(false);
    expect(await rowsOf(t, 'payment_intents')).toBe(before);
  });
});

describe('rate limits', () => {
  test('payable pages share the public limit: 429 in the API’s words, with CORS, before anything is read', async () => {
    const t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '1', TRUST_PROXY: 'true' });
    const shop = await newShop(t);
    let address = 0;
    for (const url of [shop.link, shop.paywall, shop.checkout, shop.intent]) {
      const headers = { ...x402.JSON_ONLY.headers, 'x-forwarded-for': `192.0.2.${++address}` };
      const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(url, { headers })));
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(3);
      for (const answer of refused) {
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect((await x402.bodyOf(answer)).error.code).toBe('RATE_LIMITED');
      }
      // Somebody else is not affected, nor is a preflight.
      const other = { ...x402.JSON_ONLY.headers, 'x-forwarded-for': `198.51.100.${address}` };
      expect((await fetch(url, { headers: other })).status).toBe(402);
      expect((await fetch(url, { method: 'OPTIONS', headers })).status).toBe(204);
    }
  });

  test('payments without money beyond 40 of a client at once: 429, nothing signed', async () => {
    const t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '100000' });
    const shop = await newShop(t);
    const broke: Wallet = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 1n });
    t.chain.advanceSlots(40);
    const payments = await Promise.all(
      Array.from({ length: 90 }, async () => (await x402.signOffer(t, broke, shop.link)).headers),
    );
    const answers = await Promise.all(payments.map((headers) => x402.sendOnce(shop.link, headers)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 402).length).toBeGreaterThanOrEqual(40);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 402 && status !== 429)).toEqual([]);
    expect(await rowsOf(t, 'sponsored_transactions')).toBe(0);
    expect(await rowsOf(t, 'checkout_sessions')).toBe(1);
  });
});

describe('pages of other sites', () => {
  const ORIGIN = { origin: 'https://agent.example' };
  let t: TestChain;
  let shop: Shop;
  beforeAll(async () => {
    t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
    shop = await newShop(t);
  });

  const exposed = ({ headers }: Response) =>
    headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? [];

  test('may ask, pay and read every header of both protocols, without credentials', async () => {
    for (const url of [shop.link, shop.paywall, shop.checkout, shop.intent]) {
      const names = 'accept, accept-payment, access-control-expose-headers, authorization, payment-signature';
      const preflight = await fetch(url, {
        method: 'OPTIONS',
        headers: {
          ...ORIGIN,
          'access-control-request-method': 'GET',
          'access-control-request-headers': names,
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      const allowed = preflight.headers.get('access-control-allow-headers')!.toLowerCase().split(', ');
      for (const name of names.split(', ')) expect(allowed).toContain(name);
      const offered = await fetch(url, { headers: { ...ORIGIN, ...x402.JSON_ONLY.headers } });
      const bad = await fetch(url, { headers: { ...ORIGIN, 'payment-signature': 'x' } });
      const refused = await fetch(url, { headers: { ...ORIGIN, authorization: 'Payment e30' } });
      expect([offered, bad, refused].map(({ status }) => status)).toEqual([402, 400, 402]);
      for (const answer of [offered, bad, refused, preflight]) {
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        expect(exposed(answer)).toEqual(
          expect.arrayContaining([
            ...['payment-required', 'payment-response', 'www-authenticate', 'payment-receipt', 'retry-after'],
          ]),
        );
      }
    }
    const missing = await fetch(`${t.service.url}/paywalls/pw_none`, { headers: ORIGIN });
    expect([missing.status, missing.headers.get('access-control-allow-origin')]).toEqual([404, '*']);
  });

  test('in a real browser: a page of another origin reads the offer, pays, and reads the receipt', async () => {
    const site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Agent</title>');
    }).listen(0, '127.0.0.1');
    cleanUp(async () => {
      site.closeAllConnections();
      site.close();
    });
    await once(site, 'listening');
    const page = await newPage({ isApp: true });
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    const ask = (headers: Record<string, string>) =>
      page.evaluate(
        async ([url, given]) => {
          const { status, headers: read } = await fetch(url, { headers: given });
          const names = ['payment-required', 'www-authenticate', 'payment-response'];
          return [status, ...names.map((name) => read.get(name))];
        },
        [shop.paywall, { accept: 'application/json', ...headers }] as const,
      );
    const text = expect.any(String);
    expect(await ask({})).toEqual([402, text, expect.stringContaining('Payment id='), null]);
    const { headers } = await x402.signOffer(t, shop.poor, shop.paywall);
    // The client of x402 sends this header too, also in a browser.
    const sent = { ...headers, 'access-control-expose-headers': 'PAYMENT-RESPONSE,X-PAYMENT-RESPONSE' };
    expect(await x402.withSlots(t, ask(sent))).toEqual([200, null, null, text]);
    // The browser complains only that the offer is no success.
    expect(takeProblems()).toEqual([expect.stringContaining('402 (Payment Required)')]);
  });

  test('see no page that is for people, and nothing of the API', async () => {
    const urls = [shop.link, shop.checkout, shop.intent];
    for (const url of urls) {
      const page = await fetch(url, { headers: { ...ORIGIN, accept: 'text/html' } });
      expect([page.status, page.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    }
    const { headers } = await t.shop.call('GET', '/api/v2/projects', undefined, ORIGIN);
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const settle = await fetch(`${t.service.url}/x402/settle`, { method: 'OPTIONS', headers: ORIGIN });
    expect(settle.headers.get('access-control-allow-origin')).toBeNull();
  });
});
