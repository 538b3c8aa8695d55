import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent, payIntent, readIntent } from '../support/payments.ts';
import type { Wallet } from '../support/wallet.ts';
import {
  bodyOf,
  DEVNET,
  decoded,
  JSON_ONLY,
  payAt,
  programWallet,
  sendOnce,
  sendPayment,
  signOffer,
  withSlots,
} from './x402-client.ts';

/** Programs as they are written today: the x402 packages, unmodified, with a wallet that holds no SOL. */
let t: TestChain;
let wallet: Wallet;
let projectId: string;
let priceId: string;
let link: { id: string; url: string };

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  wallet = await programWallet(t);
  t.chain.advanceSlots(40);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  const terms = { billingMode: 'one_time', unitAmountCents: 250 };
  const setUp = { projectId, productName: 'Report', ...terms };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', setUp);
  priceId = body.price.id;
  link = { id: body.paymentLink.id, url: `${t.service.url}/pay/${body.paymentLink.publicToken}` };
});

const rowsOf = async (table: string) =>
  Number((await t.service.db.query<{ n: bigint }>(`select count(*) as n from ${table}`))[0]!.n);

/** All that a payment could leave behind. */
async function traces() {
  const tables = ['payment_intents', 'checkout_sessions', 'invoices', 'customers', 'events', 'order_keys'];
  return Promise.all([...tables, 'sponsored_transactions'].map(rowsOf));
}

async function newSession(amountCents = 300) {
  const order = { projectId, mode: 'one_time', amountCents, merchantReference: randomUUID() };
  const { body } = await t.shop.call('POST', '/api/v2/checkout-sessions', order);
  return { ...body, url: `${t.service.url}/checkout/${body.checkoutUrl.split('/').at(-1)}` };
}

describe('an unmodified client with no SOL', () => {
  test('pays a payment link: one session, one invoice, one customer with its address', async () => {
    const before = await rowsOf('checkout_sessions');
    const response = await payAt(t, wallet, link.url);
    expect(response.status).toBe(200);
    const receipt = await bodyOf(response);
    expect(decoded(response, 'PAYMENT-RESPONSE')).toEqual({
      success: true,
      payer: wallet.address,
      transaction: receipt.transaction,
      network: DEVNET,
    });
    expect(await rowsOf('checkout_sessions')).toBe(before + 1);
    await t.finalize();
    const { body: session } = await t.shop.call(
      'GET',
      `/api/v2/checkout-sessions/${receipt.checkoutSessionId}`,
    );
    expect(session).toMatchObject({
      status: 'complete',
      paymentLinkId: link.id,
      externalCustomerId: `solana:${wallet.address}`,
      amountReceivedCents: 250,
    });
    const { body: customer } = await t.shop.call('GET', `/api/v2/customers/${session.customerId}`);
    expect(customer.externalCustomerId).toBe(`solana:${wallet.address}`);
    const { body: invoice } = await t.shop.call('GET', `/api/v2/invoices/${receipt.invoiceId}`);
    expect(invoice).toMatchObject({ status: 'paid', txSignature: receipt.transaction });
    const { body: intent } = await t.shop.call('GET', `/api/merchants/intents/${receipt.paymentIntentId}`);
    expect(intent).toMatchObject({ status: 'succeeded', paidVia: 'x402', payerAddress: wallet.address });
  });

  test('pays a checkout, and the customer stays who they were', async () => {
    const session = await newSession();
    const response = await payAt(t, wallet, session.url);
    expect(await bodyOf(response)).toMatchObject({ status: 'paid', invoiceId: session.invoiceId });
    await t.finalize();
    const { body } = await t.shop.call('GET', `/api/v2/checkout-sessions/${session.id}`);
    expect(body).toMatchObject({ status: 'complete', externalCustomerId: null });
  });

  test('pays a single intent', async () => {
    const intent = await newIntent(t.shop, 100);
    const response = await payAt(t, wallet, `${t.service.url}/intents/${intent.id}`);
    expect(response.status).toBe(200);
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
    const again = await fetch(`${t.service.url}/intents/${intent.id}`, JSON_ONLY);
    expect([again.status, (await bodyOf(again)).status]).toEqual([200, 'paid']);
  });

  test('pays a paywall', async () => {
    const paywall = { projectId, priceId, description: 'The report' };
    const { body, status } = await t.shop.call('POST', '/api/v2/x402/paywalls', paywall);
    expect(status).toBe(201);
    const url = `${t.service.url}/paywalls/${body.url.split('/').at(-1)}`;
    const offered = await fetch(url);
    expect(decoded(offered, 'PAYMENT-REQUIRED').resource).toEqual({
      url: body.url,
      description: 'The report',
      mimeType: 'application/json',
    });
    const response = await payAt(t, wallet, url, {});
    const receipt = await bodyOf(response);
    expect([response.status, receipt.status]).toEqual([200, 'paid']);
    await t.finalize();
    const { body: invoice } = await t.shop.call('GET', `/api/v2/invoices/${receipt.invoiceId}`);
    expect(invoice).toMatchObject({ status: 'paid', totalCents: 250 });
  });
});

