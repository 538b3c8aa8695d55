import { beforeAll, describe, expect, test } from 'vitest';
import { expectSound, newPlan, readCustomer, readSubscription } from '../../../test/support/billing.ts';
import { type TestVisitor, visit } from '../../../test/support/portal.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let [basic, pro, yearly, weekly]: any[] = [];

beforeAll(async () => {
  w = await subscriptionWorld();
  const thirty = { recurringInterval: 'day', recurringIntervalCount: 30 };
  basic = await newPlan(w.shop, w.projectId, { ...thirty, unitAmountCents: 1_000 });
  const { productId } = basic;
  pro = await newPlan(w.shop, w.projectId, { ...thirty, productId, unitAmountCents: 20_000 });
  yearly = await newPlan(w.shop, w.projectId, {
    ...{ productId, unitAmountCents: 10_000, recurringInterval: 'year' },
  });
  weekly = await newPlan(w.shop, w.projectId, { productId, unitAmountCents: 300, recurringInterval: 'week' });
});

type Fields = Record<string, unknown>;
const creditOf = async (customerId: string) => (await readCustomer(w.shop, customerId)).accountCreditCents;
const customer = ({ customerId }: { customerId: string }) =>
  visit(w.service, w.shop, w.projectId, customerId);

async function patch(id: string, body: Fields) {
  const answer = await w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body;
}

