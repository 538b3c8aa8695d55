import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import {
  eventNames,
  expectSound,
  moveTo,
  newPlan,
  newProject,
  newSession,
  paySession,
  readCustomer,
  readInvoice,
  readSession,
  readSubscription,
  sessionOfInvoice,
  subscribe,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';

let t: TestChain;
let projectId: string;
let plan: { id: string };

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
  plan = await newPlan(t.shop, projectId);
});

const days = (date: string | Date, count: number) => new Date(new Date(date).getTime() + count * DAY_MS);
const events = (id: string) => eventNames(t.service, t.shop.id, id);

describe('beginning', () => {
  test('incomplete until the first payment, then active with a period from the payment', async () => {
    const session = await newSession(t.shop, projectId, {
      mode: 'subscription',
      priceId: plan.id,
      externalCustomerId: 'first',
      merchantReference: 'contract-1',
    });
    const before = await readSubscription(t.shop, session.subscriptionId);
    expect(before).toMatchObject({
      ...{ status: 'incomplete', hasAccess: false, currentPeriodStart: null },
      latestInvoiceId: session.invoiceId,
    });
    await paySession(t, session);
    await t.finalize();
    const after = await readSubscription(t.shop, session.subscriptionId);
    expect(after).toMatchObject({ status: 'active', hasAccess: true, latestInvoiceId: session.invoiceId });
    expect(after.accessUntil).toBe(after.currentPeriodEnd);
    const invoice = await readInvoice(t.shop, session.invoiceId);
    expect(invoice).toMatchObject({
      status: 'paid',
      billingReason: 'subscription_create',
      periodStart: after.currentPeriodStart,
      periodEnd: after.currentPeriodEnd,
    });
    expect(await events(after.id)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'subscription.created',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
      'subscription.activated',
    ]);
    await expectSound(t.service);
  });

  test('unpaid: incomplete_expired; paid within 30 days it begins after all', async () => {
    const session = await newSession(t.shop, projectId, {
      mode: 'subscription',
      priceId: plan.id,
      externalCustomerId: 'late',
    });
    await moveTo(t, days(session.expiresAt, 1));
    expect(await readSubscription(t.shop, session.subscriptionId)).toMatchObject({
      status: 'incomplete_expired',
      hasAccess: false,
    });
    await paySession(t, session);
    await t.finalize();
    expect(await readSubscription(t.shop, session.subscriptionId)).toMatchObject({
      status: 'active',
      hasAccess: true,
    });
    await expectSound(t.service);
  });
});

