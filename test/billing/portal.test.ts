import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import {
  eventNames,
  expectSound,
  moveTo,
  newPlan,
  newProject,
  paySession,
  readInvoice,
  readSubscription,
  sessionOfInvoice,
  subscribe,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { type TestVisitor, visit } from '../support/portal.ts';

let t: TestChain;
let projectId: string;
let plan: { id: string; productId: string };
let pricier: { id: string };
let yearly: { id: string };

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
  plan = await newPlan(t.shop, projectId, { name: 'Basic' });
  pricier = await newPriceOf('Pro', 3000, 'month');
  yearly = await newPriceOf('Basic, yearly', 9000, 'year');
});

async function newPriceOf(name: string, unitAmountCents: number, recurringInterval: string) {
  const { productId } = plan;
  const terms = { name, unitAmountCents, recurringInterval, billingMode: 'subscription' };
  return (await t.shop.call('POST', '/api/v2/prices', { projectId, productId, ...terms })).body;
}

const days = (date: string, count: number) => new Date(new Date(date).getTime() + count * DAY_MS);

/** A customer with a subscription that runs, in their portal. */
async function enter(name: string) {
  const sub = await subscribe(t, projectId, plan.id, name);
  const visitor = await visit(t.service, t.shop, projectId, sub.customerId);
  const act = (operation: string, body?: unknown) =>
    visitor.call('POST', `/subscriptions/${sub.id}/${operation}`, body);
  return { sub, visitor, act };
}

const refreshed = (visitor: TestVisitor, id: string) => visitor.call('GET', `/subscriptions/${id}`);

const payOpen = async (id: string) => {
  await paySession(t, await sessionOfInvoice(t.shop, (await readSubscription(t.shop, id)).latestInvoiceId));
  await t.finalize();
};

