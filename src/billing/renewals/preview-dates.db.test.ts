import { beforeAll, expect, test } from 'vitest';
import { newPlan, readCustomer, readSubscription } from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let plan: any, pricier: any, cheaper: any, weekly: any;

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
  pricier = await newPlan(w.shop, w.projectId, { unitAmountCents: 3_000 });
  cheaper = await newPlan(w.shop, w.projectId, { unitAmountCents: 500 });
  weekly = await newPlan(w.shop, w.projectId, { unitAmountCents: 100, recurringInterval: 'week' });
});

const preview = (id: string, body: object) =>
  w.shop.call('POST', `/api/v2/subscriptions/${id}/preview-change`, body);
const change = (id: string, body: object) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);

test('400 for a date in the future with what is charged now or restarts', async () => {
  const sub = await w.subscribe(plan.id, 'future');
  const prorationDate = days(sub.currentPeriodStart, 10).toISOString();
  for (const body of [
    { priceId: pricier.id },
    { priceId: pricier.id, prorationBehavior: 'charge_now' },
    { priceId: weekly.id },
    { priceId: cheaper.id, prorationBehavior: 'reset' },
  ]) {
    const { status, body: answer } = await preview(sub.id, { ...body, prorationDate });
    expect([status, answer.error.code, answer.error.message]).toEqual([
      400,
      'BAD_REQUEST',
      expect.stringMatching(/^prorationDate /),
    ]);
  }
});

test('effectiveAt is when the change takes effect, whatever date it is calculated for', async () => {
  const sub = await w.subscribe(plan.id, 'effective');
  await w.moveTo(days(sub.currentPeriodStart, 5));
  const now = () => w.service.clock.now().getTime();
  for (const day of [1, 10]) {
    const prorationDate = days(sub.currentPeriodStart, day).toISOString();
    const later = await preview(sub.id, { priceId: cheaper.id, prorationDate });
    expect(later.body).toMatchObject({ prorationBehavior: 'next_period', effectiveAt: sub.currentPeriodEnd });
    const asked = now();
    const none = await preview(sub.id, { priceId: pricier.id, prorationBehavior: 'none', prorationDate });
    expectBetween(asked, none.body.effectiveAt, now());
  }
  const past = { priceId: pricier.id, prorationDate: days(sub.currentPeriodStart, 1).toISOString() };
  const asked = now();
  const charged = await preview(sub.id, past);
  expect(charged.body).toMatchObject({ prorationBehavior: 'charge_now', prorationDate: past.prorationDate });
  expectBetween(asked, charged.body.effectiveAt, now());
});

/** Expects a time between two others, however far those are from each other. */
function expectBetween(fromMs: number, time: string, toMs: number): void {
  expect(Date.parse(time)).toBeGreaterThanOrEqual(fromMs);
  expect(Date.parse(time)).toBeLessThanOrEqual(toMs);
}

test('the preview shows the surplus before it becomes account credit', async () => {
  const sub = await w.subscribe(plan.id, 'surplus');
  const shown = (await preview(sub.id, { priceId: weekly.id })).body;
  expect(shown).toMatchObject({ prorationBehavior: 'reset', amountDueCents: 0 });
  expect(shown.accountCreditCents).toBe(shown.creditCents - shown.chargeCents);
  expect(shown.accountCreditCents).toBeGreaterThan(0);
  await change(sub.id, { priceId: weekly.id, previewToken: shown.previewToken });
  expect((await readCustomer(w.shop, sub.customerId)).accountCreditCents).toBe(shown.accountCreditCents);
  const other = await w.subscribe(plan.id, 'nothing left');
  expect((await preview(other.id, { priceId: pricier.id })).body.accountCreditCents).toBe(0);
});

test('the behaviour that a preview named may be sent along with its token', async () => {
  const sub = await w.subscribe(plan.id, 'named');
  const { previewToken, prorationBehavior } = (await preview(sub.id, { priceId: pricier.id })).body;
  expect(prorationBehavior).toBe('charge_now');
  const other = await change(sub.id, { priceId: pricier.id, previewToken, prorationBehavior: 'none' });
  expect(other.status).toBe(400);
  const answer = await change(sub.id, { priceId: pricier.id, previewToken, prorationBehavior });
  expect([answer.status, (await readSubscription(w.shop, sub.id)).pendingChange.prorationBehavior]).toEqual([
    200,
    'charge_now',
  ]);
});
