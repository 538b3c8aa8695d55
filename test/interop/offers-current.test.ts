import { beforeEach, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { newAddress, type TestService, testService } from '../support/service.ts';
import type { Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** Offers follow the seller's changes immediately, in every process on the same database. */
let t: TestChain;
let other: TestService;
let wallet: Wallet;
let projectId: string;
let priceId: string;
let productId: string;
let linkId: string;
let paths: { link: string; paywall: string };

beforeEach(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  const env = { SOLANA_RPC_URLS: t.chain.rpcUrl, RATE_LIMIT_PUBLIC_PER_SECOND: '0' };
  const { db } = t.service;
  other = await testService(env, db, undefined, undefined, { sponsor: t.sponsor });
  await t.chain.mintTo(t.merchant.address, 1n);
  wallet = await x402.programWallet(t);
  t.chain.advanceSlots(40);
  const seller = { legalName: 'Muster GmbH', country: 'DE' };
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop', seller })).body.id;
  await newDefaultRate(10);
  const terms = { billingMode: 'one_time', unitAmountCents: 200, taxBehavior: 'exclusive' };
  const product = await t.shop.call('POST', '/api/v2/products', { projectId, name: 'Report' });
  productId = product.body.id;
  const price = await t.shop.call('POST', '/api/v2/prices', { projectId, productId, ...terms });
  priceId = price.body.id;
  const link = await t.shop.call('POST', '/api/v2/payment-links', { projectId, priceId });
  linkId = link.body.id;
  const sold = { projectId, priceId, description: 'The report' };
  const paywall = await t.shop.call('POST', '/api/v2/x402/paywalls', sold);
  paths = { link: `/pay/${link.body.publicToken}`, paywall: new URL(paywall.body.url).pathname };
});

async function newDefaultRate(percent: number): Promise<void> {
  const rate = { projectId, name: 'VAT', percent, country: 'DE', isDefault: true };
  expect((await t.shop.call('POST', '/api/v2/tax-rates', rate)).status).toBe(201);
}

async function patch(path: string, body: object): Promise<void> {
  expect((await t.shop.call('PATCH', path, body)).status).toBe(200);
}

async function newPayoutAddress(path: string): Promise<string> {
  const payoutAddress = newAddress();
  await t.chain.mintTo(payoutAddress as never, 1n);
  t.chain.advanceSlots(40);
  await patch(path, { payoutAddress });
  return payoutAddress;
}

interface Offered {
  status: number;
  payTo?: string;
  amount?: string;
}

/** Reads the offer of both protocols, which must be the same. */
async function offerOf(url: string): Promise<Offered> {
  const answer = await fetch(url, x402.JSON_ONLY);
  const { status } = answer;
  if (status !== 402) return { status };
  const { payTo, amount } = x402.decoded(answer, 'PAYMENT-REQUIRED').accepts[0];
  for (const { request } of mpp.challengesOf(answer))
    expect([request.recipient, request.amount]).toEqual([payTo, amount]);
  return { status, payTo, amount };
}

async function expectOffers(expected: Offered): Promise<void> {
  for (const { url } of [t.service, other])
    for (const path of Object.values(paths)) expect(await offerOf(url + path)).toEqual(expected);
}

const CHANGES: Record<string, () => Promise<Offered>> = {
  'the merchant’s payout address': async () => {
    const payTo = await newPayoutAddress('/api/b2b/merchants/payout-address');
    return { status: 402, payTo, amount: '2200000' };
  },
  'the project’s payout address': async () => {
    const payTo = await newPayoutAddress(`/api/v2/projects/${projectId}`);
    return { status: 402, payTo, amount: '2200000' };
  },
  'the tax rate': async () => {
    await newDefaultRate(20);
    return { status: 402, payTo: t.merchant.address, amount: '2400000' };
  },
  'a price that is switched off': async () => {
    await patch(`/api/v2/prices/${priceId}`, { isActive: false });
    return { status: 410 };
  },
  'a product that is switched off': async () => {
    await patch(`/api/v2/products/${productId}`, { isActive: false });
    return { status: 410 };
  },
};

describe.each(Object.entries(CHANGES))('%s', (_name, change) => {
  test('is in the next offer of every process', async () => {
    await expectOffers({ status: 402, payTo: t.merchant.address, amount: '2200000' });
    await expectOffers(await change());
  });

  test('a payment of the old offer is refused with the new one, by either protocol', async () => {
    const signed = [];
    for (const path of Object.values(paths)) {
      const url = t.service.url + path;
      const authorization = await mpp.credentialFor(t, wallet, url);
      signed.push({ url, headers: (await x402.signOffer(t, wallet, url)).headers });
      signed.push({ url, headers: { authorization } });
    }
    const now = await change();
    for (const { url, headers } of signed) {
      const answer = await x402.sendOnce(url, headers);
      expect(answer.status).toBe(now.status);
      if (now.status !== 402) continue;
      expect(x402.decoded(answer, 'PAYMENT-REQUIRED').accepts[0]).toMatchObject({
        payTo: now.payTo,
        amount: now.amount,
      });
    }
  });
});

test('a link that is switched off in one process and a paywall that is deleted there are off in the others', async () => {
  await expectOffers({ status: 402, payTo: t.merchant.address, amount: '2200000' });
  await patch(`/api/v2/payment-links/${linkId}`, { status: 'inactive' });
  const { body } = await t.shop.call('GET', '/api/v2/x402/paywalls');
  await t.shop.call('DELETE', `/api/v2/x402/paywalls/${body.data[0].id}`);
  for (const { url } of [t.service, other]) {
    expect(await offerOf(url + paths.link)).toEqual({ status: 410 });
    expect(await offerOf(url + paths.paywall)).toEqual({ status: 404 });
  }
});
