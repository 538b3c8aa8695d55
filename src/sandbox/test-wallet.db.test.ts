import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../../test/support/chain.ts';
import { paidIntent } from '../../test/support/refunds.ts';

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

let orders = 0;

async function newIntent(amountCents: number): Promise<string> {
  const order = { amountCents, orderId: `wallets ${orders++}` };
  return (await t.shop.call('POST', '/api/merchants/intents', order)).body.id;
}

const pay = (paymentIntentId: string, more: object = {}) =>
  t.shop.call('POST', '/api/v2/sandbox/payments', { paymentIntentId, ...more });
const read = async (id: string) => (await t.shop.call('GET', `/api/merchants/intents/${id}`)).body;
const refundOf = async (paymentIntentId: string, more: object) =>
  (await t.shop.call('POST', '/api/v2/refunds', { paymentIntentId, reason: 'duplicate', ...more })).body;
const sendRefund = (id: string, body: object = {}) =>
  t.shop.call('POST', `/api/v2/sandbox/refunds/${id}/pay`, body);
const readRefund = async (id: string) => (await t.shop.call('GET', `/api/v2/refunds/${id}`)).body;

test('a refund to the wallet that paid arrives there: the merchant signs with another one', async () => {
  const paymentIntentId = await newIntent(700);
  await pay(paymentIntentId);
  await t.finalize();
  const { payerAddress } = await read(paymentIntentId);
  const refund = await refundOf(paymentIntentId, { address: payerAddress });
  expect((await sendRefund(refund.id)).status).toBe(202);
  await t.finalize();
  expect(await readRefund(refund.id)).toMatchObject({ status: 'succeeded', address: payerAddress });
});

test('a refund in two parts, and more than was due, arrive at the wallet that paid', async () => {
  const paymentIntentId = await newIntent(900);
  await pay(paymentIntentId);
  await t.finalize();
  const { payerAddress } = await read(paymentIntentId);
  const refund = await refundOf(paymentIntentId, { address: payerAddress });
  for (const amountCents of [400, 500]) {
    await sendRefund(refund.id, { amountCents });
    await t.finalize();
  }
  expect(await readRefund(refund.id)).toMatchObject({ status: 'succeeded', amountSentCents: 900 });
});

test('the same payment asked for twice within one slot is two payments', async () => {
  const paymentIntentId = await newIntent(300);
  const [first, second] = [await pay(paymentIntentId), await pay(paymentIntentId)];
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(second.body.signature).not.toBe(first.body.signature);
  await t.finalize();
  expect(await read(paymentIntentId)).toMatchObject({ status: 'succeeded' });
});

test('the same part of a refund sent twice within one slot is sent twice', async () => {
  const { id, payerAddress } = await read((await paidIntent(t)).id);
  const refund = await refundOf(id, { address: payerAddress });
  const sent = [
    await sendRefund(refund.id, { amountCents: 40 }),
    await sendRefund(refund.id, { amountCents: 40 }),
  ];
  expect(sent.map(({ status }) => status)).toEqual([202, 202]);
  expect(sent[1]!.body.signature).not.toBe(sent[0]!.body.signature);
  await t.finalize();
  expect(await readRefund(refund.id)).toMatchObject({ amountSentCents: 80 });
});
