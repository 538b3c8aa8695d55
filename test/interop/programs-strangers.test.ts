import { generateKeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { type LyingNode, newSignature, startLyingNode } from '../support/lying-node.ts';
import { sendFrom } from '../support/payments.ts';
import type { TestMerchant } from '../support/service.ts';
import { memoInstruction, paymentInstructions, tokenAccountOf, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** Programs that hand in what is worth nothing use up what is theirs. */
const ENV = { RATE_LIMIT_PUBLIC_PER_SECOND: '1000', RATE_LIMIT_KEY_PER_SECOND: '0', TRUST_PROXY: 'true' };
const STRANGER = { 'x-forwarded-for': '203.0.113.1' };
const CUSTOMER = { 'x-forwarded-for': '198.51.100.7' };
/** More than one client may hand in at once, and fewer than it could before the money was looked at. */
const MANY = 80;

let t: TestChain;
/** Tells the truth, and what it was asked. */
let node: LyingNode;
let link: string;

async function newLink(shop: TestMerchant): Promise<string> {
  const projectId = (await shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  const terms = { billingMode: 'one_time', unitAmountCents: 250, productName: 'Report' };
  const { body } = await shop.call('POST', '/api/v2/payment-links/setup', { projectId, ...terms });
  return `${t.service.url}/pay/${body.paymentLink.publicToken}`;
}

beforeEach(async () => {
  const nodesOf = async (rpcUrl: string) => {
    node = await startLyingNode(rpcUrl);
    return [node.url];
  };
  t = await testChain(ENV, nodesOf, undefined, { settleWaitMs: 5_000 });
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
  link = await newLink(t.shop);
});

const asked = (method: string) => node.asked.filter((each) => each === method).length;

const countOf = (answers: readonly Response[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

async function worthless(offered?: Response): Promise<Record<string, string>> {
  const signer = await generateKeyPairSigner();
  const wallet: Wallet = {
    signer,
    address: signer.address,
    usdcAccount: await tokenAccountOf(signer.address),
  };
  const { headers } = offered
    ? await x402.signOffered(t, wallet, offered)
    : await x402.signOffer(t, wallet, link);
  return headers;
}

async function expectPays(url: string): Promise<void> {
  const wallet = await x402.programWallet(t);
  t.chain.advanceSlots(3);
  const { headers } = await x402.signOffer(t, wallet, url);
  const paid = await x402.sendPayment(t, url, { ...headers, ...CUSTOMER });
  expect([paid.status, (await x402.bodyOf(paid)).status]).toEqual([200, 'paid']);
}

describe('one client without money', () => {
  test('x402: beyond 40 payments 429, and no node is asked; others pay, here and at another merchant', async () => {
    const payments = await Promise.all(Array.from({ length: MANY }, () => worthless()));
    const answers = await Promise.all(
      payments.map((headers) => x402.sendOnce(link, { ...headers, ...STRANGER })),
    );
    expect(countOf(answers, 429)).toBeGreaterThan(0);
    expect(countOf(answers, 402)).toBe(MANY - countOf(answers, 429));
    expect(asked('simulateTransaction')).toBe(countOf(answers, 402));
    await expectPays(link);
    const other = await t.service.createMerchant('Other', t.customer.address);
    await expectPays(await newLink(other));
  });

  test('MPP: the same for signatures that nobody has seen', async () => {
    const sound = await mpp.credentialFor(t, t.customer, `${link}?fees=payer`);
    const { challenge } = JSON.parse(Buffer.from(sound.split(' ')[1]!, 'base64url').toString());
    const answers = await Promise.all(
      Array.from({ length: MANY }, () => {
        const payload = { type: 'signature', signature: newSignature() };
        const token = Buffer.from(JSON.stringify({ challenge, payload })).toString('base64url');
        return fetch(link, { headers: { authorization: `Payment ${token}`, ...STRANGER } });
      }),
    );
    expect(countOf(answers, 429)).toBeGreaterThan(0);
    expect(countOf(answers, 503)).toBe(MANY - countOf(answers, 429));
    await expectPays(link);
  });
});

test('transactions that name an order and pay nothing are read once each, a few at a time', async () => {
  const offered = await fetch(link, x402.JSON_ONLY);
  const { accepts } = x402.decoded(offered, 'PAYMENT-REQUIRED');
  const [{ payTo, extra }] = accepts;
  const dust = { rpcUrl: t.chain.rpcUrl, from: t.customer.signer, amountBaseUnits: 0n };
  for (let i = 0; i < 50; i++)
    await sendFrom(
      t,
      ...(await paymentInstructions({ ...dust, destinationOwner: payTo })),
      memoInstruction(extra.memo),
      memoInstruction(`${i}`),
    );
  t.chain.advanceSlots(3);
  const attempt = async () => {
    const before = asked('getTransaction');
    const { status } = await x402.sendOnce(link, { ...(await worthless(offered)), ...STRANGER });
    return { status, read: asked('getTransaction') - before };
  };
  expect([await attempt(), await attempt(), await attempt(), await attempt()]).toEqual([
    { status: 503, read: 20 },
    { status: 503, read: 20 },
    { status: 402, read: 10 },
    { status: 402, read: 0 },
  ]);
  // Somebody else buys as before.
  await expectPays(link);
});