describe('renewing', () => {
  test('asked for ahead, paid early: the anchor stays, access includes the prepaid period', async () => {
    const sub = await subscribe(t, projectId, plan.id, 'early');
    const end = sub.currentPeriodEnd;
    await moveTo(t, days(end, -6));
    const asked = await readSubscription(t.shop, sub.id);
    expect(asked).toMatchObject({ status: 'active', currentPeriodEnd: end, accessUntil: end });
    expect(asked.renewalCheckoutUrl).toMatch(/\/checkout\/cs_/);
    const invoice = await readInvoice(t.shop, asked.latestInvoiceId);
    // Lead and grace are both seven days; the invoice was opened a breath after its moment.
    expect(new Date(asked.graceEndsAt)).toEqual(days(invoice.createdAt, 14));
    const renewal = await sessionOfInvoice(t.shop, asked.latestInvoiceId);
    expect(renewal.expiresAt).toBe(asked.graceEndsAt);
    await paySession(t, renewal);
    await t.finalize();
    const prepaid = await readSubscription(t.shop, sub.id);
    expect(prepaid).toMatchObject({ status: 'active', currentPeriodEnd: end, renewalCheckoutUrl: null });
    expect(new Date(prepaid.accessUntil) > new Date(end)).toBe(true);
    await moveTo(t, days(end, 1));
    const renewed = await readSubscription(t.shop, sub.id);
    expect(renewed).toMatchObject({ status: 'active', currentPeriodStart: end });
    expect(renewed.currentPeriodEnd).toBe(prepaid.accessUntil);
    expect((await events(sub.id)).slice(7)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'subscription.renewal_due',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
      'subscription.updated',
      'subscription.renewed',
    ]);
    await expectSound(t.service);
  });

  test('reminded, overdue, past due with access, paid in grace: still anchored at the end of the period', async () => {
    const sub = await subscribe(t, projectId, plan.id, 'grace');
    const end = sub.currentPeriodEnd;
    await moveTo(t, days(end, 3));
    const pastDue = await readSubscription(t.shop, sub.id);
    expect(pastDue).toMatchObject({ status: 'past_due', hasAccess: true });
    expect(pastDue.accessUntil).toBe(pastDue.graceEndsAt);
    expect((await readInvoice(t.shop, pastDue.latestInvoiceId)).isOverdue).toBe(true);
    await paySession(t, await sessionOfInvoice(t.shop, pastDue.latestInvoiceId));
    await t.finalize();
    expect(await readSubscription(t.shop, sub.id)).toMatchObject({
      status: 'active',
      currentPeriodStart: end,
      graceEndsAt: null,
    });
    expect((await events(sub.id)).slice(7)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'subscription.renewal_due',
      'invoice.upcoming',
      'invoice.upcoming',
      'invoice.overdue',
      'subscription.past_due',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
      'subscription.renewed',
    ]);
    await expectSound(t.service);
  });

  test('never paid: canceled when the grace period ends; paid within 30 days: back, with a new anchor', async () => {
    const sub = await subscribe(t, projectId, plan.id, 'lost');
    await moveTo(t, days(sub.currentPeriodEnd, 10));
    const lost = await readSubscription(t.shop, sub.id);
    expect(lost).toMatchObject({
      status: 'canceled',
      cancelReason: 'payment_overdue',
      hasAccess: false,
      // It can still be paid, and brings the subscription back.
      renewalCheckoutUrl: expect.stringContaining('/checkout/'),
    });
    expect((await readInvoice(t.shop, lost.latestInvoiceId)).status).toBe('uncollectible');
    await paySession(t, await sessionOfInvoice(t.shop, lost.latestInvoiceId));
    await t.finalize();
    const back = await readSubscription(t.shop, sub.id);
    expect(back).toMatchObject({ status: 'active', hasAccess: true, canceledAt: null });
    expect(new Date(back.currentPeriodStart) > days(sub.currentPeriodEnd, 9)).toBe(true);
    expect((await events(sub.id)).slice(-10)).toEqual([
      'invoice.overdue',
      'subscription.past_due',
      'payment_intent.expired',
      'invoice.uncollectible',
      'checkout.session.expired',
      'subscription.canceled',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
      'subscription.reactivated',
    ]);
    await expectSound(t.service);
  });

  test('account credit pays first, and alone when it covers all', async () => {
    const sub = await subscribe(t, projectId, plan.id, 'credit');
    await t.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, {
      deltaCents: 1300,
      reason: 'gift',
    });
    await moveTo(t, days(sub.currentPeriodEnd, 1));
    const renewed = await readSubscription(t.shop, sub.id);
    expect(renewed).toMatchObject({ status: 'active', currentPeriodStart: sub.currentPeriodEnd });
    expect(await readInvoice(t.shop, renewed.latestInvoiceId)).toMatchObject({
      status: 'paid',
      subtotalCents: 1000,
      creditAppliedCents: 1000,
      totalCents: 0,
      checkoutSessionId: null,
    });
    expect((await readCustomer(t.shop, sub.customerId)).accountCreditCents).toBe(300);
    await moveTo(t, days(renewed.currentPeriodEnd, -1));
    const asked = await readSubscription(t.shop, sub.id);
    expect(await readInvoice(t.shop, asked.latestInvoiceId)).toMatchObject({
      status: 'open',
      creditAppliedCents: 300,
      totalCents: 700,
      amountDueCents: 700,
    });
    expect((await readCustomer(t.shop, sub.customerId)).accountCreditCents).toBe(0);
    // Unpaid to the end: the credit comes back.
    await moveTo(t, days(renewed.currentPeriodEnd, 10));
    expect((await readCustomer(t.shop, sub.customerId)).accountCreditCents).toBe(300);
    await expectSound(t.service);
  });
});

describe('canceling', () => {
  const cancel = (id: string, body?: object) =>
    t.shop.call('POST', `/api/v2/subscriptions/${id}/cancel`, body);

  test('at period end: the unpaid renewal is withdrawn, access stays to the end; undone, it is requested again', async () => {
    const sub = await subscribe(t, projectId, plan.id, 'leaving');
    await moveTo(t, days(sub.currentPeriodEnd, -2));
    const asked = await readSubscription(t.shop, sub.id);
    const planned = await cancel(sub.id);
    expect(planned.body).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      renewalCheckoutUrl: null,
      hasAccess: true,
    });
    expect((await readInvoice(t.shop, asked.latestInvoiceId)).status).toBe('void');
    expect((await cancel(sub.id)).status).toBe(409);
    const undone = await t.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, {
      cancelAtPeriodEnd: false,
    });
    expect(undone.body.cancelAtPeriodEnd).toBe(false);
    await t.expire();
    const again = await readSubscription(t.shop, sub.id);
    expect(again.renewalCheckoutUrl).toMatch(/cs_/);
    await cancel(sub.id);
    await moveTo(t, days(sub.currentPeriodEnd, 1));
    expect(await readSubscription(t.shop, sub.id)).toMatchObject({
      status: 'canceled',
      cancelReason: 'requested',
      hasAccess: false,
      canceledAt: sub.currentPeriodEnd,
    });
    await expectSound(t.service);
  });

  test('now, with money on its way: access ends, the money becomes account credit and an exception', async () => {
    const sub = await subscribe(t, projectId, plan.id, 'gone');
    await moveTo(t, days(sub.currentPeriodEnd, -2));
    const asked = await readSubscription(t.shop, sub.id);
    const renewal = await sessionOfInvoice(t.shop, asked.latestInvoiceId);
    await paySession(t, renewal);
    t.chain.advanceSlots(3);
    await t.look();
    expect((await readSession(t.shop, renewal.id)).paymentStatus).toBe('processing');
    expect((await cancel(sub.id, { atPeriodEnd: false })).body).toMatchObject({
      status: 'canceled',
      hasAccess: false,
    });
    await t.finalize();
    await t.expire();
    expect((await readCustomer(t.shop, sub.customerId)).accountCreditCents).toBe(1000);
    await expectSound(t.service);
  });
});