describe('charged once', () => {
  test('the same PAYMENT-SIGNATURE 20 times at once, and again when it is over', async () => {
    const { headers } = await signOffer(t, wallet, link.url);
    const before = await rowsOf('invoices');
    const sent = Array.from({ length: 20 }, () => sendOnce(link.url, headers));
    const receipts = await Promise.all((await withSlots(t, Promise.all(sent))).map(bodyOf));
    expect(new Set(receipts.map(({ invoiceId }) => invoiceId)).size).toBe(1);
    expect(receipts[0].status).toBe('paid');
    await t.finalize();
    expect(await bodyOf(await sendPayment(t, link.url, headers))).toEqual(receipts[0]);
    expect(await rowsOf('invoices')).toBe(before + 1);
  });

  test('another transaction under the same payment identifier gets the first result', async () => {
    const id = `order_${randomUUID()}`;
    const first = await signOffer(t, wallet, link.url, id);
    const second = await signOffer(t, wallet, link.url, id);
    const before = await rowsOf('sponsored_transactions');
    const receipt = await bodyOf(await sendPayment(t, link.url, first.headers));
    const again = await sendPayment(t, link.url, second.headers);
    expect([again.status, await bodyOf(again)]).toEqual([200, receipt]);
    expect(await rowsOf('sponsored_transactions')).toBe(before + 1);
  });

  test('a stranger under the same payment identifier pays for themselves, and sees nobody else’s receipt', async () => {
    const id = `order_${randomUUID()}`;
    const receipt = await bodyOf(
      await sendPayment(t, link.url, (await signOffer(t, wallet, link.url, id)).headers),
    );
    const stranger = await programWallet(t);
    t.chain.advanceSlots(2);
    const { headers } = await signOffer(t, stranger, link.url, id);
    const theirs = await bodyOf(await sendPayment(t, link.url, headers));
    expect(theirs).toMatchObject({ status: 'paid', payer: stranger.address });
    expect(theirs.invoiceId).not.toBe(receipt.invoiceId);
  });

  test('a payment that is not final is not said to be paid above ten dollars', async () => {
    const intent = await newIntent(t.shop, 2_000);
    const url = `${t.service.url}/intents/${intent.id}`;
    const { headers } = await signOffer(t, wallet, url);
    await payIntent(t, intent, { amountBaseUnits: 20_000_000n });
    t.chain.advanceSlots(2);
    await t.look();
    const ask = await fetch(url, JSON_ONLY);
    expect([ask.status, (await bodyOf(ask)).status]).toEqual([503, undefined]);
    const presented = await sendOnce(url, headers);
    expect([presented.status, decoded(presented, 'PAYMENT-RESPONSE')]).toMatchObject([
      503,
      { success: false, errorReason: 'settlement_pending' },
    ]);
    await t.finalize();
    expect(await bodyOf(await fetch(url, JSON_ONLY))).toMatchObject({ status: 'paid' });
  });

  test('another transaction under the same Idempotency-Key gets the first result', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await signOffer(t, wallet, link.url);
    const second = await signOffer(t, wallet, link.url);
    const receipt = await bodyOf(await sendPayment(t, link.url, { ...first.headers, ...key }));
    const again = await sendPayment(t, link.url, { ...second.headers, ...key });
    expect(await bodyOf(again)).toEqual(receipt);
  });
});

describe('who asks', () => {
  test('a browser gets the page, a program the offer, and asking writes nothing', async () => {
    const before = await traces();
    const page = await fetch(link.url, { headers: { accept: 'text/html,application/json;q=0.9' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const offer = await fetch(link.url, JSON_ONLY);
    expect(offer.status).toBe(402);
    expect(await bodyOf(offer)).toEqual(decoded(offer, 'PAYMENT-REQUIRED'));
    for (const [accept, status] of [
      ['APPLICATION/JSON', 402],
      ['application/json; charset=utf-8;q=0.5, text/html;q=0', 402],
      ['application/json;q=0', 200],
      ['application/json; Q=0.000, */*', 200],
      ['application/json-seq', 200],
      ['Text/HTML, application/json', 200],
    ] as const)
      expect([accept, (await fetch(link.url, { headers: { accept } })).status]).toEqual([accept, status]);
    expect(await traces()).toEqual(before);
  });
});