async function preview(id: string, body: Fields) {
  const answer = await w.shop.call('POST', `/api/v2/subscriptions/${id}/preview-change`, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body;
}

/** Changes the plan as the portal's page does. */
async function choose(visitor: TestVisitor, id: string, priceId: string) {
  const answer = await visitor.call('POST', `/subscriptions/${id}/change-plan`, { priceId });
  return answer;
}

describe('a plan that was given is worth what was paid, not its price', () => {
  test('one cent more than 10.00 never comes back of 10.00, whatever plan the merchant gave', async () => {
    const sub = await w.subscribe(basic.id, 'given pro');
    await patch(sub.id, { priceId: pro.id, prorationBehavior: 'none' });
    const visitor = await customer(sub);
    const answer = await choose(visitor, sub.id, yearly.id);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    expect(await creditOf(sub.customerId)).toBe(0);
    const after = await readSubscription(w.shop, sub.id);
    expect(after.priceId).toBe(pro.id);
    expect(after.pendingChange.amountDueCents).toBeGreaterThanOrEqual(9_000);
    await expectSound(w.service);
  });

  test('nor seats that were given, nor a period that was paid ahead', async () => {
    const seats = await w.subscribe(basic.id, 'given seats');
    await patch(seats.id, { quantity: 50, prorationBehavior: 'none' });
    expect(
      await preview(seats.id, { priceId: yearly.id, quantity: 1, prorationDate: seats.currentPeriodStart }),
    ).toMatchObject({
      ...{ creditCents: 1_000, accountCreditCents: 0, amountDueCents: 9_000 },
    });
    const ahead = await w.subscribe(basic.id, 'given ahead');
    await w.moveTo(days(ahead.currentPeriodEnd, -3));
    await w.payInvoice((await readSubscription(w.shop, ahead.id)).latestInvoiceId);
    await patch(ahead.id, { priceId: pro.id, prorationBehavior: 'none' });
    await w.moveTo(days(ahead.currentPeriodEnd, 1));
    const at = { priceId: yearly.id, prorationDate: ahead.currentPeriodEnd };
    expect(await preview(ahead.id, at)).toMatchObject({ creditCents: 1_000, accountCreditCents: 0 });
  });

  test('a free period is worth nothing', async () => {
    const discount = await w.shop.call('POST', '/api/v2/discounts', {
      ...{ projectId: w.projectId, name: 'All of it', percentOff: 100, duration: 'once' },
    });
    expect([discount.status, discount.text]).toEqual([201, discount.text]);
    const session = await w.shop.call('POST', '/api/v2/checkout-sessions', {
      ...{ projectId: w.projectId, mode: 'subscription', priceId: basic.id, externalCustomerId: 'free' },
      discountId: discount.body.id,
    });
    expect([session.status, session.text]).toEqual([201, session.text]);
    const sub = await readSubscription(w.shop, session.body.subscriptionId);
    expect(sub.status).toBe('active');
    await patch(sub.id, { priceId: pro.id, prorationBehavior: 'none' });
    expect(await preview(sub.id, { priceId: weekly.id })).toMatchObject({
      creditCents: 0,
      accountCreditCents: 0,
    });
  });

  test('what became account credit is not worth anything to the next change', async () => {
    const sub = await w.subscribe(pro.id, 'down and up');
    const start = { prorationDate: sub.currentPeriodStart };
    const change = async (body: Fields) => {
      const { previewToken, ...shown } = await preview(sub.id, body);
      const { prorationDate: _, ...wanted } = body;
      await patch(sub.id, { ...wanted, previewToken });
      return shown;
    };
    const down = await change({ priceId: basic.id, prorationBehavior: 'reset', ...start });
    expect(down).toMatchObject({ creditCents: 20_000, accountCreditCents: 19_000 });
    expect(await creditOf(sub.customerId)).toBe(19_000);
    await patch(sub.id, { priceId: pro.id, prorationBehavior: 'none' });
    expect(await preview(sub.id, { priceId: weekly.id, ...start })).toMatchObject({
      ...{ creditCents: 1_000, accountCreditCents: 700 },
    });
    // A refund of what the account credit was given for leaves nothing of it for the period.
    const refund = await w.shop.call('POST', '/api/v2/refunds', {
      ...{ invoiceId: sub.latestInvoiceId, reason: 'other', amountCents: 1_000 },
    });
    expect([refund.status, refund.text]).toEqual([201, refund.text]);
    expect(await preview(sub.id, { priceId: weekly.id, ...start })).toMatchObject({
      ...{ creditCents: 0, accountCreditCents: 0 },
    });
    await expectSound(w.service);
  });
});

describe('a customer who changes the plan again and again', () => {
  test('gains nothing by it: what there is in all falls', async () => {
    const sub = await w.subscribe(yearly.id, 'to and fro');
    const visitor = await customer(sub);
    let worth = 10_000;
    for (const priceId of [weekly.id, yearly.id, weekly.id, yearly.id, weekly.id, yearly.id]) {
      await w.moveTo(new Date(w.service.clock.now().getTime() + 2_000));
      const answer = await choose(visitor, sub.id, priceId);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      if (answer.body.pendingChange?.checkoutUrl) {
        const before = await readSubscription(w.shop, sub.id);
        worth += before.pendingChange.amountDueCents;
        await w.payInvoice(before.pendingChange.invoiceId);
      }
      const { currentPeriodStart } = await readSubscription(w.shop, sub.id);
      const rest = await preview(sub.id, {
        ...{ priceId: basic.id, prorationBehavior: 'reset', prorationDate: currentPeriodStart },
      });
      const left = rest.creditCents + (await creditOf(sub.customerId));
      expect(left).toBeLessThan(worth);
      worth = left;
    }
    await expectSound(w.service);
  });

  test('429 after as many changes in 24 hours as the project allows, 10 of itself; the merchant still can', async () => {
    const sub = await w.subscribe(basic.id, 'too often');
    const visitor = await customer(sub);
    const change = async (n: number) => choose(visitor, sub.id, n % 2 ? yearly.id : pro.id);
    for (let n = 0; n < 10; n++) expect((await change(n)).status).toBe(200);
    const before = await readSubscription(w.shop, sub.id);
    const refused = await change(10);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.error.message).toContain('10 times in 24 hours');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect(await readSubscription(w.shop, sub.id)).toEqual(before);
    await patch(sub.id, { priceId: yearly.id });
    const project = await w.shop.call('PATCH', `/api/v2/projects/${w.projectId}`, {
      settings: { portalPlanChangesPerDay: 11 },
    });
    expect(project.body.settings.portalPlanChangesPerDay).toBe(11);
    const both = await Promise.all([change(10), change(11)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
    await w.moveTo(days(w.service.clock.now(), 1.01));
    const later = await customer(sub);
    expect((await choose(later, sub.id, yearly.id)).status).toBe(200);
  });
});

test('a cent that tax leaves due is paid by the credit of the same change: none is given before it', async () => {
  const seller = { legalName: 'Muster GmbH', country: 'DE' };
  await w.shop.call('PATCH', `/api/v2/projects/${w.projectId}`, { seller });
  const rate = { projectId: w.projectId, name: 'Dear', country: 'DE', percent: 90, isDefault: true };
  expect((await w.shop.call('POST', '/api/v2/tax-rates', rate)).status).toBe(201);
  const taxed = { taxBehavior: 'exclusive', recurringInterval: 'day' };
  const dear = await newPlan(w.shop, w.projectId, { ...taxed, unitAmountCents: 1_000 });
  const sub = await w.subscribe(dear.id, 'taxed');
  for (const recurringIntervalCount of [2, 3, 4, 5, 6, 7, 8]) {
    const unitAmountCents = recurringIntervalCount;
    const other = await newPlan(w.shop, w.projectId, { ...taxed, unitAmountCents, recurringIntervalCount });
    const at = { priceId: other.id, prorationDate: sub.currentPeriodStart };
    const { amountDueCents, accountCreditCents, accountCreditAppliedCents } = await preview(sub.id, at);
    const total = amountDueCents + accountCreditCents - accountCreditAppliedCents;
    expect([unitAmountCents, amountDueCents, accountCreditCents > 0]).toEqual([unitAmountCents, 0, true]);
    expect(total).toBe(1_900 - other.unitAmountCents - Math.round(other.unitAmountCents * 0.9));
  }
});
