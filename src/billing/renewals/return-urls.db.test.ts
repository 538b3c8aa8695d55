import { beforeAll, expect, test } from 'vitest';
import { newPlan, readSubscription, sessionOfInvoice } from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let plan: any, pricier: any;

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
  pricier = await newPlan(w.shop, w.projectId, { unitAmountCents: 3_000 });
});

const urls = { successUrl: 'https://shop.test/thanks', cancelUrl: 'https://shop.test/back' };
const change = (id: string, body: object) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);
const latest = async (id: string) =>
  sessionOfInvoice(w.shop, (await readSubscription(w.shop, id)).latestInvoiceId);

test('renewals and changes send the buyer where the first session did', async () => {
  const subs = [await w.subscribe(plan.id, 'one', urls), await w.subscribe(plan.id, 'two', urls)];
  const changing = await w.subscribe(plan.id, 'changing', urls);
  expect(subs[0]).toMatchObject(urls);
  await change(changing.id, { priceId: pricier.id });
  expect(await latest(changing.id)).toMatchObject(urls);
  await w.moveTo(days(subs[0].currentPeriodEnd, -2));
  for (const { id } of subs) expect(await latest(id)).toMatchObject(urls);
});

test('set and cleared by PATCH, one by one; 400 for URLs that no customer may be sent to', async () => {
  const sub = await w.subscribe(plan.id, 'set', urls);
  const set = await change(sub.id, { successUrl: 'https://shop.test/other' });
  expect([set.status, set.body]).toMatchObject([200, { ...urls, successUrl: 'https://shop.test/other' }]);
  const cleared = await change(sub.id, { cancelUrl: null });
  expect(cleared.body).toMatchObject({ successUrl: 'https://shop.test/other', cancelUrl: null });
  const refused = await change(sub.id, { successUrl: 'ftp://shop.test' });
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/^successUrl /)]);
  await change(sub.id, { priceId: pricier.id, cancelUrl: 'https://shop.test/both' });
  expect(await latest(sub.id)).toMatchObject({
    successUrl: 'https://shop.test/other',
    cancelUrl: 'https://shop.test/both',
  });
});
