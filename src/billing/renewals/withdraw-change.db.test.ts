import { beforeAll, expect, test } from 'vitest';
import {
  eventNames,
  expectSound,
  newPlan,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { runDueRenewals } from './run-due-renewals.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let plan: any, pricier: any, cheaper: any;

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
  pricier = await newPlan(w.shop, w.projectId, { unitAmountCents: 3_000 });
  cheaper = await newPlan(w.shop, w.projectId, { unitAmountCents: 500 });
});

const read = (id: string) => readSubscription(w.shop, id);
const pathOf = (id: string, version = '/v2') => `/api${version}/subscriptions/${id}`;
const change = (id: string, body: object) => w.shop.call('PATCH', pathOf(id), body);
const withdraw = (id: string, version?: string) =>
  w.shop.call('DELETE', `${pathOf(id, version)}/pending-change`);
const cancel = (id: string, body: object = {}) => w.shop.call('POST', `${pathOf(id)}/cancel`, body);

test('an unpaid change is withdrawn: its invoice void, its credit given back, the old plan remains', async () => {
  const sub = await w.subscribe(plan.id, 'unpaid');
  const adjust = { deltaCents: 100, reason: 'gift' };
  await w.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, adjust);
  const { pendingChange } = (await change(sub.id, { priceId: pricier.id })).body;
  expect((await readCustomer(w.shop, sub.customerId)).accountCreditCents).toBe(0);
  expect((await withdraw(sub.id)).status).toBe(204);
  expect(await read(sub.id)).toMatchObject({ pendingChange: null, priceId: plan.id });
  expect((await readInvoice(w.shop, pendingChange.invoiceId)).status).toBe('void');
  expect((await readCustomer(w.shop, sub.customerId)).accountCreditCents).toBe(100);
  expect((await eventNames(w.service, w.shop.id, sub.id)).slice(-1)).toEqual(['subscription.updated']);
  const again = await withdraw(sub.id);
  expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE']);
  await expectSound(w.service);
});

test('a planned change is withdrawn, by either version; a renewal requested at its price is requested again', async () => {
  const sub = await w.subscribe(plan.id, 'planned');
  await change(sub.id, { priceId: cheaper.id });
  expect((await withdraw(sub.id, '')).status).toBe(204);
  expect((await read(sub.id)).pendingChange).toBeNull();
  await change(sub.id, { priceId: cheaper.id });
  await w.moveTo(days(sub.currentPeriodEnd, -2));
  const asked = (await read(sub.id)).latestInvoiceId;
  expect((await readInvoice(w.shop, asked)).totalCents).toBe(500);
  expect((await withdraw(sub.id)).status).toBe(204);
  await w.runDue();
  expect((await readInvoice(w.shop, asked)).status).toBe('void');
  expect((await readInvoice(w.shop, (await read(sub.id)).latestInvoiceId)).totalCents).toBe(1_000);
  expect((await withdraw('00000000-0000-7000-8000-000000000000')).status).toBe(404);
  await expectSound(w.service);
});

test('409 once the period at the new price is paid for', async () => {
  const sub = await w.subscribe(plan.id, 'paid ahead');
  await change(sub.id, { priceId: cheaper.id });
  await w.moveTo(days(sub.currentPeriodEnd, -2));
  await w.payInvoice((await read(sub.id)).latestInvoiceId);
  expect((await read(sub.id)).pendingChange.priceId).toBe(cheaper.id);
  expect((await withdraw(sub.id)).status).toBe(409);
});

test('a planned change outlives cancel and undo, but not the end', async () => {
  const sub = await w.subscribe(plan.id, 'undone');
  const planned = (await change(sub.id, { priceId: cheaper.id })).body.pendingChange;
  expect((await cancel(sub.id)).body).toMatchObject({ cancelAtPeriodEnd: true, pendingChange: null });
  expect((await change(sub.id, { cancelAtPeriodEnd: false })).body.pendingChange).toEqual(planned);
  await w.moveTo(days(sub.currentPeriodEnd, -2));
  expect((await readInvoice(w.shop, (await read(sub.id)).latestInvoiceId)).totalCents).toBe(500);
  await cancel(sub.id);
  await w.moveTo(days(sub.currentPeriodEnd, 1));
  expect(await read(sub.id)).toMatchObject({ status: 'canceled', pendingChange: null });
  const now = await w.subscribe(plan.id, 'ended now');
  await change(now.id, { priceId: cheaper.id });
  expect((await cancel(now.id, { atPeriodEnd: false })).body.pendingChange).toBeNull();
  await expectSound(w.service);
});

