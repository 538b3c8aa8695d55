import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent } from '../support/payments.ts';
import { newAddress } from '../support/service.ts';
import type { Wallet } from '../support/wallet.ts';
import { credentialFor } from './mpp-client.ts';
import {
  bodyOf,
  decoded,
  JSON_ONLY,
  programWallet,
  sendOnce,
  sendPayment,
  signOffer,
} from './x402-client.ts';

/** Payments that are forged, stale, changed, oversized or meant for something else: nothing is signed, nothing is written. */
let t: TestChain;
let wallet: Wallet;
let projectId: string;
let url: string;
let otherUrl: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  wallet = await programWallet(t);
  t.chain.advanceSlots(40);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  [url, otherUrl] = [await newLink(), await newLink()];
});

async function newLink(more: object = {}): Promise<string> {
  const terms = { billingMode: 'one_time', unitAmountCents: 250, ...more };
  const setUp = { projectId, productName: 'Report', ...terms };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', setUp);
  return `${t.service.url}/pay/${body.paymentLink.publicToken}`;
}

async function traces() {
  const tables = ['payment_intents', 'checkout_sessions', 'invoices', 'customers', 'events', 'order_keys'];
  const counted = [...tables, 'sponsored_transactions'].map(
    (table) => `(select count(*) from ${table}) as ${table}`,
  );
  return (await t.service.db.query(`select ${counted.join(', ')}`))[0];
}

type Payload = Awaited<ReturnType<typeof signOffer>>['payload'];

const headerOf = (payload: unknown) => ({
  'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payload)).toString('base64'),
});

/** Returns the answer to a payload that was changed after it was signed. */
async function answerTo(change: (payload: Payload) => unknown, at = url) {
  const before = await traces();
  const { payload } = await signOffer(t, wallet, url);
  const response = await sendOnce(at, headerOf(change(payload)));
  const { error } = await bodyOf(response);
  expect(await traces()).toEqual(before);
  return [response.status, error];
}

const accepting = (more: object) => (payload: Payload) => ({
  ...payload,
  accepted: { ...payload.accepted, ...more },
});

const withExtra = (more: object) => (payload: Payload) => ({
  ...payload,
  accepted: { ...payload.accepted, extra: { ...payload.accepted.extra, ...more } },
});

test('402 invalid_payment_requirements when anything of the offer was changed', async () => {
  const refused = [402, 'invalid_payment_requirements'];
  for (const more of [
    { amount: '10000' },
    { payTo: newAddress() },
    { asset: newAddress() },
    { maxTimeoutSeconds: 9e9 },
  ])
    expect([more, await answerTo(accepting(more))]).toEqual([more, refused]);
  for (const more of [
    { feePayer: newAddress() },
    { memo: `florin:${newAddress()}` },
    { memo: 'x' },
    { offer: 'a.b.c' },
    { offer: 1 },
  ])
    expect([more, await answerTo(withExtra(more))]).toEqual([more, refused]);
  expect(await answerTo((payload) => payload, otherUrl)).toEqual(refused);
});

test('402 with the code of another scheme, network or amount paid', async () => {
  expect(await answerTo(accepting({ scheme: 'upto' }))).toEqual([402, 'unsupported_scheme']);
  expect(await answerTo(accepting({ network: 'eip155:8453' }))).toEqual([402, 'invalid_network']);
  const { payload: other } = await signOffer(t, wallet, await newLink({ unitAmountCents: 10 }));
  const swapped = await answerTo((payload) => ({ ...payload, payload: other.payload }));
  expect(swapped).toEqual([402, 'invalid_exact_svm_payload_amount_mismatch']);
  const { payload: twin } = await signOffer(t, wallet, otherUrl);
  const twinned = await answerTo((payload) => ({ ...payload, payload: twin.payload }));
  expect(twinned).toEqual([402, 'invalid_exact_svm_payload_memo_mismatch']);
});

