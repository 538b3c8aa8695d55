import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks, signed } from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';

/** An order is not canceled while a payment that we have signed can still land: its money would belong to nothing. */
let t: TestChain;
let payer: Wallet;
let projectId: string;

beforeAll(async () => {
  // A wallet asks again until the service has a newer blockhash, as often as that takes.
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  payer = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 10n ** 12n });
  t.chain.advanceSlots(40);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
});

interface Order {
  intentId: string;
  cancelPath: string;
}

const KINDS: [string, () => Promise<Order>][] = [
  [
    'an intent',
    async () => {
      const order = { amountCents: 100, orderId: randomUUID() };
      const { body } = await t.shop.call('POST', '/api/merchants/intents', order);
      return { intentId: body.id, cancelPath: `/api/merchants/intents/${body.id}/cancel` };
    },
  ],
  [
    'a checkout session',
    async () => {
      const order = { projectId, mode: 'one_time', amountCents: 100 };
      const { body } = await t.shop.call('POST', '/api/v2/checkout-sessions', order);
      const cancelPath = `/api/v2/checkout-sessions/${body.id}/cancel`;
      return { intentId: body.paymentIntentId, cancelPath };
    },
  ],
];

async function paySponsored({ intentId }: Order): Promise<void> {
  const path = `${t.service.url}/api/public/intents/${intentId}`;
  let lapsed: string | undefined;
  for (;;) {
    const { body } = await call(`${path}/transaction`, 'POST', { account: payer.address });
    expect(body.isSponsored).toBe(true);
    // The service has not asked for a newer blockhash yet; an intent can be sent to a few times only.
    if (body.transaction === lapsed) continue;
    const transaction = await signed(body.transaction, payer.signer);
    const answer = await call(`${path}/send`, 'POST', { transaction });
    if (answer.status === 202) return;
    // The blockhash that the service remembered is older than the chain by now.
    expect(answer.body.error.message).toContain('lapsed; ask for a new one');
    lapsed = body.transaction;
  }
}

async function cancel({ cancelPath }: Order): Promise<[number, string | undefined]> {
  const { status, body } = await t.shop.call('POST', cancelPath);
  return [status, body.error?.message];
}

const statusOf = async ({ intentId }: Order) =>
  (await t.shop.call('GET', `/api/merchants/intents/${intentId}`)).body.status;

const IN_PROGRESS = [409, expect.stringContaining('is in progress')];

async function expectNoExceptions(): Promise<void> {
  // All but what opened the merchant's account.
  const money = 'select kind from payment_exceptions where base_units > 1';
  expect(await t.service.db.query(money)).toEqual([]);
  await expectSoundBooks(t);
}

describe.each(KINDS)('%s', (_kind, newOrder) => {
  test('409 from the moment it is signed until it is booked, then it is paid', async () => {
    const order = await newOrder();
    await paySponsored(order);
    expect(await cancel(order)).toEqual(IN_PROGRESS);
    t.chain.advanceSlots(3);
    expect(await cancel(order)).toEqual(IN_PROGRESS);
    // Final, and the worker knows it before the watcher has read it.
    t.chain.advanceSlots(40);
    await t.follow();
    expect(await cancel(order)).toEqual(IN_PROGRESS);
    await t.finalize();
    expect([await statusOf(order), (await cancel(order))[0]]).toEqual(['succeeded', 409]);
    await expectNoExceptions();
  });

  test('once it has lapsed the order can be canceled, and is', async () => {
    const order = await newOrder();
    await paySponsored(order);
    await t.follow();
    expect(t.chain.rollBack(1)).toHaveLength(1);
    expect(await cancel(order)).toEqual(IN_PROGRESS);
    await t.lapse();
    expect((await cancel(order))[0]).toBe(200);
    expect(await statusOf(order)).toBe('canceled');
    await t.finalize();
    await expectNoExceptions();
  });
});