test('an unpaid change outlives cancel and undo too: the same invoice waits, and paid it applies', async () => {
  const sub = await w.subscribe(plan.id, 'unpaid undone');
  const { pendingChange } = (await change(sub.id, { priceId: pricier.id })).body;
  expect((await cancel(sub.id)).body).toMatchObject({ cancelAtPeriodEnd: true, pendingChange });
  expect((await readInvoice(w.shop, pendingChange.invoiceId)).status).toBe('open');
  expect((await change(sub.id, { cancelAtPeriodEnd: false })).body.pendingChange).toEqual(pendingChange);
  await w.payInvoice(pendingChange.invoiceId);
  expect(await read(sub.id)).toMatchObject({
    priceId: pricier.id,
    pendingChange: null,
    cancelAtPeriodEnd: false,
  });
  await expectSound(w.service);
});

test('a change paid while the end is planned applies, and the subscription still ends with its period', async () => {
  const sub = await w.subscribe(plan.id, 'paid while ending');
  const { pendingChange } = (await change(sub.id, { priceId: pricier.id })).body;
  await cancel(sub.id);
  await w.payInvoice(pendingChange.invoiceId);
  expect(await read(sub.id)).toMatchObject({
    status: 'active',
    priceId: pricier.id,
    pendingChange: null,
    cancelAtPeriodEnd: true,
    currentPeriodEnd: sub.currentPeriodEnd,
  });
  await w.moveTo(days(sub.currentPeriodEnd, 1));
  expect(await read(sub.id)).toMatchObject({ status: 'canceled', canceledAt: sub.currentPeriodEnd });
  await expectSound(w.service);
});

test('the end waits until a change that is open to its last moment has been decided', async () => {
  const [unpaid, inTime] = [
    await w.subscribe(plan.id, 'late unpaid'),
    await w.subscribe(plan.id, 'late paid'),
  ];
  await w.moveTo(days(unpaid.currentPeriodEnd, -0.5));
  const changes = [];
  for (const { id } of [unpaid, inTime]) {
    changes.push((await change(id, { priceId: pricier.id })).body.pendingChange);
    await cancel(id);
  }
  const end = new Date(inTime.currentPeriodEnd);
  const blockTime = new Date(end.getTime() - 60_000);
  // Time passes, and the chain is read no further than an hour before the end.
  w.service.clock.setOffsetMs(end.getTime() + 60_000 - realNow().getTime());
  await w.readPast(days(end, -1 / 24));
  await runDueRenewals(w.parts, w.service.clock.now());
  expect((await read(inTime.id)).status).toBe('active');
  await w.payInvoice(changes[1].invoiceId, undefined, { blockTime });
  await w.runDue();
  await w.moveTo(days(end, 1));
  expect(await read(unpaid.id)).toMatchObject({ status: 'canceled', priceId: plan.id, pendingChange: null });
  expect((await readInvoice(w.shop, changes[0].invoiceId)).status).toBe('void');
  expect(await read(inTime.id)).toMatchObject({ status: 'canceled', priceId: pricier.id });
  expect((await readInvoice(w.shop, changes[1].invoiceId)).status).toBe('paid');
  await expectSound(w.service);
});

test('ended at once, an unpaid change goes with it', async () => {
  const sub = await w.subscribe(plan.id, 'unpaid now');
  const { pendingChange } = (await change(sub.id, { priceId: pricier.id })).body;
  expect((await cancel(sub.id, { atPeriodEnd: false })).body.pendingChange).toBeNull();
  expect((await readInvoice(w.shop, pendingChange.invoiceId)).status).toBe('void');
  await expectSound(w.service);
});

test('ended unpaid: no change waits, and the renewal stays payable where it was for 30 days', async () => {
  const sub = await w.subscribe(plan.id, 'overdue');
  await change(sub.id, { priceId: cheaper.id });
  await w.moveTo(days(sub.currentPeriodEnd, -2));
  const { renewalCheckoutUrl, graceEndsAt, latestInvoiceId } = await read(sub.id);
  expect(renewalCheckoutUrl).not.toBeNull();
  await w.moveTo(days(graceEndsAt, 1));
  expect(await read(sub.id)).toMatchObject({ status: 'canceled', pendingChange: null, renewalCheckoutUrl });
  await w.payInvoice(latestInvoiceId);
  expect(await read(sub.id)).toMatchObject({
    status: 'active',
    priceId: cheaper.id,
    pendingChange: null,
    renewalCheckoutUrl: null,
  });
  await expectSound(w.service);
});

test('30 days after the grace period the renewal can no longer be paid', async () => {
  const sub = await w.subscribe(plan.id, 'gone');
  await w.moveTo(days(sub.currentPeriodEnd, -2));
  const { graceEndsAt } = await read(sub.id);
  await w.moveTo(days(graceEndsAt, 29));
  expect((await read(sub.id)).renewalCheckoutUrl).not.toBeNull();
  await w.moveTo(days(graceEndsAt, 31));
  expect(await read(sub.id)).toMatchObject({ status: 'canceled', renewalCheckoutUrl: null });
});
