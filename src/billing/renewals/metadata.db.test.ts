import { beforeAll, expect, test } from 'vitest';
import {
  listEvents,
  newPlan,
  readInvoice,
  readSubscription,
  sessionOfInvoice,
} from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let plan: any, pricier: any;
const metadata = { seat: '17', team: 'blue' };

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
  pricier = await newPlan(w.shop, w.projectId, { unitAmountCents: 3_000 });
});

const change = (id: string, body: object) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);
const latest = async (id: string) => (await readSubscription(w.shop, id)).latestInvoiceId;

test('renewals and changes carry what is noted on the subscription: invoice, session and intent', async () => {
  const subs = [
    await w.subscribe(plan.id, 'one', { metadata }),
    await w.subscribe(plan.id, 'two', { metadata }),
    await w.subscribe(plan.id, 'credit', { metadata }),
  ];
  const adjusted = { deltaCents: 100_000, reason: 'gift' };
  await w.shop.call('POST', `/api/v2/customers/${subs[2].customerId}/balance-adjustments`, adjusted);
  expect(subs[0].metadata).toEqual(metadata);
  const changing = await w.subscribe(plan.id, 'changing', { metadata });
  await change(changing.id, { priceId: pricier.id });
  expect((await readInvoice(w.shop, await latest(changing.id))).metadata).toEqual(metadata);
  const renamed = await change(subs[1].id, { metadata: { seat: '18', team: null } });
  expect(renamed.body.metadata).toEqual({ seat: '18' });
  await w.moveTo(days(subs[0].currentPeriodEnd, -2));
  for (const [sub, noted] of [
    [subs[0], metadata],
    [subs[1], { seat: '18' }],
    [subs[2], metadata],
  ]) {
    const invoice = await readInvoice(w.shop, await latest(sub.id));
    expect([invoice.billingReason, invoice.metadata]).toEqual(['subscription_cycle', noted]);
    if (invoice.checkoutSessionId === null) continue;
    const session = await sessionOfInvoice(w.shop, invoice.id);
    expect(session.metadata).toEqual(noted);
    const { body: intent } = await w.shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
    expect(intent.metadata).toEqual(noted);
  }
  expect((await readInvoice(w.shop, await latest(subs[2].id))).checkoutSessionId).toBeNull();
});

test('a change of metadata is announced once, and one that changes nothing is not', async () => {
  const sub = await w.subscribe(plan.id, 'announced');
  const updates = async () =>
    (await listEvents(w.service, w.shop.id)).filter(
      ({ event, orderingKey }) => event === 'subscription.updated' && orderingKey === sub.id,
    );
  await change(sub.id, { metadata });
  await change(sub.id, { metadata });
  await change(sub.id, { metadata: { unknown: null } });
  expect((await updates()).map(({ body }) => body.data.subscription.metadata)).toEqual([metadata]);
});
