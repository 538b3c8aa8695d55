import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { closeMerchant } from '../../src/accounts/merchants/close-merchant.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { change } from '../support/moving.ts';
import { expectSoundBooks } from '../support/payments.ts';
import type { TestMerchant } from '../support/service.ts';
import { createWallet } from '../support/wallet.ts';
import * as x402 from './x402-client.ts';

/** Sponsored payments of several merchants that lapse in the same run. */
let t: TestChain;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 100 });
  await t.chain.mintTo(t.merchant.address, 1n);
});

beforeEach(() => t.chain.faults.clear());

async function newShop(): Promise<TestMerchant> {
  const wallet = await createWallet(t.chain, { usdcBaseUnits: 1n });
  return t.service.createMerchant('Other', wallet.address);
}

/** A link with one place, which a program has signed for; its payment reaches no node, and lapses. */
async function takenPlace(shop: TestMerchant) {
  const { body: project } = await shop.call('POST', '/api/v2/projects', { name: 'Shop' });
  const setUp = { projectId: project.id, productName: 'Seat', billingMode: 'one_time', unitAmountCents: 50 };
  const { body } = await shop.call('POST', '/api/v2/payment-links/setup', setUp);
  const { id, publicToken } = body.paymentLink;
  await shop.call('PATCH', `/api/v2/payment-links/${id}`, { maxPayments: 1 });
  const url = `${t.service.url}/pay/${publicToken}`;
  const wallet = await createWallet(t.chain, { usdcBaseUnits: 500_000n });
  t.chain.advanceSlots(40);
  const { headers } = await x402.signOffer(t, wallet, url);
  t.chain.faults.set({ rules: [{ kind: 'httpError', status: 502, methods: ['sendTransaction'] }] });
  expect((await x402.sendOnce(url, headers)).status).toBe(503);
  t.chain.faults.clear();
  return { session: () => sessionOf(shop, id) };
}

async function sessionOf({ id: merchantId }: TestMerchant, linkId: string) {
  const [row] = await t.service.db.query<{ id: string; intentId: string; status: string }>(
    'select id, payment_intent_id as "intentId", status from checkout_sessions where merchant_id = $1 and payment_link_id = $2',
    [merchantId, linkId],
  );
  return row!;
}

async function lapse() {
  t.chain.faults.set({ rules: [{ kind: 'httpError', status: 502, methods: ['sendTransaction'] }] });
  await t.lapse();
}

const stateOf = async ({ id }: TestMerchant) =>
  (
    await t.service.db.query<{ state: string }>(
      'select state from sponsored_transactions where merchant_id = $1',
      [id],
    )
  ).map(({ state }) => state);

test('lapsed payments of a merchant that is being moved keep nobody else’s places', async () => {
  const [leaving, staying] = [await newShop(), await newShop()];
  const places = [await takenPlace(leaving), await takenPlace(staying), await takenPlace(staying)];
  const { db } = t.service;
  await db.transaction((tx) => closeMerchant(tx, change(t.service, leaving.id)));
  await lapse();
  const statuses = await Promise.all(places.map(async ({ session }) => (await session()).status));
  expect(statuses).toEqual(['open', 'canceled', 'canceled']);
  expect([await stateOf(leaving), await stateOf(staying)]).toEqual([['dropped'], ['dropped', 'dropped']]);
  expect(await db.query('select from sponsor_days where spent_lamports > 0 or transactions > 0')).toEqual([]);
  expect(await db.query('select from set_aside_work')).toEqual([]);
  await expectSoundBooks(t);
});

test('an order that cannot be given up is set aside, keeps nobody else’s place, and is canceled when it can be', async () => {
  const [odd, good] = [await newShop(), await newShop()];
  const [oddPlace, goodPlace] = [await takenPlace(odd), await takenPlace(good)];
  const { db, clock } = t.service;
  const { id } = await oddPlace.session();
  // The next event of the session is there already.
  const eventId = randomUUID();
  await db.query(
    `insert into events (merchant_id, id, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
     select $1, $2, 'x.y', 'checkout_session', $3::uuid, max(sequence) + 1, 'x', $3, '{}', now() from events
      where merchant_id = $1 and object_id = $3::uuid`,
    [odd.id, eventId, id],
  );
  await lapse();
  expect([(await oddPlace.session()).status, (await goodPlace.session()).status]).toEqual([
    'open',
    'canceled',
  ]);
  expect(await db.query('select merchant_id from set_aside_work')).toEqual([{ merchantId: odd.id }]);
  await db.query('delete from events where merchant_id = $1 and id = $2', [odd.id, eventId]);
  clock.setOffsetMs(60_000);
  await t.follow();
  expect((await oddPlace.session()).status).toBe('canceled');
  expect(await db.query('select from set_aside_work')).toEqual([]);
});
