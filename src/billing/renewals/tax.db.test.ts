import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  newSession,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import {
  days,
  invoicesOf,
  type SubscriptionWorld,
  subscriptionWorld,
} from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let [basic, pro, contained, yearly]: any[] = [];

beforeAll(async () => {
  w = await subscriptionWorld();
  await w.shop.call('PATCH', `/api/v2/projects/${w.projectId}`, {
    seller: { legalName: 'Muster GmbH', country: 'DE' },
  });
  const rate = { projectId: w.projectId, name: 'VAT', percent: 19, country: 'DE', isDefault: true };
  expect((await w.shop.call('POST', '/api/v2/tax-rates', rate)).status).toBe(201);
  const monthly = { recurringInterval: 'day', recurringIntervalCount: 30, taxBehavior: 'exclusive' };
  basic = await newPlan(w.shop, w.projectId, { ...monthly, unitAmountCents: 1_000 });
  pro = await newPlan(w.shop, w.projectId, { ...monthly, unitAmountCents: 2_500 });
  contained = await newPlan(w.shop, w.projectId, {
    ...{ ...monthly, taxBehavior: 'inclusive', unitAmountCents: 1_100 },
  });
  yearly = await newPlan(w.shop, w.projectId, {
    ...{ unitAmountCents: 500, recurringInterval: 'year', taxBehavior: 'exclusive' },
  });
});

type Fields = Record<string, unknown>;
const preview = (id: string, body: Fields) =>
  w.shop.call('POST', `/api/v2/subscriptions/${id}/preview-change`, body);
const patch = (id: string, body: Fields) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);

async function subscribe(externalCustomerId: string, priceId = basic.id) {
  const session = await newSession(w.shop, w.projectId, {
    mode: 'subscription',
    priceId,
    externalCustomerId,
  });
  await w.payInvoice(session.invoiceId);
  return readSubscription(w.shop, session.subscriptionId);
}

test('every renewal is taxed, one by one and many at once, with and without credit', async () => {
  const sub = await subscribe('renews');
  const others = await Promise.all(['a', 'b', 'c'].map((name) => subscribe(name)));
  await w.moveTo(days(sub.currentPeriodEnd, -1));
  for (const { id } of [sub, ...others]) {
    const { latestInvoiceId } = await readSubscription(w.shop, id);
    expect(await readInvoice(w.shop, latestInvoiceId)).toMatchObject({
      ...{ billingReason: 'subscription_cycle', taxCents: 190, totalCents: 1_190 },
      seller: { legalName: 'Muster GmbH' },
    });
    await w.payInvoice(latestInvoiceId);
  }
  const path = `/api/v2/customers/${sub.customerId}/balance-adjustments`;
  await w.shop.call('POST', path, { deltaCents: 2_000, reason: 'gift' });
  await w.moveTo(days(sub.currentPeriodEnd, 31));
  const [, , third] = await invoicesOf(w.shop, sub.id);
  expect(third).toMatchObject({ status: 'paid', taxCents: 190, creditAppliedCents: 1_190, totalCents: 0 });
  expect((await readCustomer(w.shop, sub.customerId)).accountCreditCents).toBe(810);
  await expectSound(w.service);
});

test('a change bills exactly what its preview showed, with the tax of the difference', async () => {
  const sub = await subscribe('upgrades');
  const { body: shown } = await preview(sub.id, { priceId: pro.id });
  const net = shown.chargeCents - shown.creditCents;
  const taxCents = Math.round(net * 0.19);
  expect(shown).toMatchObject({
    ...{ prorationBehavior: 'charge_now', taxCents, amountDueCents: net + taxCents },
    nextInvoice: { amountCents: 2_975 },
  });
  const { status } = await patch(sub.id, { priceId: pro.id, previewToken: shown.previewToken });
  expect(status).toBe(200);
  const { pendingChange } = await readSubscription(w.shop, sub.id);
  const invoice = await readInvoice(w.shop, pendingChange.invoiceId);
  expect([invoice.totalCents, invoice.taxCents, invoice.lines]).toEqual([
    shown.amountDueCents,
    shown.taxCents,
    shown.lines,
  ]);
  await w.payInvoice(invoice.id);
  expect((await readSubscription(w.shop, sub.id)).priceId).toBe(pro.id);
  await expectSound(w.service);
});

test('a trial costs nothing and has no tax; its first invoice has both', async () => {
  const trial = await newPlan(w.shop, w.projectId, {
    ...{ unitAmountCents: 1_000, recurringInterval: 'month', taxBehavior: 'exclusive', trialDays: 14 },
  });
  const session = await newSession(w.shop, w.projectId, {
    ...{ mode: 'subscription', priceId: trial.id, externalCustomerId: 'tries' },
  });
  expect(session).toMatchObject({ amountCents: 0, taxCents: 0 });
  const { trialEnd, currentPeriodEnd } = await readSubscription(w.shop, session.subscriptionId);
  await w.moveTo(days(trialEnd ?? currentPeriodEnd, -1));
  const { latestInvoiceId } = await readSubscription(w.shop, session.subscriptionId);
  expect(await readInvoice(w.shop, latestInvoiceId)).toMatchObject({ taxCents: 190, totalCents: 1_190 });
  await expectSound(w.service);
});

test('a rate that changes after the preview makes it stale', async () => {
  const sub = await subscribe('stale');
  const { body: shown } = await preview(sub.id, { priceId: pro.id });
  const rate = { projectId: w.projectId, name: 'VAT', percent: 20, country: 'DE', isDefault: true };
  const { body: other } = await w.shop.call('POST', '/api/v2/tax-rates', rate);
  const { status, body } = await patch(sub.id, { priceId: pro.id, previewToken: shown.previewToken });
  expect([status, body.error.code]).toEqual([409, 'PREVIEW_STALE']);
  await w.shop.call('PATCH', `/api/v2/tax-rates/${other.id}`, { isActive: false });
  const list = await w.shop.call('GET', `/api/v2/tax-rates?projectId=${w.projectId}&isActive=true`);
  await w.shop.call('PATCH', `/api/v2/tax-rates/${list.body.data[0].id}`, { isDefault: true });
});

test('what is left of a more expensive plan becomes credit with the tax that was paid for it', async () => {
  const sub = await subscribe('resets', pro.id);
  const { body: shown } = await preview(sub.id, { priceId: yearly.id });
  expect(shown).toMatchObject({ prorationBehavior: 'reset', taxCents: 0, amountDueCents: 0 });
  const left = shown.creditCents - 500;
  expect(shown.accountCreditCents).toBe(left + Math.round(left * 0.19));
  await patch(sub.id, { priceId: yearly.id, previewToken: shown.previewToken });
  expect((await readCustomer(w.shop, sub.customerId)).accountCreditCents).toBe(shown.accountCreditCents);
  await expectSound(w.service);
});

test('a price that contains tax is compared with one that does not by what customers pay', async () => {
  // 1,000 and 190 of tax is more than 1,100 with tax in it.
  const sub = await subscribe('compares');
  const { body: shown } = await preview(sub.id, { priceId: contained.id });
  expect(shown).toMatchObject({ prorationBehavior: 'next_period', amountDueCents: 0 });
  expect(shown.nextInvoice.amountCents).toBe(1_100);
  const { body: reset } = await preview(sub.id, { priceId: contained.id, prorationBehavior: 'reset' });
  expect(reset.amountDueCents).toBeGreaterThanOrEqual(0);
  expect(reset.amountDueCents).toBeLessThanOrEqual(1);
  expect(reset.accountCreditCents).toBeGreaterThan(0);
});
