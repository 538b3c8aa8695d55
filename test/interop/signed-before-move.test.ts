import { beforeEach, expect, test } from 'vitest';
import { openAgain } from '../../src/operations/moving/open-again.ts';
import { expectSound, newLink, newProject } from '../support/billing.ts';
import type { TestChain } from '../support/chain.ts';
import { at, change, close, exported, imported, twoInstallations } from '../support/moving.ts';
import { newIntent, readIntent } from '../support/payments.ts';
import { call, type TestMerchant } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';
import { mutations } from './x402-mutations.ts';

/** A payment that the old installation has signed and that has reached no node when its merchant moves. */
let source: TestChain;
let target: TestChain;
let shop: TestMerchant;

beforeEach(async () => {
  ({ source, target } = await twoInstallations({ settleWaitMs: 300 }));
  await source.chain.mintTo(source.merchant.address, 1n);
  shop = at(target, source.shop);
});

async function signedAndMoved(path: string, usdcBaseUnits: bigint): Promise<void> {
  const payer = await createWallet(source.chain, { lamports: 0n, usdcBaseUnits });
  source.chain.advanceSlots(40);
  const { headers } = await x402.signOffer(source, payer, source.service.url + path);
  keepFromNodes();
  expect((await x402.sendOnce(source.service.url + path, headers)).status).toBe(503);
  await close(source);
  await imported(target, await exported(source));
}

const keepFromNodes = () =>
  source.chain.faults.set({ rules: [{ kind: 'httpError', status: 502, methods: ['sendTransaction'] }] });

test('is waited for where the merchant is now, and nobody pays a second time', async () => {
  const intent = await newIntent(source.shop, 500);
  await signedAndMoved(`/intents/${intent.id}`, 5_000_000n);
  source.chain.faults.clear();
  const ask = () =>
    call(`${target.service.url}/api/public/intents/${intent.id}/transaction`, 'POST', {
      account: target.customer.address,
    });
  expect((await ask()).status).toBe(409);
  const offer = await call(`${target.service.url}/intents/${intent.id}`, 'GET', undefined, {
    accept: 'application/json',
  });
  expect(offer.status).toBe(503);
  await source.follow();
  await target.finalize();
  expect(await readIntent(shop, intent)).toEqual({ status: 'succeeded', cents: 500 });
  await expectSound(target.service);
});

test.each(['a link', 'a paywall'] as const)(
  '%s: what the old place has read and is not final is waited for where the merchant is now',
  async (place) => {
    const path = await placeOf(place);
    const payer = await createWallet(source.chain, { lamports: 0n, usdcBaseUnits: 50_000_000n });
    source.chain.advanceSlots(40);
    const { headers } = await x402.signOffer(source, payer, source.service.url + path);
    const show = async (at: TestChain) => (await fetch(at.service.url + path, { headers })).status;
    // It lands, and is not final as long as no slot ends.
    expect([200, 503]).toContain(await show(source));
    source.chain.advanceSlots(1);
    await source.look();
    await close(source);
    await imported(target, await exported(source));
    expect(await show(target)).toBe(503);
    await target.look();
    await target.lookCloser();
    expect(await show(target)).toBe(503);
    await target.finalize();
    await target.lookCloser();
    expect(await show(target)).toBe(409);
    await expectSound(target.service);
  },
);

test('settled for the seller’s own server, it pays its order, though nothing in it names one, and is never refused as unpaid', async () => {
  await newProject(source.shop);
  const payer = await createWallet(source.chain, { lamports: 0n, usdcBaseUnits: 5_000_000n });
  source.chain.advanceSlots(40);
  const payment = await mutations.sound(source, payer);
  keepFromNodes();
  expect((await source.shop.call('POST', '/x402/settle', payment)).status).toBe(503);
  await close(source);
  await imported(target, await exported(source));
  const awaited = async () => {
    const verified = await shop.call('POST', '/x402/verify', payment);
    expect(verified.body).toEqual({ isValid: true, payer: payer.address });
    const { status, body } = await shop.call('POST', '/x402/settle', payment);
    expect([status, body.errorReason]).toEqual([503, 'settlement_pending']);
  };
  await awaited();
  source.chain.faults.clear();
  await source.follow();
  source.chain.advanceSlots(2);
  await target.look();
  await target.lookCloser();
  await awaited();
  await target.finalize();
  await target.lookCloser();
  const orders = await target.service.db.query('select id, status from payment_intents');
  expect(orders).toEqual([{ id: expect.any(String), status: 'succeeded' }]);
  expect((await shop.call('POST', '/x402/settle', payment)).body.errorReason).toBe('duplicate_settlement');
  expect((await shop.call('POST', '/x402/verify', payment)).body.invalidReason).toBe('duplicate_settlement');
  // Another one of the same wallet is none of that.
  const other = await shop.call('POST', '/x402/settle', await mutations.sound(source, payer));
  expect(other.body.errorReason).toMatch(/fee_payer/);
  await expectSound(target.service);
});