describe('changing the plan', () => {
  test('to a more expensive plan: previewed, billed to the cent, applied when paid', async () => {
    const [small, large] = [
      await newPlan(t.shop, projectId, {
        unitAmountCents: 500,
        recurringInterval: 'day',
        recurringIntervalCount: 30,
      }),
      await newPlan(t.shop, projectId, {
        unitAmountCents: 2000,
        recurringInterval: 'day',
        recurringIntervalCount: 30,
      }),
    ];
    const sub = await subscribe(t, projectId, small.id, 'upgrade');
    await moveTo(t, days(sub.currentPeriodStart, 2));
    const preview = await t.shop.call('POST', `/api/v2/subscriptions/${sub.id}/preview-change`, {
      priceId: large.id,
      prorationDate: days(sub.currentPeriodStart, 1).toISOString(),
    });
    expect(preview.body).toMatchObject({
      prorationBehavior: 'charge_now',
      creditCents: 483,
      chargeCents: 1933,
      amountDueCents: 1450,
      nextInvoice: { date: sub.currentPeriodEnd, amountCents: 2000 },
    });
    const changed = await t.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, {
      priceId: large.id,
      previewToken: preview.body.previewToken,
    });
    expect(changed.body).toMatchObject({
      priceId: small.id,
      pendingChange: { priceId: large.id, amountDueCents: 1450 },
    });
    const { invoiceId } = changed.body.pendingChange;
    expect(await readInvoice(t.shop, invoiceId)).toMatchObject({
      totalCents: 1450,
      billingReason: 'subscription_change',
      lines: [{ amountCents: -483 }, { amountCents: 1933 }],
    });
    const stale = await t.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, {
      priceId: large.id,
      previewToken: preview.body.previewToken,
    });
    expect([stale.status, stale.body.error.code]).toEqual([409, 'PREVIEW_STALE']);
    await paySession(t, await sessionOfInvoice(t.shop, invoiceId));
    await t.finalize();
    expect(await readSubscription(t.shop, sub.id)).toMatchObject({
      priceId: large.id,
      pendingChange: null,
      currentPeriodEnd: sub.currentPeriodEnd,
    });
    await expectSound(t.service);
  });

  test('cheaper: with the next period; another interval: a new period at once, what is left over as credit', async () => {
    const [large, small, weekly] = [
      await newPlan(t.shop, projectId, { unitAmountCents: 3000 }),
      await newPlan(t.shop, projectId, { unitAmountCents: 1000 }),
      await newPlan(t.shop, projectId, { unitAmountCents: 400, recurringInterval: 'week' }),
    ];
    const sub = await subscribe(t, projectId, large.id, 'downgrade');
    const patch = (body: object) => t.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, body);
    const later = await patch({ priceId: small.id });
    expect(later.body).toMatchObject({
      priceId: large.id,
      pendingChange: {
        priceId: small.id,
        prorationBehavior: 'next_period',
        effectiveAt: sub.currentPeriodEnd,
      },
    });
    await moveTo(t, days(sub.currentPeriodEnd, -1));
    const asked = await readSubscription(t.shop, sub.id);
    expect((await readInvoice(t.shop, asked.latestInvoiceId)).totalCents).toBe(1000);
    await paySession(t, await sessionOfInvoice(t.shop, asked.latestInvoiceId));
    await t.finalize();
    await moveTo(t, days(sub.currentPeriodEnd, 1));
    const cheaper = await readSubscription(t.shop, sub.id);
    expect(cheaper).toMatchObject({ priceId: small.id, pendingChange: null });
    const reset = await patch({ priceId: weekly.id });
    expect(reset.body).toMatchObject({ priceId: weekly.id, pendingChange: null, status: 'active' });
    const { accountCreditCents } = await readCustomer(t.shop, sub.customerId);
    expect(accountCreditCents).toBeGreaterThan(500);
    expect(new Date(reset.body.currentPeriodEnd)).toEqual(days(reset.body.currentPeriodStart, 7));
    await expectSound(t.service);
  });

  test('a change nobody pays dies harmlessly at its deadline', async () => {
    const [small, large] = [
      await newPlan(t.shop, projectId, { unitAmountCents: 500 }),
      await newPlan(t.shop, projectId, { unitAmountCents: 2000 }),
    ];
    const sub = await subscribe(t, projectId, small.id, 'undecided');
    const changed = await t.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, { priceId: large.id });
    const { invoiceId, expiresAt } = changed.body.pendingChange;
    await moveTo(t, days(expiresAt, 1));
    expect(await readSubscription(t.shop, sub.id)).toMatchObject({
      status: 'active',
      priceId: small.id,
      pendingChange: null,
    });
    expect((await readInvoice(t.shop, invoiceId)).status).toBe('void');
    await expectSound(t.service);
  });
});
