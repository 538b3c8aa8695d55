import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent } from '../support/payments.ts';
import {
  askRefund,
  newRefund,
  paidIntent,
  readRefund,
  sendRefund,
  signPrepared,
} from '../support/refunds.ts';
import { newAddress } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';

/** Cost of finding refunds on the chain: an operator pays a node's provider for calls. */
let t: TestChain;
/** A wallet of the merchant's that nobody watches: nothing but the references lead to what it sends. */
let treasury: Wallet;

beforeAll(async () => {
  t = await testChain({}, undefined, 60_000);
  treasury = await createWallet(t.chain, { usdcBaseUnits: 10n ** 12n });
});

/** Returns the calls of one lookup to the node. */
async function callsOfLook(): Promise<Record<string, number>> {
  t.calls.length = 0;
  await t.look();
  return Object.fromEntries(
    Object.entries(Object.groupBy(t.calls, (method) => method)).map(([method, calls]) => [
      method,
      calls!.length,
    ]),
  );
}

async function readyRefunds(count: number): Promise<string[]> {
  const { address } = await createWallet(t.chain, { usdcBaseUnits: 1n });
  const ids: string[] = [];
  for (let i = 0; i < count; i++)
    ids.push((await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address })).id);
  return ids;
}

const statusesOf = async (ids: readonly string[]) =>
  new Set(await Promise.all(ids.map(async (id) => (await readRefund(t, { id })).status)));

test('a transaction that sends ten refunds is read once when it is confirmed, and once when it is final', async () => {
  const ids = await readyRefunds(10);
  await t.look();
  const quiet = await callsOfLook();
  const prepare = { ids, payer: treasury.address };
  const { body: prepared } = await t.shop.call('POST', '/api/v2/refunds/prepare', prepare);
  const transaction = await signPrepared(prepared.transaction, treasury);
  expect((await t.shop.call('POST', '/api/v2/refunds/send', { transaction })).status).toBe(202);

  t.chain.advanceSlots(3);
  const confirmed = await callsOfLook();
  expect(await statusesOf(ids)).toEqual(new Set(['processing']));
  expect(confirmed.getTransaction).toBe(1);

  // Only its finality is unknown now: one question for all of them.
  const waiting = await callsOfLook();
  expect(waiting.getTransaction).toBeUndefined();
  expect(waiting.getSignatureStatuses).toBe(1);
  expect(waiting.getSignaturesForAddress).toBe(quiet.getSignaturesForAddress! - ids.length);

  t.chain.advanceSlots(40);
  const final = await callsOfLook();
  expect(await statusesOf(ids)).toEqual(new Set(['succeeded']));
  expect(final.getTransaction).toBe(1);

  const later = await callsOfLook();
  expect([later.getTransaction, later.getSignatureStatuses]).toEqual([undefined, undefined]);
});

const secondsUntilCheck = async (id: string) => {
  const [row] = await t.service.db.query<{ at: Date }>('select check_at as at from refunds where id = $1', [
    id,
  ]);
  return (row!.at.getTime() - t.service.clock.now().getTime()) / 1000;
};

test('one that is over is looked at rarely; money that comes all the same is followed closely, and so is one that is read', async () => {
  const refund = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: newAddress() });
  await t.shop.call('POST', `/api/v2/refunds/${refund.id}/cancel`);
  await t.look();
  expect(await secondsUntilCheck(refund.id)).toBeGreaterThan(60);
  await readRefund(t, refund);
  expect(await secondsUntilCheck(refund.id)).toBeLessThanOrEqual(0);

  await sendRefund(t, refund);
  t.chain.advanceSlots(3);
  await t.look();
  expect(await readRefund(t, refund)).toMatchObject({ status: 'canceled', amountSentCents: 0 });
  expect(await secondsUntilCheck(refund.id)).toBeLessThanOrEqual(1);
  expect((await callsOfLook()).getTransaction).toBeUndefined();
  await t.finalize();
  expect(await readRefund(t, refund)).toMatchObject({ status: 'succeeded', amountSentCents: 100 });
  expect(await secondsUntilCheck(refund.id)).toBeGreaterThan(60);
});

test('409 that says so where nothing was paid, where nothing is left, and 400 for more than is left', async () => {
  const messageOf = async (fields: object) => {
    const { status, body } = await askRefund(t, { ...fields, address: newAddress() });
    return [status, body.error.message];
  };
  const unpaid = await newIntent(t.shop);
  expect(await messageOf({ paymentIntentId: unpaid.id })).toEqual([
    409,
    'Nothing has been paid yet, so there is nothing to refund.',
  ]);
  const paymentIntentId = (await paidIntent(t)).id;
  expect(await messageOf({ paymentIntentId, amountCents: 101 })).toEqual([
    400,
    'amountCents must be at most 100: that is what is left to refund.',
  ]);
  await newRefund(t, { paymentIntentId });
  expect(await messageOf({ paymentIntentId })).toEqual([409, 'Nothing is left to refund.']);
});

test('400 for an address that is the reference of a payment or a refund: nobody has its key', async () => {
  const intent = await paidIntent(t);
  const { id, referenceAddress } = await newRefund(t, { paymentIntentId: intent.id });
  for (const address of [referenceAddress, intent.reference]) {
    const approved = await t.shop.call('POST', `/api/v2/refunds/${id}/approve-address`, { address });
    expect([approved.status, approved.body.error.message]).toEqual([
      400,
      'address is the reference of a payment or a refund, not a wallet; nobody has its key',
    ]);
    expect((await askRefund(t, { paymentIntentId: intent.id, address })).status).toBe(400);
  }
  expect((await readRefund(t, { id })).address).toBeNull();
});