describe('renewing', () => {
  test('ahead of its time: one session however often it is requested, and at most one period ahead', async () => {
    const { sub, visitor, act } = await enter('ahead');
    expect(sub.renewalCheckoutUrl).toBeNull();
    const answers = await Promise.all([1, 2, 3].map(() => act('renew')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const urls = new Set(answers.map(({ body }) => body.checkoutUrl));
    expect(urls.size).toBe(1);
    expect([...urls][0]).toMatch(/\/checkout\/cs_/);
    const open = (await refreshed(visitor, sub.id)).body;
    expect(open).toMatchObject({
      renewalCheckoutUrl: [...urls][0],
      plan: { priceId: plan.id, name: 'Basic', productName: 'Coffee', unitAmountCents: 1000 },
      nextPlan: null,
    });
    const { latestInvoiceId } = await readSubscription(t.shop, sub.id);
    const invoice = (await visitor.call('GET', `/invoices/${latestInvoiceId}`)).body;
    expect(invoice).toMatchObject({ status: 'open', billingReason: 'subscription_cycle', totalCents: 1000 });
    expect(invoice.periodStart).toBe(sub.currentPeriodEnd);
    expect(invoice.dueAt).toBe(sub.currentPeriodEnd);

    await payOpen(sub.id);
    const paid = (await refreshed(visitor, sub.id)).body;
    expect(paid).toMatchObject({
      status: 'active',
      renewalCheckoutUrl: null,
      accessUntil: invoice.periodEnd,
    });
    const again = await act('renew');
    expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect((await visitor.call('GET', '/invoices')).body.data).toHaveLength(2);

    await moveTo(t, days(sub.currentPeriodEnd, 1));
    expect(await readSubscription(t.shop, sub.id)).toMatchObject({
      status: 'active',
      currentPeriodStart: sub.currentPeriodEnd,
    });
    expect((await eventNames(t.service, t.shop.id, sub.id)).slice(7)).toEqual([
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

  test('opened ahead and left unpaid it falls due with its period, and past due it can be paid here', async () => {
    const { sub, act } = await enter('left');
    const first = (await act('renew')).body.checkoutUrl;
    await moveTo(t, days(sub.currentPeriodEnd, 1));
    expect((await readSubscription(t.shop, sub.id)).status).toBe('past_due');
    const visitor = await visit(t.service, t.shop, projectId, sub.customerId);
    const renew = await visitor.call('POST', `/subscriptions/${sub.id}/renew`);
    expect([renew.status, renew.body.checkoutUrl]).toEqual([200, first]);
    await payOpen(sub.id);
    expect(await readSubscription(t.shop, sub.id)).toMatchObject({
      status: 'active',
      currentPeriodStart: sub.currentPeriodEnd,
    });
    await expectSound(t.service);
  });

  test('paid by account credit alone: no checkout, and the next period is paid', async () => {
    const { sub, visitor, act } = await enter('credit');
    const credit = { deltaCents: 1500, reason: 'goodwill' };
    await t.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, credit);
    const { status, body } = await act('renew');
    expect([status, body.checkoutUrl]).toEqual([200, null]);
    expect(new Date(body.subscription.accessUntil) > new Date(sub.currentPeriodEnd)).toBe(true);
    expect((await visitor.call('GET', '/me')).body.customer.accountCreditCents).toBe(500);
    expect((await visitor.call('GET', '/balance-entries')).body.data).toMatchObject([
      { deltaCents: -1000, accountCreditCents: 500 },
      { deltaCents: 1500, accountCreditCents: 1500 },
    ]);
    expect((await act('renew')).status).toBe(409);
    await expectSound(t.service);
  });
});

describe('changing the plan', () => {
  test('the other active plans of the same product are on offer, and nothing else', async () => {
    const { sub, visitor, act } = await enter('choices');
    const retired = await newPriceOf('Retired', 2000, 'month');
    await t.shop.call('PATCH', `/api/v2/prices/${retired.id}`, { isActive: false });
    const elsewhere = await newPlan(t.shop, projectId);
    const { body } = await visitor.call('GET', `/subscriptions/${sub.id}/plans`);
    expect(body.data.map(({ priceId }: { priceId: string }) => priceId)).toEqual([yearly.id, pricier.id]);
    for (const priceId of [retired.id, elsewhere.id, plan.id]) {
      for (const operation of ['preview-change', 'change-plan']) {
        expect((await act(operation, { priceId })).status).toBe(400);
      }
    }
    const choice = { priceId: pricier.id };
    for (const more of [{ prorationBehavior: 'none' }, { prorationDate: sub.currentPeriodStart }]) {
      expect((await act('preview-change', { ...choice, ...more })).status).toBe(400);
      expect((await act('change-plan', { ...choice, ...more })).status).toBe(400);
    }
  });

  test('a more expensive one costs what was shown, and holds once it is paid', async () => {
    const { sub, visitor, act } = await enter('pricier');
    const preview = (await act('preview-change', { priceId: pricier.id })).body;
    expect(preview).toMatchObject({ prorationBehavior: 'charge_now', newPriceId: pricier.id });
    const { previewToken } = preview;
    const waiting = await act('change-plan', { priceId: pricier.id, previewToken });
    expect([waiting.status, waiting.text]).toEqual([200, waiting.text]);
    expect(waiting.body).toMatchObject({
      plan: { priceId: plan.id },
      nextPlan: { priceId: pricier.id, name: 'Pro' },
      pendingChange: { amountDueCents: preview.amountDueCents },
    });
    expect(waiting.body.pendingChange.checkoutUrl).toMatch(/\/checkout\/cs_/);
    expect((await act('renew')).body.error.code).toBe('INVALID_STATE');
    expect((await act('change-plan', { priceId: pricier.id, previewToken })).body.error.code).toBe(
      'PREVIEW_STALE',
    );
    await payOpen(sub.id);
    expect((await refreshed(visitor, sub.id)).body).toMatchObject({
      plan: { priceId: pricier.id },
      nextPlan: null,
      pendingChange: null,
    });
    await expectSound(t.service);
  });

  test('400 for a preview on terms that only the merchant can ask for', async () => {
    const { sub, act } = await enter('terms');
    const ask = async (terms: object) => {
      const path = `/api/v2/subscriptions/${sub.id}/preview-change`;
      return (await t.shop.call('POST', path, { priceId: pricier.id, ...terms })).body.previewToken;
    };
    for (const terms of [{ prorationBehavior: 'none' }, { prorationDate: sub.currentPeriodStart }]) {
      const previewToken = await ask(terms);
      const answer = await act('change-plan', { priceId: pricier.id, previewToken });
      expect([terms, answer.status, answer.body.error.message.split(' ')[0]]).toEqual([
        terms,
        400,
        'previewToken',
      ]);
    }
    expect((await readSubscription(t.shop, sub.id)).pendingChange).toBeNull();
  });
});

describe('ending', () => {
  test('with the paid period, and undone; twice is 409', async () => {
    const { sub, visitor, act } = await enter('ending');
    await act('renew');
    const { latestInvoiceId } = await readSubscription(t.shop, sub.id);
    const canceled = await act('cancel');
    expect(canceled.body).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      renewalCheckoutUrl: null,
    });
    expect((await readInvoice(t.shop, latestInvoiceId)).status).toBe('void');
    for (const operation of ['cancel', 'renew']) {
      expect([operation, (await act(operation)).body.error.code]).toEqual([operation, 'INVALID_STATE']);
    }
    expect((await act('resume')).body).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
    expect((await act('resume')).status).toBe(200);
    expect((await act('renew')).body.checkoutUrl).toMatch(/\/checkout\/cs_/);
    await act('cancel');
    await moveTo(t, days(sub.currentPeriodEnd, 1));
    expect(await readSubscription(t.shop, sub.id)).toMatchObject({
      status: 'canceled',
      cancelReason: 'requested',
    });
    const back = await visit(t.service, t.shop, projectId, sub.customerId);
    for (const operation of ['cancel', 'renew']) {
      const answer = await back.call('POST', `/subscriptions/${sub.id}/${operation}`);
      expect([operation, answer.body.error.code]).toEqual([operation, 'INVALID_STATE']);
    }
    expect((await visitor.call('GET', '/me')).status).toBe(401);
    const audit = await t.service.db.query<{ action: string }>(
      `select action from audit_entries where target_id = $1 and actor like 'portal:%' order by id`,
      [sub.id],
    );
    expect(audit.map(({ action }) => action)).toEqual([
      'subscription.cancel_chosen',
      'subscription.cancel_undone',
      'subscription.cancel_chosen',
    ]);
    await expectSound(t.service);
  });
});

test('a receipt to keep: the paid invoice as a PDF', async () => {
  const { sub, visitor } = await enter('receipt');
  const pdf = await visitor.call('GET', `/invoices/${sub.latestInvoiceId}/pdf`);
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(pdf.text.startsWith('%PDF-')).toBe(true);
  const paid = (await visitor.call('GET', '/invoices?status=paid')).body.data;
  expect(paid).toMatchObject([{ id: sub.latestInvoiceId, status: 'paid' }]);
  expect((await visitor.call('GET', '/invoices?status=void')).body.data).toEqual([]);
});

test('a name is the customer’s to correct, an address once it is confirmed; what is left out stays', async () => {
  t.service.db.queuesEmails = true;
  const { sub, visitor } = await enter('person');
  const patch = (body: unknown) => visitor.call('PATCH', '/me', body);
  const pendingEmail = { email: 'new@example.com' };
  const asked = await patch({ email: 'new@example.com', name: 'Grace' });
  expect(asked.body).toMatchObject({ email: null, pendingEmail, name: 'Grace' });
  expect((await patch({ name: null })).body).toMatchObject({ email: null, pendingEmail, name: null });
  for (const body of [
    { email: 'none' },
    { name: '' },
    { externalCustomerId: 'x' },
    { creditBalance: 5 },
    [],
  ]) {
    expect([body, (await patch(body)).status]).toEqual([body, 400]);
  }
  const { body } = await t.shop.call('GET', `/api/v2/customers/${sub.customerId}`);
  expect(body).toMatchObject({ email: null, name: null, externalCustomerId: 'person' });
  t.service.db.queuesEmails = false;
});