test('that lapses gives back what its order holds, there', async () => {
  const { paymentLink } = await newLink(source.shop, (await newProject(source.shop)).id);
  await signedAndMoved(`/pay/${paymentLink.publicToken}`, 5_000_000n);
  const sessions = async () =>
    (await shop.call('GET', '/api/v2/checkout-sessions')).body.data.map(
      ({ status }: { status: string }) => status,
    );
  await target.lookCloser();
  expect(await sessions()).toEqual(['open']);
  source.chain.advanceSlots(400);
  await source.follow();
  source.chain.faults.clear();
  target.service.clock.setOffsetMs(150_000);
  await target.lookCloser();
  expect(await sessions()).toEqual(['canceled']);
  await expectSound(target.service);
});

const PLACES = ['an intent', 'a link', 'a paywall'] as const;

async function placeOf(kind: (typeof PLACES)[number]): Promise<string> {
  if (kind === 'an intent') return `/intents/${(await newIntent(source.shop, 500)).id}`;
  const projectId = (await newProject(source.shop)).id;
  const { paymentLink, price } = await newLink(source.shop, projectId);
  if (kind === 'a link') return `/pay/${paymentLink.publicToken}`;
  const sold = { projectId, priceId: price.id, description: 'Report' };
  return new URL((await source.shop.call('POST', '/api/v2/x402/paywalls', sold)).body.url).pathname;
}

const WAYS = {
  x402: async (payer: Wallet, url: string) => (await x402.signOffer(source, payer, url)).headers,
  'MPP, our fee': async (payer: Wallet, url: string) => ({
    authorization: await mpp.credentialFor(source, payer, url),
  }),
  'MPP, their fee': async (payer: Wallet, url: string) => ({
    authorization: await mpp.credentialFor(source, payer, url),
  }),
} as const;
type Way = keyof typeof WAYS;

const CASES = PLACES.flatMap((place) => Object.keys(WAYS).map((way) => [place, way as Way] as const));

test.each(CASES)(
  '%s, %s: a buyer who shows it where the merchant is now never pays again',
  async (place, way) => {
    const path = `${await placeOf(place)}${way === 'MPP, their fee' ? '?fees=payer' : ''}`;
    const lamports = way === 'MPP, their fee' ? 10_000_000n : 0n;
    const payer = await createWallet(source.chain, { lamports, usdcBaseUnits: 50_000_000n });
    source.chain.advanceSlots(40);
    const headers = await WAYS[way](payer, source.service.url + path);
    const show = async (at: TestChain) => (await fetch(at.service.url + path, { headers })).status;
    keepFromNodes();
    expect(await show(source)).toBe(503);
    await close(source);
    await imported(target, await exported(source));
    expect(await show(target)).toBe(503);
    source.chain.faults.clear();
    await source.follow();
    expect(await show(target)).toBe(503);
    // Confirmed here, and not final yet.
    await target.look();
    await target.lookCloser();
    expect(await show(target)).toBe(503);
    await target.finalize();
    await target.lookCloser();
    // The receipt where the order has its own URL, or that the money has arrived.
    if (way !== 'MPP, their fee')
      expect(await show(target)).toBe(place === 'an intent' && way === 'x402' ? 200 : 409);
    await expectSound(target.service);
  },
);

test('an order whose payment lapsed while its merchant was closed ends when it is open again', async () => {
  const { paymentLink } = await newLink(source.shop, (await newProject(source.shop)).id);
  const path = `/pay/${paymentLink.publicToken}`;
  const payer = await createWallet(source.chain, { lamports: 0n, usdcBaseUnits: 5_000_000n });
  source.chain.advanceSlots(40);
  const { headers } = await x402.signOffer(source, payer, source.service.url + path);
  keepFromNodes();
  expect((await x402.sendOnce(source.service.url + path, headers)).status).toBe(503);
  const statuses = async () =>
    (await source.shop.call('GET', '/api/v2/checkout-sessions')).body.data.map(
      ({ status }: { status: string }) => status,
    );
  await close(source);
  await source.lapse();
  expect(await statuses()).toEqual(['open']);
  const { db } = source.service;
  await db.transaction((tx) => openAgain(tx, change(source.service, source.shop.id)));
  expect(await statuses()).toEqual(['canceled']);
  await expectSound(source.service);
});