test('400 for what is no payment at all', async () => {
  const before = await traces();
  expect(await answerTo((payload) => ({ ...payload, x402Version: 1 }))).toEqual([
    400,
    'invalid_x402_version',
  ]);
  for (const payload of [
    null,
    [],
    'x',
    {},
    { x402Version: 2 },
    { x402Version: 2, accepted: {}, payload: {} },
  ]) {
    const response = await sendOnce(url, headerOf(payload));
    expect([payload, response.status]).toEqual([payload, 400]);
  }
  for (const header of ['%', 'AAAA', 'x'.repeat(13_000)]) {
    const response = await sendOnce(url, { 'PAYMENT-SIGNATURE': header });
    expect([header.length, response.status, (await bodyOf(response)).error]).toEqual([
      header.length,
      400,
      'invalid_payload',
    ]);
  }
  const badId = { 'payment-identifier': { info: { required: false, id: 'short' } } };
  expect(await answerTo((payload) => ({ ...payload, extensions: badId }))).toEqual([400, 'invalid_payload']);
  const large = (payload: Payload) => ({ ...payload, payload: { transaction: 'A'.repeat(4_000) } });
  expect(await answerTo(large)).toEqual([400, 'invalid_payload']);
  expect(await traces()).toEqual(before);
});

test('402 when the offer is too old, and a wallet without money', async () => {
  const stale = await signOffer(t, wallet, url);
  t.service.clock.setOffsetMs(301_000);
  const before = await traces();
  const response = await sendOnce(url, stale.headers);
  expect([response.status, (await bodyOf(response)).error]).toEqual([402, 'invalid_payment_requirements']);
  const poor = await signOffer(t, await programWallet(t, 1n), url);
  t.chain.advanceSlots(3);
  const refused = await sendOnce(url, poor.headers);
  expect([refused.status, (await bodyOf(refused)).error]).toEqual([
    402,
    'invalid_exact_svm_transaction_simulation_failed',
  ]);
  expect(decoded(refused, 'PAYMENT-RESPONSE')).toMatchObject({ success: false, transaction: '' });
  expect(await traces()).toEqual(before);
});

test('a link that ended answers the receipt of what it has sold, and sells nothing more', async () => {
  const once = await newLink();
  const { body } = await t.shop.call('GET', '/api/v2/payment-links?limit=1');
  await t.shop.call('PATCH', `/api/v2/payment-links/${body.data[0].id}`, { maxPayments: 1 });
  const [first, second] = [await signOffer(t, wallet, once), await signOffer(t, wallet, once)];
  const paid = await sendPayment(t, once, first.headers);
  const receipt = await bodyOf(paid);
  expect([paid.status, receipt.status]).toEqual([200, 'paid']);
  await t.finalize();
  await t.shop.call('PATCH', `/api/v2/payment-links/${body.data[0].id}`, { name: 'over' });
  expect(await bodyOf(await sendPayment(t, once, first.headers))).toEqual(receipt);
  expect((await sendOnce(once, second.headers)).status).toBe(410);
});

test('a paywall that was deleted a moment ago sells nothing, though its offer is still remembered', async () => {
  const { body: links } = await t.shop.call('GET', '/api/v2/payment-links?limit=1');
  const { projectId, priceId } = links.data[0];
  const terms = { projectId, priceId, description: 'Report' };
  const { body: paywall } = await t.shop.call('POST', '/api/v2/x402/paywalls', terms);
  const at = `${t.service.url}/paywalls/${paywall.url.split('/').at(-1)}`;
  const [x402, mpp] = [await signOffer(t, wallet, at), await credentialFor(t, wallet, at)];
  expect((await fetch(at, JSON_ONLY)).status).toBe(402);
  const before = await traces();
  expect((await t.shop.call('DELETE', `/api/v2/x402/paywalls/${paywall.id}`)).status).toBe(204);
  const answers = [await sendOnce(at, x402.headers), await fetch(at, { headers: { authorization: mpp } })];
  // 404 once it has been read again.
  for (const { status } of answers) expect([404, 410]).toContain(status);
  expect(await traces()).toEqual(before);
});

test('409 with the reason where nobody could pay; no offer of ours where fees are not paid', async () => {
  const merchant = await t.service.createMerchant('New');
  const { body: intent } = await merchant.call('POST', '/api/merchants/intents', {
    amountCents: 5,
    orderId: randomUUID(),
  });
  const response = await fetch(`${t.service.url}/intents/${intent.id}`, JSON_ONLY);
  expect([response.status, (await bodyOf(response)).error.message]).toEqual([
    409,
    expect.stringContaining('token account'),
  ]);
  await t.shop.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'never' });
  const own = await newIntent(t.shop);
  const off = await fetch(`${t.service.url}/intents/${own.id}`, JSON_ONLY);
  expect([off.status, off.headers.get('payment-required')], 'only MPP, which needs no fee payer').toEqual([
    402,
    null,
  ]);
  expect(off.headers.get('www-authenticate')).toMatch(/^Payment /);
});
