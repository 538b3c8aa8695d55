import { beforeAll, expect, test } from 'vitest';
import { expectSound, newPlan, newSession, readSubscription } from '../../../test/support/billing.ts';
import { rawCall } from '../../../test/support/mcp.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
const plans: Record<'small' | 'large' | 'weekly' | 'trial', { id: string }> = {} as never;

beforeAll(async () => {
  w = await subscriptionWorld();
  plans.small = await newPlan(w.shop, w.projectId, { unitAmountCents: 100 });
  plans.large = await newPlan(w.shop, w.projectId, { unitAmountCents: 900_000 });
  plans.weekly = await newPlan(w.shop, w.projectId, { unitAmountCents: 50, recurringInterval: 'week' });
  plans.trial = await newPlan(w.shop, w.projectId, { trialDays: 14 });
});

let calls = 0;
const change = async (subscriptionId: string, body: object) =>
  (
    await rawCall(w.service.url, w.shop.key, 'write', {
      ...{ operation: 'updateSubscription', params: { subscriptionId }, body, purpose: `change ${++calls}` },
    })
  ).body.result.structuredContent;

const credit = async (customerId: string) =>
  (await w.shop.call('GET', `/api/v2/customers/${customerId}`)).body.accountCreditCents;

test('an assistant gives no plan, no seats and no credit away: 403, and nothing changes', async () => {
  const sub = await w.subscribe(plans.small.id, 'given');
  const preview = (body: object) =>
    w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/preview-change`, body);
  const free = await preview({ priceId: plans.large.id, prorationBehavior: 'none' });
  const { previewToken } = free.body;
  for (const body of [
    { priceId: plans.large.id, prorationBehavior: 'none' },
    { quantity: 1_000, prorationBehavior: 'none' },
    { priceId: plans.large.id, previewToken },
    { priceId: plans.large.id, prorationBehavior: 'reset' },
    { priceId: plans.weekly.id, prorationBehavior: 'reset' },
    { priceId: plans.weekly.id, prorationBehavior: 'auto', metadata: { a: 'b' } },
    { priceId: plans.weekly.id },
  ]) {
    const answer = await change(sub.id, body);
    expect([body, answer.status, answer.error?.code]).toEqual([body, 403, 'FORBIDDEN']);
    expect(answer.error.message).toContain('charge_now or next_period only');
  }
  expect(await readSubscription(w.shop, sub.id)).toEqual(sub);
  expect(await credit(sub.customerId)).toBe(0);
  // The key itself may: without an assistant, a person or their program decides.
  const { status } = await w.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, {
    priceId: plans.large.id,
    previewToken,
  });
  expect(status).toBe(200);
});

test('during a trial it changes what comes after it, and not the trial', async () => {
  const { subscriptionId } = await newSession(w.shop, w.projectId, {
    ...{ mode: 'subscription', priceId: plans.trial.id, externalCustomerId: 'tries' },
  });
  for (const body of [{ quantity: 50 }, { priceId: plans.large.id, prorationBehavior: 'none' }])
    expect(await change(subscriptionId, body)).toMatchObject({ status: 403 });
  const later = await change(subscriptionId, { quantity: 50, prorationBehavior: 'next_period' });
  expect(later.data).toMatchObject({ quantity: 1, pendingChange: { quantity: 50 } });
});

test('for money, or from the next period on, it changes plans and seats', async () => {
  const sub = await w.subscribe(plans.small.id, 'pays');
  const up = await change(sub.id, { priceId: plans.large.id });
  expect(up.data).toMatchObject({ priceId: plans.small.id, pendingChange: { priceId: plans.large.id } });
  expect(up.data.pendingChange.amountDueCents).toBeGreaterThan(800_000);
  const later = await change(sub.id, { priceId: plans.weekly.id, prorationBehavior: 'next_period' });
  expect(later.data).toMatchObject({
    priceId: plans.small.id,
    pendingChange: { priceId: plans.weekly.id, prorationBehavior: 'next_period' },
  });
  expect((await change(sub.id, { metadata: { a: 'b' } })).data).toMatchObject({ metadata: { a: 'b' } });
  await expectSound(w.service);
});
