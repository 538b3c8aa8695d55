import { setTimeout as sleep } from 'node:timers/promises';
import { getApproveInstruction, getTransferCheckedInstruction } from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks, newIntent } from '../support/payments.ts';
import * as wallets from '../support/wallet.ts';
import { createWallet, memoInstruction, type Payment, pay, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** Owners of what a payment has bought: one order, and the wallet that signed for it. */
let t: TestChain;
let projectId: string;
let url: string;
/** Sells credits. */
let paywall: string;
let buyer: Wallet;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  buyer = await newWallet();
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  const sold = { projectId, productName: 'Report', billingMode: 'one_time', unitAmountCents: 50 };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', sold);
  url = `${t.service.url}/pay/${body.paymentLink.publicToken}`;
  const credits = { ...sold, billingMode: 'balance_top_up', creditAmount: 500 };
  const { body: topUp } = await t.shop.call('POST', '/api/v2/payment-links/setup', credits);
  const terms = { projectId, priceId: topUp.price.id, description: '500 calls' };
  const { body: made } = await t.shop.call('POST', '/api/v2/x402/paywalls', terms);
  paywall = `${t.service.url}/paywalls/${made.url.split('/').at(-1)}`;
});

const PRICE = 500_000n;

async function newWallet(): Promise<Wallet> {
  const wallet = await createWallet(t.chain, { usdcBaseUnits: 100_000_000n });
  t.chain.advanceSlots(40);
  return wallet;
}

/** One answer with every way to pay its order. */
async function newOffer(at = url) {
  const response = await fetch(at, x402.JSON_ONLY);
  const { memo } = (await x402.bodyOf(response.clone())).accepts[0].extra as { memo: string };
  return { response, memo, reference: memo.slice('florin:'.length) as Wallet['address'] };
}

async function send(payment: Partial<Payment>): Promise<string> {
  const { rpcUrl } = t.chain;
  const to = { rpcUrl, destinationOwner: t.merchant.address, amountBaseUnits: PRICE, createAccount: false };
  const signature = await pay({ from: buyer.signer, ...to, ...payment });
  t.chain.advanceSlots(2);
  return signature;
}

/** Pays an offer by x402; answers the receipt. */
async function buy({ response }: { response: Response }, at = url) {
  const { headers } = await x402.signOffered(t, buyer, response);
  const answer = await watched(x402.sendPayment(t, at, headers));
  expect(answer.status).toBe(200);
  return x402.bodyOf(answer);
}

