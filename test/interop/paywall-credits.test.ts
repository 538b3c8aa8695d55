import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { call } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** Paywalls that sell credits: the unmodified clients of both protocols buy, and spend with the token of their receipt. */
let t: TestChain;
let projectId: string;
let priceId: string;
let url: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
  const settings = { usageCredits: { calls: 1 } };
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop', settings })).body.id;
  const { body: product } = await t.shop.call('POST', '/api/v2/products', { projectId, name: 'Calls' });
  const terms = { billingMode: 'balance_top_up', unitAmountCents: 100, creditAmount: 500 };
  const price = { projectId, productId: product.id, ...terms };
  priceId = (await t.shop.call('POST', '/api/v2/prices', price)).body.id;
  url = await newPaywall();
});

async function newPaywall(): Promise<string> {
  const paywall = { projectId, priceId, description: '500 calls' };
  const { body } = await t.shop.call('POST', '/api/v2/x402/paywalls', paywall);
  return `${t.service.url}/paywalls/${body.url.split('/').at(-1)}`;
}

async function newWallet(lamports?: bigint): Promise<Wallet> {
  const wallet = await createWallet(t.chain, {
    ...(lamports !== undefined && { lamports }),
    usdcBaseUnits: 100_000_000n,
  });
  t.chain.advanceSlots(40);
  return wallet;
}

/** The watcher runs beside it, as it does in a service. */
async function watched(work: Promise<Response>): Promise<Response> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await t.look();
    await Promise.race([done.catch(() => undefined), sleep(5)]);
  }
  return done;
}

const verify = async (token: string) =>
  (await t.shop.call('POST', '/api/v2/credit-tokens/verify', { token })).body;

async function use(customerId: string, quantity: number): Promise<number> {
  const record = { projectId, customerId, metric: 'calls', quantity, idempotencyKey: randomUUID() };
  return (await t.shop.call('POST', '/api/v2/usage', record)).status;
}

async function expectSpendable(response: Response, wallet: Wallet): Promise<string> {
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.stringContaining('flc_')]);
  const { creditToken, ...receipt } = JSON.parse(text);
  expect(receipt).toMatchObject({ status: 'paid', amountCents: 100, creditAmount: 500 });
  const { isValid, customer } = await verify(creditToken);
  expect([isValid, customer.externalCustomerId]).toEqual([true, `solana:${wallet.address}`]);
  // There already: a program that had to buy more would pay twice.
  expect(customer.creditBalance).toBe(500);
  expect([await use(customer.id, 499), await use(customer.id, 2), await use(customer.id, 1)]).toEqual([
    200, 402, 200,
  ]);
  return creditToken;
}

describe('bought', () => {
  test('by x402 with no SOL', async () => {
    const wallet = await newWallet(0n);
    await expectSpendable(await watched(x402.payAt(t, wallet, url, {})), wallet);
  });

  test.each([
    ['pulled, the fee paid by us', 0n, '', {}],
    ['pulled, the fee paid by the buyer', undefined, '?fees=payer', {}],
    ['pushed', undefined, '?fees=payer', { broadcast: true }],
  ] as const)('by MPP, %s', async (_name, lamports, query, options) => {
    const wallet = await newWallet(lamports);
    await expectSpendable(await watched(mpp.payAt(t, wallet, `${url}${query}`, options)), wallet);
  });

  test('twice by one wallet: the same token, the credits of both', async () => {
    const wallet = await newWallet(0n);
    const tokens: string[] = [];
    for (let i = 0; i < 2; i++) {
      const receipt = await x402.bodyOf(await watched(x402.payAt(t, wallet, url, {})));
      tokens.push(receipt.creditToken);
    }
    expect(tokens[1]).toBe(tokens[0]);
    expect((await verify(tokens[0]!)).customer.creditBalance).toBe(1_000);
  });
});

