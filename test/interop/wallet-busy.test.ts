import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks } from '../support/payments.ts';
import type { Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** A wallet that buys more at once than may be under way: what is left over waits, and is not refused. */
let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 300 });
  await t.chain.mintTo(t.merchant.address, 1n);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  t.chain.advanceSlots(40);
});

async function newLink() {
  const setUp = { projectId, productName: 'Report', billingMode: 'one_time', unitAmountCents: 50 };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', setUp);
  await t.shop.call('PATCH', `/api/v2/payment-links/${body.paymentLink.id}`, { maxPayments: 1_000 });
  return { id: body.paymentLink.id, url: `${t.service.url}/pay/${body.paymentLink.publicToken}` };
}

const SIGN = {
  x402: async (wallet: Wallet, url: string) => (await x402.signOffer(t, wallet, url)).headers,
  MPP: async (wallet: Wallet, url: string) => ({ authorization: await mpp.credentialFor(t, wallet, url) }),
} satisfies Record<string, (wallet: Wallet, url: string) => Promise<Record<string, string>>>;

async function buyer(): Promise<Wallet> {
  const wallet = await x402.programWallet(t, 10_000_000n);
  t.chain.advanceSlots(2);
  return wallet;
}

/** Five payments that are not on the chain yet. */
async function keepBusy(wallet: Wallet, url: string): Promise<void> {
  t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['sendTransaction'] }] });
  for (let i = 0; i < 5; i++)
    expect((await x402.sendOnce(url, await SIGN.x402(wallet, url))).status).toBe(503);
}

async function arrive(): Promise<void> {
  t.chain.faults.clear();
  await t.service.db.query('update sponsored_transactions set next_check_at = created_at');
  await t.follow();
  await t.finalize();
  await t.follow();
}

test.each(Object.entries(SIGN))(
  '%s: the sixth at once is asked to wait, and the same payment is served then',
  async (way, sign) => {
    const { url } = await newLink();
    const wallet = await buyer();
    const headers = await sign(wallet, url);
    await keepBusy(wallet, url);
    for (let i = 0; i < 2; i++) {
      const busy = await x402.sendOnce(url, headers);
      const body = await x402.bodyOf(busy);
      expect([way, busy.status, Number(busy.headers.get('retry-after'))]).toEqual([way, 503, 2]);
      expect(body.message ?? body.detail).toMatch(/several payments under way/);
      expect([busy.headers.get('payment-required'), busy.headers.get('www-authenticate')]).toEqual([
        null,
        null,
      ]);
    }
    await arrive();
    const served = await x402.sendPayment(t, url, headers);
    expect([way, served.status]).toEqual([way, 200]);
    await t.finalize();
    await expectSoundBooks(t);
  },
);

test('what has lapsed by then gets a new offer, and keeps no place', async () => {
  const { id, url } = await newLink();
  const wallet = await buyer();
  const headers = await SIGN.x402(wallet, url);
  await keepBusy(wallet, url);
  expect((await x402.sendOnce(url, headers)).status).toBe(503);
  await arrive();
  t.chain.advanceSlots(400);
  const lapsed = await x402.sendOnce(url, headers);
  expect([lapsed.status, lapsed.headers.get('payment-required')]).toEqual([402, expect.any(String)]);
  const { body } = await t.shop.call('GET', `/api/v2/checkout-sessions?paymentLinkId=${id}`);
  const statuses = body.data.map(({ status }: { status: string }) => status).sort();
  expect(statuses).toEqual(['canceled', ...Array(5).fill('complete')]);
});

test('a seller’s server is answered 503 like any outcome that is not known yet, and settles the same later', async () => {
  const { url } = await newLink();
  const wallet = await buyer();
  const { payload } = await x402.signOffer(t, wallet, url);
  const paymentRequirements = { ...payload.accepted, extra: { ...payload.accepted.extra, projectId } };
  const settle = () =>
    t.shop.call('POST', '/x402/settle', { x402Version: 2, paymentPayload: payload, paymentRequirements });
  await keepBusy(wallet, url);
  const busy = await settle();
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '2']);
  expect(busy.body).toMatchObject({
    success: false,
    errorReason: 'invalid_transaction_state',
    errorMessage: expect.stringContaining('several payments under way'),
    transaction: '',
  });
  await arrive();
  expect((await x402.withSlots(t, settle())).body).toMatchObject({ success: true });
});