/** The watcher runs beside it, as it does in a service: credits come with the final payment. */
async function watched<Result>(work: Promise<Result>): Promise<Result> {
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

const readIntent = async (id: string) => (await t.shop.call('GET', `/api/merchants/intents/${id}`)).body;

test('one transfer whose memos name two orders pays one of them at most', async () => {
  const [a, b] = [await newOffer(), await newOffer()];
  const both = { before: [memoInstruction(`${a.memo}/mpp`)], after: [memoInstruction(`${b.memo}/mpp`)] };
  await send({ references: [b.reference], ...both });
  const receipts = [await buy(a), await buy(b)];
  expect(receipts[0].transaction).not.toBe(receipts[1].transaction);
  await t.finalize();
  for (const { paymentIntentId } of receipts)
    expect((await readIntent(paymentIntentId)).status).toBe('succeeded');
  await expectSoundBooks(t);
});

test('what a payment was answered for stays its order’s, though it names another one that is written later', async () => {
  const [a, b] = [await newOffer(), await newOffer()];
  const signature = await send({ references: [b.reference], memo: `${a.memo}/mpp` });
  const answer = await claim(a.response, signature);
  expect(answer.status).toBe(200);
  const [first, second] = [await x402.bodyOf(answer), await buy(b)];
  expect(second.transaction).not.toBe(signature);
  await t.finalize();
  expect(await readIntent(first.paymentIntentId)).toMatchObject({
    status: 'succeeded',
    txSignature: signature,
  });
  expect((await readIntent(second.paymentIntentId)).txSignature).toBe(second.transaction);
  await expectSoundBooks(t);
});

/** Shows a signature for the challenge of an answer whose payers pay the fee. */
async function claim(response: Response, signature: string, at = url): Promise<Response> {
  const [, challenge] = mpp.challengesOf(response);
  const made = await mpp.accept(t, buyer, challenge!);
  const shown = mpp.changed(made, () => ({ payload: { type: 'signature', signature } }));
  return watched(mpp.withSlots(t, fetch(at, { headers: { authorization: shown } })));
}

test('money that names an order and belongs to another one is not taken for it: its buyer pays, and waits for nothing', async () => {
  const other = await newIntent(t.shop, 50);
  const named = await newOffer();
  const elsewhere = await send({ references: [other.reference], memo: `${named.memo}/mpp` });
  expect((await buy(named)).transaction).not.toBe(elsewhere);
  await t.finalize();
  expect(await readIntent(other.id)).toMatchObject({ status: 'succeeded', txSignature: elsewhere });

  const taken = await newOffer();
  const { payload } = await x402.signOffered(t, await newWallet(), taken.response);
  const paymentRequirements = { ...payload.accepted, extra: { ...payload.accepted.extra, projectId } };
  const settlement = { x402Version: 2, paymentPayload: payload, paymentRequirements };
  const settled = await mpp.withSlots(t, t.shop.call('POST', '/x402/settle', settlement));
  expect(settled.body.success).toBe(true);
  expect((await buy(taken)).transaction).not.toBe(settled.body.transaction);
  await t.finalize();
  await expectSoundBooks(t);
});

describe('a signature, which everybody can read on chain', () => {
  test.each(['x402', 'MPP'])(
    '409 without receipt or token for an order that was paid by %s with our fee',
    async (by) => {
      const offered = await newOffer(paywall);
      const paid = by === 'x402' ? await buy(offered, paywall) : await payFirst(offered.response, paywall);
      expect(paid.creditToken).toMatch(/^flc_/);
      const answer = await claim(offered.response, paid.transaction, paywall);
      const text = await answer.text();
      expect([answer.status, text]).toEqual([409, expect.stringContaining('Do not pay again')]);
      expect(text).not.toContain(paid.paymentIntentId);
      expect(answer.headers.get('Payment-Receipt')).toBeNull();
    },
  );

  test('is enough for a single payment, whose receipt is for everybody who knows its URL', async () => {
    const at = `${t.service.url}/intents/${(await newIntent(t.shop, 50)).id}`;
    const offered = await newOffer(at);
    const { transaction } = await buy(offered, at);
    const answer = await claim(offered.response, transaction, at);
    expect([answer.status, (await x402.bodyOf(answer)).transaction]).toEqual([200, transaction]);
  });
});

/** The challenge whose fee we pay. */
async function payFirst(response: Response, at: string) {
  const authorization = await mpp.accept(t, buyer, mpp.challengesOf(response)[0]!);
  return x402.bodyOf(await watched(mpp.present(t, at, authorization)));
}

const customerOf = async (token: string) =>
  (await t.shop.call('POST', '/api/v2/credit-tokens/verify', { token })).body.customer;

test('what several wallets paid together is an order of its own: nobody else gets its receipt or its token', async () => {
  const tokens: string[] = [];
  for (const [x, y] of [
    [buyer, await newWallet()],
    [await newWallet(), await newWallet()],
  ] as const) {
    const offered = await newOffer(paywall);
    const half = { amountBaseUnits: PRICE / 2n };
    const { rpcUrl } = t.chain;
    const to = { rpcUrl, destinationOwner: t.merchant.address, createAccount: false };
    const after = await wallets.paymentInstructions({ from: y.signer, ...to, ...half });
    const signature = await send({ from: x.signer, memo: `${offered.memo}/mpp`, after, ...half });
    const first = await x402.bodyOf(await claim(offered.response, signature, paywall));
    expect(first).toMatchObject({ status: 'paid', transaction: signature, payer: null });
    const again = await x402.bodyOf(await claim(offered.response, signature, paywall));
    expect(again).toEqual(first);
    tokens.push(first.creditToken);
    // One of the two holds the offer; so may anybody.
    const signed = await x402.signOffered(t, x, offered.response);
    const refused = await watched(x402.sendPayment(t, paywall, signed.headers));
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('Do not pay it again'),
    ]);
  }
  const customers = await Promise.all(tokens.map(customerOf));
  expect(customers.map(({ creditBalance }) => creditBalance)).toEqual([500, 500]);
  expect(new Set(customers.map(({ id }) => id)).size).toBe(2);
});

test('a delegate who pays from another’s account is the buyer, and gets no token of the owner', async () => {
  const { rpcUrl } = t.chain;
  const owned = await buy(await newOffer(paywall), paywall);
  const delegate = await newWallet();
  const source = buyer.usdcAccount;
  const approve = getApproveInstruction({
    ...{ source, delegate: delegate.address, owner: buyer.signer, amount: PRICE },
  });
  await wallets.send({ rpcUrl, payer: buyer.signer, instructions: [approve] });
  t.chain.advanceSlots(2);
  const offered = await newOffer(paywall);
  const transfer = getTransferCheckedInstruction({
    ...{ source, mint: wallets.usdcMint, authority: delegate.signer, amount: PRICE, decimals: 6 },
    destination: await wallets.tokenAccountOf(t.merchant.address),
  });
  const instructions = [memoInstruction(`${offered.memo}/mpp`), transfer];
  const signature = await wallets.send({ rpcUrl, payer: delegate.signer, instructions });
  t.chain.advanceSlots(2);
  const receipt = await x402.bodyOf(await claim(offered.response, signature, paywall));
  expect(receipt).toMatchObject({ transaction: signature, payer: delegate.address });
  expect(await x402.bodyOf(await claim(offered.response, signature, paywall))).toEqual(receipt);
  expect((await customerOf(receipt.creditToken)).externalCustomerId).toBe(`solana:${delegate.address}`);
  expect((await customerOf(owned.creditToken)).externalCustomerId).toBe(`solana:${buyer.address}`);
});
