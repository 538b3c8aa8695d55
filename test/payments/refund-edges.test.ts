import { type Address, address } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { post } from '../../src/billing/ledger/post.ts';
import { chainNodes } from '../../src/chain/nodes/chain-node.ts';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { createRpc } from '../../src/chain/solana/rpc.ts';
import { reconcile } from '../../src/payments/reconcile/reconcile.ts';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import {
  expectSound,
  newProject,
  newSession,
  paySession,
  readCustomer,
  readPast,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent, payIntent, UNITS } from '../support/payments.ts';
import { newAddress } from '../support/service.ts';
import { createWallet, pay, type Wallet } from '../support/wallet.ts';

/** Books of refunds that were sent late, twice, in part or not at all. */
let t: TestChain;
/** A wallet of the merchant's that nobody watches. */
let treasury: Wallet;
let projectId: string;

beforeAll(async () => {
  t = await testChain({}, undefined, 60_000);
  treasury = await createWallet(t.chain, { usdcBaseUnits: 10n ** 12n });
  await t.chain.mintTo(t.merchant.address, 10n ** 12n);
  projectId = (await newProject(t.shop)).id;
  await t.finalize();
});

interface NewRefund {
  id: string;
  referenceAddress: string;
  address: string;
}

async function refund(fields: object): Promise<NewRefund> {
  const body = { reason: 'other', address: newAddress(), ...fields };
  const answer = await t.shop.call('POST', '/api/v2/refunds', body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

async function sendRefund(
  { referenceAddress, address: to }: NewRefund,
  units: bigint,
  from = treasury,
): Promise<string> {
  const signature = await pay({
    rpcUrl: t.chain.rpcUrl,
    from: from.signer,
    destinationOwner: address(to),
    amountBaseUnits: units,
    references: [referenceAddress as Address],
  });
  await t.finalize();
  return signature;
}

const cancel = async ({ id }: NewRefund) => (await t.shop.call('POST', `/api/v2/refunds/${id}/cancel`)).body;
const read = async ({ id }: NewRefund) => (await t.shop.call('GET', `/api/v2/refunds/${id}`)).body;

const overRefunded = async ({ id }: NewRefund) =>
  (
    await t.service.db.query<{ units: bigint }>(
      `select base_units as units from payment_exceptions where refund_id = $1 and kind = 'over_refunded' order by id`,
      [id],
    )
  ).map(({ units }) => units);

async function paidIntent(cents = 100, units = UNITS) {
  const intent = await newIntent(t.shop, cents);
  await payIntent(t, intent, { amountBaseUnits: units });
  await t.finalize();
  return intent;
}

async function passDays(days: number): Promise<void> {
  const { clock } = t.service;
  clock.setOffsetMs(clock.now().getTime() - Date.now() + days * DAY_MS);
  await t.finalize();
  await readPast(t.service, clock.now());
  await t.expire();
}

test('what was sent of a refund before it was canceled is a refund, and what makes no cent is listed', async () => {
  const less = await refund({ paymentIntentId: (await paidIntent()).id });
  await sendRefund(less, 5_000n);
  expect((await cancel(less)).status).toBe('canceled');
  expect(await overRefunded(less)).toEqual([5_000n]);

  const more = await refund({ paymentIntentId: (await paidIntent()).id });
  await sendRefund(more, 15_000n);
  expect(await cancel(more)).toMatchObject({ status: 'succeeded', amountCents: 1 });
  expect(await overRefunded(more)).toEqual([5_000n]);
  await expectSound(t.service);
});

test('money that was listed as sent for nothing does not count later, when new money does', async () => {
  const { id } = await paidIntent();
  const first = await refund({ paymentIntentId: id });
  await cancel(first);
  const second = await refund({ paymentIntentId: id });
  await sendRefund(first, UNITS, t.merchant);
  expect(await read(first)).toMatchObject({ status: 'canceled', amountSentCents: 100 });
  await cancel(second);
  const counted = await sendRefund(first, UNITS, t.merchant);
  expect(await read(first)).toMatchObject({
    ...{ status: 'succeeded', amountCents: 100, amountSentCents: 200, txSignature: counted },
  });
  expect(await overRefunded(first)).toEqual([UNITS]);
  await expectSound(t.service);
});

test('sent after it was canceled, it counts as far as another refund has left something', async () => {
  const { id } = await paidIntent();
  const first = await refund({ paymentIntentId: id });
  await cancel(first);
  await refund({ paymentIntentId: id, amountCents: 40 });
  await sendRefund(first, UNITS, t.merchant);
  expect(await read(first)).toMatchObject({ status: 'succeeded', amountCents: 60, amountSentCents: 100 });
  expect(await overRefunded(first)).toEqual([400_000n]);
  await expectSound(t.service);
});

test('one that has expired is still found, from whichever wallet it is sent', async () => {
  const late = await refund({ paymentIntentId: (await paidIntent()).id });
  await passDays(91);
  expect((await read(late)).status).toBe('expired');
  await sendRefund(late, UNITS);
  expect((await read(late)).status).toBe('succeeded');
  await expectSound(t.service);
});

test('a part payment that was refunded does not become account credit besides', async () => {
  const session = await newSession(t.shop, projectId, { externalCustomerId: 'part payer' });
  await paySession(t, session, 200);
  await t.finalize();
  const back = await refund({ paymentIntentId: session.paymentIntentId });
  await sendRefund(back, 2n * UNITS);
  await passDays(40);
  await passDays(1);
  expect(await readCustomer(t.shop, session.customerId)).toMatchObject({ accountCreditCents: 0 });
  await expectSound(t.service);
});

test('a surplus is returned when all that its payment received is back, whichever refunds took it', async () => {
  const { id } = await paidIntent(100, 2n * UNITS);
  const surplus = async () =>
    (
      await t.service.db.query<{ id: string; status: string }>(
        `select id, status from payment_exceptions where intent_id = $1 and kind = 'surplus'`,
        [id],
      )
    )[0]!;
  const part = await refund({ exceptionId: (await surplus()).id, amountCents: 50 });
  const rest = await refund({ paymentIntentId: id });
  await sendRefund(rest, 1_500_000n);
  expect((await surplus()).status).toBe('open');
  await sendRefund(part, 500_000n);
  expect((await surplus()).status).toBe('returned');
  await expectSound(t.service);
});

test('a canceled refund of what became credit that is spent by now is listed, not looked up forever', async () => {
  const session = await newSession(t.shop, projectId, { externalCustomerId: 'spender' });
  const signature = await paySession(t, session, 200);
  await t.finalize();
  await passDays(40);
  await passDays(1);
  const [stray] = await t.service.db.query<{ id: string }>(
    `select id from payment_exceptions where signature = $1 and kind = 'stray'`,
    [signature],
  );
  const back = await refund({ exceptionId: stray!.id });
  await cancel(back);
  await t.service.db.transaction((tx) =>
    post(tx, {
      ...{ merchantId: t.shop.id, customerId: session.customerId, deltaCents: -200n },
      ...{ counterAccount: 'adjustment', reason: 'spent', invoiceId: null, now: t.service.clock.now() },
    }),
  );
  await sendRefund(back, 2n * UNITS, t.merchant);
  expect(await read(back)).toMatchObject({ status: 'canceled', amountSentCents: 200 });
  expect(await overRefunded(back)).toEqual([2n * UNITS]);
  await expectSound(t.service);
});

test('reconcile reads every refund again by its reference, and names what differs', async () => {
  const sent = await refund({ paymentIntentId: (await paidIntent()).id });
  const signature = await sendRefund(sent, UNITS);
  const [node] = chainNodes(createRpc({ urls: [t.chain.rpcUrl] }));
  const compare = () => reconcile({ db: t.service.db, node: node!, mint: USDC_MINTS.sandbox });
  const report = await compare();
  expect(report).toMatchObject({ differences: [], unreadable: [] });
  expect(report.refunds).toBeGreaterThan(5);
  await t.service.db.query('update refund_transfers set base_units = base_units + 1 where signature = $1', [
    signature,
  ]);
  expect((await compare()).differences).toEqual([
    { destination: sent.address, signature, booked: UNITS + 1n, onChain: UNITS },
  ]);
  await t.service.db.query('update refund_transfers set signature = $2 where signature = $1', [
    signature,
    'a transaction that is not there',
  ]);
  expect((await compare()).differences).toEqual([
    { destination: sent.address, signature, booked: null, onChain: UNITS },
    { ...{ destination: sent.address, booked: UNITS + 1n, onChain: null }, signature: expect.any(String) },
  ]);
});

test('while a prepared transaction may land, nobody is given another who asks for the only one', async () => {
  const { id: paymentIntentId } = await paidIntent();
  const made = await refund({ paymentIntentId });
  const prepare = (more: object = {}) =>
    t.shop.call('POST', '/api/v2/refunds/prepare', { ids: [made.id], payer: treasury.address, ...more });
  const both = await Promise.all([prepare({ unlessPrepared: true }), prepare({ unlessPrepared: true })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { preparedUntil } = await read(made);
  expect(both.find(({ status }) => status === 200)!.body.refunds[0].preparedUntil).toBe(preparedUntil);
  expect(Date.parse(preparedUntil)).toBeGreaterThan(t.service.clock.now().getTime());
  await t.look();
  expect((await read(made)).preparedUntil).toBe(preparedUntil);
  expect((await prepare()).status).toBe(200);

  const { clock } = t.service;
  clock.setOffsetMs(clock.now().getTime() - Date.now() + 121_000);
  // Its time is over by the clock, but not by the chain: it may still land.
  await t.look();
  expect((await prepare({ unlessPrepared: true })).status).toBe(409);
  t.chain.advanceSlots(300);
  // Nobody has looked yet: it may be there.
  expect((await prepare({ unlessPrepared: true })).status).toBe(409);
  await t.look();
  expect((await read(made)).preparedUntil).toBeNull();
  expect((await prepare({ unlessPrepared: true })).status).toBe(200);
  await sendRefund(made, UNITS);
  expect(await read(made)).toMatchObject({ status: 'succeeded', preparedUntil: null });
});

test('an exception is listed by its id, dust too', async () => {
  const { id } = await paidIntent(100, UNITS + 5_000n);
  const [dust] = await t.service.db.query<{ id: string }>(
    'select id from payment_exceptions where intent_id = $1',
    [id],
  );
  const { body } = await t.shop.call('GET', `/api/v2/exceptions?exceptionId=${dust!.id}`);
  expect(body.data.map((found: { id: string; status: string }) => [found.id, found.status])).toEqual([
    [dust!.id, 'dust'],
  ]);
});
