import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  newSession,
  readCustomer,
  readInvoice,
  readSession,
  readSubscription,
} from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
let plan: { id: string };

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
});

const read = (id: string) => readSubscription(w.shop, id);
const cancel = (id: string, body?: object) => w.shop.call('POST', `/api/v2/subscriptions/${id}/cancel`, body);
const undo = (id: string) =>
  w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, { cancelAtPeriodEnd: false });
const creditOf = async (customerId: string) => (await readCustomer(w.shop, customerId)).accountCreditCents;

test('one that never began: canceled at once with its session, and it never gave access', async () => {
  for (const body of [undefined, { atPeriodEnd: false }]) {
    const session = await newSession(w.shop, w.projectId, {
      mode: 'subscription',
      priceId: plan.id,
      customerName: 'Never',
    });
    const answer = await cancel(session.subscriptionId, body);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status: 'canceled', cancelReason: 'requested', hasAccess: false, accessUntil: null },
    ]);
    expect((await readSession(w.shop, session.id)).status).toBe('canceled');
    expect((await readInvoice(w.shop, session.invoiceId)).status).toBe('void');
    await w.payInvoice(session.invoiceId);
    expect(await read(session.subscriptionId)).toMatchObject({ status: 'canceled', hasAccess: false });
    expect(await creditOf(session.customerId)).toBe(1_000);
  }
  await expectSound(w.service);
});

test('prepaid: ends with the prepaid period, and until then it can be taken back', async () => {
  const sub = await w.subscribe(plan.id, 'prepaid');
  await w.moveTo(days(sub.currentPeriodEnd, -2));
  await w.payInvoice((await read(sub.id)).latestInvoiceId);
  const { accessUntil } = await read(sub.id);
  expect((await cancel(sub.id)).body).toMatchObject({ cancelAtPeriodEnd: true, accessUntil });
  await w.moveTo(days(sub.currentPeriodEnd, 2));
  expect(await read(sub.id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, accessUntil });
  expect((await undo(sub.id)).body).toMatchObject({ cancelAtPeriodEnd: false });
  expect((await cancel(sub.id)).status).toBe(200);
  await w.moveTo(days(accessUntil, 1));
  expect(await read(sub.id)).toMatchObject({ status: 'canceled', canceledAt: accessUntil, accessUntil });
  for (const again of [
    await cancel(sub.id),
    await cancel(sub.id, { atPeriodEnd: false }),
    await undo(sub.id),
  ])
    expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE']);
  await expectSound(w.service);
});

test('past due: at period end means now; the money that comes then is account credit, and nothing comes back', async () => {
  const sub = await w.subscribe(plan.id, 'past due');
  await w.moveTo(days(sub.currentPeriodEnd, 2));
  const { latestInvoiceId, status } = await read(sub.id);
  expect(status).toBe('past_due');
  expect((await cancel(sub.id, { atPeriodEnd: true })).body).toMatchObject({
    status: 'canceled',
    cancelReason: 'requested',
    hasAccess: false,
    renewalCheckoutUrl: null,
    graceEndsAt: null,
  });
  await w.payInvoice(latestInvoiceId);
  expect(await read(sub.id)).toMatchObject({ status: 'canceled', hasAccess: false });
  expect(await creditOf(sub.customerId)).toBe(1_000);
  expect((await undo(sub.id)).status).toBe(409);
  await expectSound(w.service);
});

test('a part that was paid is kept as account credit, at period end and now', async () => {
  for (const atPeriodEnd of [true, false]) {
    const sub = await w.subscribe(plan.id, `part ${atPeriodEnd}`);
    await w.moveTo(days(sub.currentPeriodEnd, -2));
    const { latestInvoiceId } = await read(sub.id);
    await w.payInvoice(latestInvoiceId, 400);
    expect((await cancel(sub.id, { atPeriodEnd })).body.hasAccess).toBe(atPeriodEnd);
    await w.runDue();
    expect(await creditOf(sub.customerId)).toBe(400);
    await w.payInvoice(latestInvoiceId, 600);
    await w.runDue();
    expect(await creditOf(sub.customerId)).toBe(1_000);
    expect((await readInvoice(w.shop, latestInvoiceId)).status).toBe('void');
    await w.moveTo(days(sub.currentPeriodEnd, 1));
    expect((await read(sub.id)).status).toBe('canceled');
  }
  await expectSound(w.service);
});

test('the account credit a withdrawn renewal had taken comes back, and is applied again with the next request', async () => {
  const sub = await w.subscribe(plan.id, 'credit');
  const adjust = { deltaCents: 300, reason: 'gift' };
  await w.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, adjust);
  await w.moveTo(days(sub.currentPeriodEnd, -2));
  expect(await creditOf(sub.customerId)).toBe(0);
  await cancel(sub.id);
  expect(await creditOf(sub.customerId)).toBe(300);
  await undo(sub.id);
  await w.runDue();
  const { latestInvoiceId, renewalCheckoutUrl } = await read(sub.id);
  expect(renewalCheckoutUrl).toMatch(/cs_/);
  expect(await readInvoice(w.shop, latestInvoiceId)).toMatchObject({
    creditAppliedCents: 300,
    totalCents: 700,
  });
  await expectSound(w.service);
});

test.each([
  ['becomes final', true, 1_000],
  ['vanishes', false, 0],
])(
  'canceled while its renewal was being paid: what %s leaves nothing in progress',
  async (name, isFinal, credit) => {
    const sub = await w.subscribe(plan.id, `paying, and it ${name}`);
    await w.moveTo(days(sub.currentPeriodEnd, -2));
    const { latestInvoiceId } = await read(sub.id);
    const blockTime = w.service.clock.now();
    const signature = await w.payInvoice(latestInvoiceId, undefined, { blockTime, isFinal: false });
    const { checkoutSessionId } = await readInvoice(w.shop, latestInvoiceId);
    const session = () => readSession(w.shop, checkoutSessionId);
    expect((await session()).paymentStatus).toBe('processing');
    expect((await cancel(sub.id, { atPeriodEnd: false })).status).toBe(200);
    expect(await session()).toMatchObject({ status: 'canceled', paymentStatus: 'processing' });
    await w.payInvoice(latestInvoiceId, isFinal ? undefined : 0, {
      signature,
      blockTime,
      hasFailed: !isFinal,
    });
    await w.runDue();
    expect(await session()).toMatchObject({
      status: 'canceled',
      paymentStatus: 'unpaid',
      amountReceivedCents: 0,
    });
    expect(await creditOf(sub.customerId)).toBe(credit);
    await expectSound(w.service);
  },
);