describe('the token', () => {
  test('comes again with the same payment, also when the paywall is gone', async () => {
    const wallet = await newWallet(0n);
    const own = await newPaywall();
    const { headers } = await x402.signOffer(t, wallet, own);
    const first = await x402.bodyOf(await watched(x402.sendPayment(t, own, headers)));
    const { body: page } = await t.shop.call('GET', `/api/v2/x402/paywalls?projectId=${projectId}`);
    const paywall = page.data.find((each: { url: string }) => own.endsWith(each.url.split('/').at(-1)!));
    expect((await t.shop.call('DELETE', `/api/v2/x402/paywalls/${paywall.id}`)).status).toBe(204);
    expect(await x402.bodyOf(await x402.sendOnce(own, headers))).toEqual(first);
    expect(first.creditToken).toMatch(/^flc_/);
  });

  test('is not for another wallet that knows the payment identifier', async () => {
    const [buyer, stranger] = [await newWallet(0n), await newWallet(0n)];
    const id = `order_${randomUUID()}`;
    const bought = await x402.signOffer(t, buyer, url, id);
    const first = await x402.bodyOf(await watched(x402.sendPayment(t, url, bought.headers)));
    expect(first.creditToken).toMatch(/^flc_/);
    const guessed = await x402.signOffer(t, stranger, url, id);
    const theirs = await x402.bodyOf(await watched(x402.sendPayment(t, url, guessed.headers)));
    expect(theirs).toMatchObject({ status: 'paid', payer: stranger.address });
    expect([theirs.invoiceId === first.invoiceId, theirs.creditToken === first.creditToken]).toEqual([
      false,
      false,
    ]);
  });

  test('is worth nothing once revoked, and no old payment gets the new one; the next purchase does', async () => {
    const wallet = await newWallet(0n);
    const { headers } = await x402.signOffer(t, wallet, url);
    const { creditToken } = await x402.bodyOf(await watched(x402.sendPayment(t, url, headers)));
    const credential = await mpp.credentialFor(t, wallet, url);
    const paid = await watched(mpp.present(t, url, credential));
    expect(await x402.bodyOf(paid)).toMatchObject({ creditToken });
    const { customer } = await verify(creditToken);
    const path = `/api/v2/customers/${customer.id}/credit-token`;
    expect((await t.shop.call('DELETE', path)).status).toBe(204);
    expect(await verify(creditToken)).toEqual({ isValid: false, customer: null });
    for (const answer of [await x402.sendOnce(url, headers), await mpp.present(t, url, credential)]) {
      const text = await answer.text();
      expect([answer.status, text]).toEqual([409, expect.stringContaining('was revoked')]);
      expect(text).not.toContain('flc_');
    }
    const next = await x402.signOffer(t, wallet, url);
    const bought = await x402.bodyOf(await watched(x402.sendPayment(t, url, next.headers)));
    expect(bought.creditToken).not.toBe(creditToken);
    expect((await verify(bought.creditToken)).customer.creditBalance).toBe(1_500);
    expect(await x402.bodyOf(await x402.sendOnce(url, next.headers))).toEqual(bought);
    expect((await x402.sendOnce(url, headers)).status).toBe(409);
    const { body } = await t.shop.call('GET', '/api/b2b/merchants/audit-entries?limit=1');
    expect(body.data[0]).toMatchObject({ action: 'credit_token.revoked', targetId: customer.id });
  });

  test('is not given for a payment that was sent back, nor after its buyer was deleted', async () => {
    const [wallet, deleted] = [await newWallet(0n), await newWallet(0n)];
    const { headers } = await x402.signOffer(t, wallet, url);
    const { creditToken, invoiceId } = await x402.bodyOf(await watched(x402.sendPayment(t, url, headers)));
    expect((await verify(creditToken)).isValid).toBe(true);
    await t.service.db.query('update invoices set refunded_cents = amount_paid_cents where id = $1', [
      invoiceId,
    ]);
    const refunded = await x402.sendOnce(url, headers);
    const text = await refunded.text();
    expect([refunded.status, text]).toEqual([409, expect.stringContaining('was refunded')]);
    expect(text).not.toContain('flc_');
    const other = await x402.signOffer(t, deleted, url);
    const bought = await x402.bodyOf(await watched(x402.sendPayment(t, url, other.headers)));
    const { customer } = await verify(bought.creditToken);
    const gone = await t.shop.call('DELETE', `/api/v2/customers/${customer.id}?discardBalance=true`);
    expect([gone.status, gone.text]).toEqual([202, gone.text]);
    expect(await (await x402.sendOnce(url, other.headers)).text()).not.toContain('flc_');
  });

  test('is not valid when changed, made up, or shown to another merchant', async () => {
    const wallet = await newWallet(0n);
    const { creditToken } = await x402.bodyOf(await watched(x402.payAt(t, wallet, url, {})));
    const changed = [...creditToken].map((letter, at) =>
      at < 4 ? 'x' : `${creditToken.slice(0, at)}${letter === 'B' ? 'C' : 'B'}${creditToken.slice(at + 1)}`,
    );
    for (const token of [...changed, 'flc_', creditToken.slice(0, -1), `${creditToken}A`])
      expect(await verify(token)).toEqual({ isValid: false, customer: null });
    const other = await t.service.createMerchant('Other');
    const answer = await other.call('POST', '/api/v2/credit-tokens/verify', { token: creditToken });
    expect(answer.body).toEqual({ isValid: false, customer: null });
    const stranger = await call(`${t.service.url}/api/v2/credit-tokens/verify`, 'POST', {
      token: creditToken,
    });
    expect(stranger.status).toBe(401);
  });
});

test('503, never 402, while the credits of a paid order are not there; then the receipt', async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 500 });
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  const terms = { billingMode: 'balance_top_up', unitAmountCents: 100, creditAmount: 500 };
  const setUp = { projectId, productName: 'Calls', ...terms };
  priceId = (await t.shop.call('POST', '/api/v2/payment-links/setup', setUp)).body.price.id;
  const own = await newPaywall();
  const wallet = await newWallet(0n);
  const { headers } = await x402.signOffer(t, wallet, own);
  const answers = [await x402.sendPayment(t, own, headers)];
  // Final on chain by now, and nobody has looked.
  t.chain.advanceSlots(40);
  answers.push(await x402.sendPayment(t, own, headers));
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(x402.decoded(answer, 'PAYMENT-RESPONSE')).toMatchObject({ errorReason: 'settlement_pending' });
  }
  await t.finalize();
  expect(await x402.bodyOf(await x402.sendOnce(own, headers))).toMatchObject({ creditAmount: 500 });

  const credential = await mpp.credentialFor(t, wallet, own);
  const pending = await mpp.present(t, own, credential);
  expect([pending.status, await pending.json()]).toMatchObject([503, { title: 'Settlement Pending' }]);
  await t.finalize();
  const paid = await fetch(own, { headers: { authorization: credential } });
  expect([paid.status, await paid.json()]).toMatchObject([200, { creditAmount: 500 }]);
});

test('400 when credits are to be answered before they are final', async () => {
  const paywall = { projectId, priceId, description: '500 calls', settleAt: 'confirmed' };
  const { status, body } = await t.shop.call('POST', '/api/v2/x402/paywalls', paywall);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('settleAt must be finalized')]);
});
