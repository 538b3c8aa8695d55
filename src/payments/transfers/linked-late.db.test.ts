import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  newSession,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';

/** Money that came long before a person links it: what is decided today begins today. */
let w: SubscriptionWorld;
let plan: { id: string };

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
});

const now = () => w.service.clock.now();
const later = (count: number) => w.moveTo(days(now(), count));
const read = (id: string) => readSubscription(w.shop, id);

async function unmatched(cents: bigint) {
  const signature = await arrive(w.service, w.shop.id, {
    baseUnits: centsToBaseUnits(cents),
    blockTime: now(),
  });
  return (await w.shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`)).body.data[0];
}

async function link(exception: { id: string }, session: { paymentIntentId: string }) {
  const body = { paymentIntentId: session.paymentIntentId };
  const answer = await w.shop.call('POST', `/api/v2/exceptions/${exception.id}/link`, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
}

const sell = (externalCustomerId: string) =>
  newSession(w.shop, w.projectId, { mode: 'subscription', priceId: plan.id, externalCustomerId });

test('from before the sale: the subscription starts when it is linked, and so does the period of its invoice', async () => {
  const money = await unmatched(1000n);
  await later(45);
  const session = await sell('before');
  await later(0.5);
  const linkedAt = now();
  await link(money, session);
  const started = await read(session.subscriptionId);
  expect(started).toMatchObject({ status: 'active', hasAccess: true });
  expect(new Date(started.currentPeriodStart) >= linkedAt).toBe(true);
  expect(await readInvoice(w.shop, session.invoiceId)).toMatchObject({
    status: 'paid',
    periodStart: started.currentPeriodStart,
    periodEnd: started.currentPeriodEnd,
  });
  await later(1);
  expect((await read(session.subscriptionId)).status).toBe('active');
  await expectSound(w.service);
});

test('a trial has all of its days', async () => {
  const money = await unmatched(500n);
  await later(45);
  const lineItems = [{ priceId: plan.id }, { name: 'Setup', unitAmountCents: 500 }];
  const fields = {
    projectId: w.projectId,
    mode: 'subscription',
    externalCustomerId: 'trial',
    trialDays: 14,
    lineItems,
  };
  const { body: session } = await w.shop.call('POST', '/api/v2/checkout-sessions', fields);
  const linkedAt = now();
  await link(money, session);
  const started = await read(session.subscriptionId);
  expect(started.status).toBe('trialing');
  expect(new Date(started.trialEndsAt) >= days(linkedAt, 14)).toBe(true);
  await expectSound(w.service);
});

test('from after the sale: nobody had access meanwhile, so it starts when it is linked as well', async () => {
  const session = await sell('after');
  const money = await unmatched(1000n);
  await later(45);
  await link(money, session);
  expect(await read(session.subscriptionId)).toMatchObject({ status: 'active', hasAccess: true });
  expect(new Date((await read(session.subscriptionId)).currentPeriodEnd) > days(now(), 27)).toBe(true);
});

test('an ended subscription returns with a period from today, also with money of its grace period', async () => {
  const subscription = await w.subscribe(plan.id, 'ended');
  await w.moveTo(days(subscription.currentPeriodEnd, 2));
  const money = await unmatched(1000n);
  await later(25);
  const ended = await read(subscription.id);
  expect(ended.status).toBe('canceled');
  const { checkoutSessionId } = await readInvoice(w.shop, ended.latestInvoiceId);
  const { body: renewal } = await w.shop.call('GET', `/api/v2/checkout-sessions/${checkoutSessionId}`);
  const linkedAt = now();
  await link(money, renewal);
  const returned = await read(subscription.id);
  expect(returned).toMatchObject({ status: 'active', hasAccess: true });
  expect(new Date(returned.currentPeriodStart) >= linkedAt).toBe(true);
  await expectSound(w.service);
});

test('a change of plan is paid on the day that its money is linked: not after its deadline', async () => {
  const dear = await newPlan(w.shop, w.projectId, { unitAmountCents: 2000 });
  const subscription = await w.subscribe(plan.id, 'changes');
  const money = await unmatched(1000n);
  await later(3);
  const change = await w.shop.call('PATCH', `/api/v2/subscriptions/${subscription.id}`, {
    priceId: dear.id,
    prorationBehavior: 'reset',
  });
  const { invoiceId, amountDueCents } = change.body.pendingChange;
  const { checkoutSessionId } = await readInvoice(w.shop, invoiceId);
  const { body: session } = await w.shop.call('GET', `/api/v2/checkout-sessions/${checkoutSessionId}`);
  await w.service.clock.setOffsetMs(days(session.expiresAt, 1).getTime() - Date.now());
  expect(amountDueCents).toBeGreaterThan(1000);
  await w.payInvoice(invoiceId, amountDueCents - 1000, { blockTime: days(session.expiresAt, -0.1) });
  const path = `/api/v2/exceptions/${money.id}/link`;
  const late = await w.shop.call('POST', path, { paymentIntentId: session.paymentIntentId });
  expect([late.status, late.body.error.message]).toEqual([
    409,
    'The change of plan that it pays for is no longer possible.',
  ]);
  const { body: listed } = await w.shop.call('GET', '/api/v2/exceptions?status=open');
  expect(listed.data.map(({ id }: { id: string }) => id)).toContain(money.id);
  expect(await read(subscription.id)).toMatchObject({ priceId: plan.id, status: 'active' });
  await expectSound(w.service);
});
