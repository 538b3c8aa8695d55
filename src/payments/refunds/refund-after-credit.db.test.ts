import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newCustomer,
  newPlan,
  readCustomer,
  readSubscription,
} from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let [yearly, monthly, large]: any[] = [];

beforeAll(async () => {
  w = await subscriptionWorld();
  yearly = await newPlan(w.shop, w.projectId, { unitAmountCents: 12_000, recurringInterval: 'year' });
  monthly = await newPlan(w.shop, w.projectId, { unitAmountCents: 1_000 });
  large = await newPlan(w.shop, w.projectId, { unitAmountCents: 20_000, recurringInterval: 'year' });
});

type Fields = Record<string, unknown>;
const creditOf = async (customerId: string) => (await readCustomer(w.shop, customerId)).accountCreditCents;
const refund = (invoiceId: string, fields: Fields = {}) =>
  w.shop.call('POST', '/api/v2/refunds', { invoiceId, reason: 'requested_by_customer', ...fields });
const TAKE = { effects: { takeBackCredit: true } };

/** Paid 120.00 for a year, and changed on the first day to a month: 110.00 of account credit. */
async function downgraded(name: string) {
  const sub = await w.subscribe(yearly.id, name);
  const body = { priceId: monthly.id, prorationDate: sub.currentPeriodStart };
  const shown = await w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/preview-change`, body);
  const { previewToken } = shown.body;
  const changed = await w.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, {
    ...{ priceId: monthly.id, previewToken },
  });
  expect([changed.status, changed.text]).toEqual([200, changed.text]);
  expect(await creditOf(sub.customerId)).toBe(11_000);
  return sub;
}

describe('what a downgrade gave as account credit', () => {
  test('is taken off what is left to refund, and the answer says why', async () => {
    const sub = await downgraded('deducted');
    const tooMuch = await refund(sub.latestInvoiceId, { amountCents: 1_001 });
    expect([tooMuch.status, tooMuch.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^amountCents must be at most 1000: .* A plan change gave the rest/),
    ]);
    expect((await refund(sub.latestInvoiceId)).body.amountCents).toBe(1_000);
    const nothing = await refund(sub.latestInvoiceId);
    expect([nothing.status, nothing.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(nothing.body.error.message).toContain('as account credit');
    expect(await creditOf(sub.customerId)).toBe(11_000);
    await expectSound(w.service);
  });

  test('is refunded where the merchant says so, and the credit is taken back, until the refund is canceled', async () => {
    const sub = await downgraded('taken back');
    const all = await refund(sub.latestInvoiceId, TAKE);
    expect([all.status, all.body.amountCents]).toEqual([201, 12_000]);
    expect(await creditOf(sub.customerId)).toBe(0);
    expect((await refund(sub.latestInvoiceId, TAKE)).status).toBe(400);
    await expectSound(w.service);
    const canceled = await w.shop.call('POST', `/api/v2/refunds/${all.body.id}/cancel`);
    expect([canceled.status, await creditOf(sub.customerId)]).toEqual([200, 11_000]);
    const part = await refund(sub.latestInvoiceId, { amountCents: 5_000, ...TAKE });
    expect([part.status, await creditOf(sub.customerId)]).toEqual([201, 7_000]);
    await w.moveTo(days(w.service.clock.now(), 91));
    expect((await w.shop.call('GET', `/api/v2/refunds/${part.body.id}`)).body.status).toBe('expired');
    const { body } = await w.shop.call('GET', `/api/v2/customers/${sub.customerId}`);
    expect(body.accountCreditCents).toBeGreaterThan(7_000);
    await expectSound(w.service);
  });

  test('is given back to the person, also after they were merged', async () => {
    const sub = await downgraded('merged');
    const { id: intoCustomerId } = await newCustomer(w.shop, w.projectId);
    await w.shop.call('POST', `/api/v2/customers/${sub.customerId}/merge`, { intoCustomerId });
    const all = await refund(sub.latestInvoiceId, TAKE);
    expect([all.status, await creditOf(intoCustomerId)]).toEqual([201, 0]);
    await w.shop.call('POST', `/api/v2/refunds/${all.body.id}/cancel`);
    expect(await creditOf(intoCustomerId)).toBe(11_000);
    expect((await refund(sub.latestInvoiceId)).body.amountCents).toBe(1_000);
    await expectSound(w.service);
  });

  test('is not refunded as far as it was spent', async () => {
    const sub = await downgraded('spent');
    await w.moveTo(days((await readSubscription(w.shop, sub.id)).currentPeriodEnd, -1));
    expect(await creditOf(sub.customerId)).toBe(10_000);
    const spent = await refund(sub.latestInvoiceId, { amountCents: 11_001, ...TAKE });
    expect([spent.status, spent.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^amountCents must be at most 11000: .* as account credit, which is spent/),
    ]);
    expect(await creditOf(sub.customerId)).toBe(10_000);
    const adjust = { deltaCents: 1_000, reason: 'so that all of it can go back' };
    await w.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, adjust);
    const all = await refund(sub.latestInvoiceId, TAKE);
    expect([all.body.amountCents, await creditOf(sub.customerId)]).toEqual([12_000, 0]);
    await expectSound(w.service);
  });

  test('two refunds at the same moment take it once', async () => {
    const sub = await downgraded('at once');
    const both = await Promise.all([refund(sub.latestInvoiceId, TAKE), refund(sub.latestInvoiceId, TAKE)]);
    expect(both.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await creditOf(sub.customerId)).toBe(0);
    await expectSound(w.service);
  });

  test('400 where a payment has none', async () => {
    const sub = await w.subscribe(monthly.id, 'none given');
    const { status, body } = await refund(sub.latestInvoiceId, TAKE);
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringMatching(/^effects.takeBackCredit needs/),
    ]);
  });
});

describe('credit that was given, and paid for the next plan', () => {
  /** 120.00 for a year; changed to a month: 110.00 of credit; changed to a more expensive year: paid with that credit and money. */
  async function reused(name: string) {
    const { id, customerId, latestInvoiceId } = await downgraded(name);
    const upgraded = await w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, { priceId: large.id });
    const { invoiceId, amountDueCents } = upgraded.body.pendingChange;
    await w.payInvoice(invoiceId);
    expect(await creditOf(customerId)).toBe(0);
    return { id, customerId, invoiceId, amountDueCents, firstInvoiceId: latestInvoiceId };
  }

  async function downgrade(id: string) {
    const body = { priceId: monthly.id, prorationBehavior: 'reset' };
    const changed = await w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);
    expect([changed.status, changed.text]).toEqual([200, changed.text]);
    const invoice = await w.shop.call('GET', `/api/v2/invoices/${changed.body.latestInvoiceId}`);
    if (invoice.body.status === 'open') await w.payInvoice(invoice.body.id);
  }

  test('counts no more once the money behind it is refunded: what was kept is what comes back', async () => {
    const { id, customerId, amountDueCents, firstInvoiceId } = await reused('refunded behind');
    expect((await refund(firstInvoiceId)).body.amountCents).toBe(12_000);
    await downgrade(id);
    const credit = await creditOf(customerId);
    expect(credit).toBeLessThanOrEqual(amountDueCents - 1_000);
    expect(credit).toBeGreaterThan(amountDueCents - 1_100);
    await expectSound(w.service);
  });

  test('nor any time later in the period: what is gone does not shrink with it', async () => {
    const { id, customerId, amountDueCents, firstInvoiceId } = await reused('refunded later');
    const { currentPeriodStart, currentPeriodEnd } = await readSubscription(w.shop, id);
    const wholeDays = (Date.parse(currentPeriodEnd) - Date.parse(currentPeriodStart)) / DAY_MS;
    await w.moveTo(days(currentPeriodStart, 100));
    expect((await refund(firstInvoiceId)).body.amountCents).toBe(12_000);
    await downgrade(id);
    expect(await creditOf(customerId)).toBeLessThanOrEqual(
      (amountDueCents * (wholeDays - 100)) / wholeDays - 1_000,
    );
  });

  test('leaves nothing where all is refunded', async () => {
    const { id, customerId, invoiceId, amountDueCents, firstInvoiceId } = await reused('all refunded');
    const first = (await refund(firstInvoiceId)).body.amountCents;
    const second = (await refund(invoiceId)).body.amountCents;
    expect(first + second).toBeLessThanOrEqual(12_000 + amountDueCents);
    await downgrade(id);
    expect(await creditOf(customerId)).toBe(0);
    await expectSound(w.service);
  });
});
