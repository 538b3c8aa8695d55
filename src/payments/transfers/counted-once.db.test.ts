import { beforeEach, describe, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  readCustomer,
  readInvoice,
  readSubscription,
  sessionOfInvoice,
} from '../../../test/support/billing.ts';
import {
  days,
  invoicesOf,
  type SubscriptionWorld,
  subscriptionWorld,
} from '../../../test/support/subscriptions.ts';

/** A renewal of 1,000 that 400 came for is the customer's 400 exactly once, whatever happens to it. */
describe('a part of a renewal is counted once', () => {
  let w: SubscriptionWorld;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
  let sub: any;
  let invoiceId: string;

  beforeEach(async () => {
    w = await subscriptionWorld();
    const plan = await newPlan(w.shop, w.projectId);
    sub = await w.subscribe(plan.id, 'in parts');
    await w.moveTo(days(sub.currentPeriodEnd, -2));
    invoiceId = (await read()).latestInvoiceId;
    await w.payInvoice(invoiceId, 400);
  });

  const read = () => readSubscription(w.shop, sub.id);
  const cancel = (body: object) => w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/cancel`, body);
  const paid = async () => (await readInvoice(w.shop, invoiceId)).amountPaidCents;
  const credit = async () => (await readCustomer(w.shop, sub.customerId)).accountCreditCents;

  /** All of it, wherever it is: on invoices, as credit, or as credit that an invoice has taken. */
  async function held(): Promise<number> {
    const invoices = await invoicesOf(w.shop, sub.id);
    const onInvoices = invoices.reduce(
      (sum, { status, amountPaidCents, creditAppliedCents }) =>
        sum + amountPaidCents + (status === 'open' || status === 'paid' ? creditAppliedCents : 0),
      0,
    );
    return onInvoices + (await credit());
  }

  const stray = async () => {
    const { body } = await w.shop.call('GET', '/api/v2/exceptions?kind=stray');
    return body.data;
  };

  test('while it waits: on the invoice', async () => {
    expect([await paid(), await credit(), await held()]).toEqual([400, 0, 1_400]);
  });

  for (const [name, body] of [
    ['at period end', { atPeriodEnd: true }],
    ['now', { atPeriodEnd: false }],
  ] as const) {
    test(`canceled ${name}: it leaves the invoice for the account credit, and so does what comes later`, async () => {
      expect((await cancel(body)).status).toBe(200);
      expect(await held()).toBe(1_400);
      await w.runDue();
      expect([await paid(), await credit(), await held()]).toEqual([0, 400, 1_400]);
      await w.payInvoice(invoiceId, 100);
      expect(await held()).toBe(1_500);
      await w.runDue();
      expect([await paid(), await credit(), await held()]).toEqual([0, 500, 1_500]);
      await expectSound(w.service);
    });

    test(`canceled ${name}: the rest, on its way or later, is account credit and makes nothing succeed`, async () => {
      const signature = await w.payInvoice(invoiceId, 600, { isFinal: false });
      expect((await cancel(body)).status).toBe(200);
      await w.payInvoice(invoiceId, 600, { signature });
      await w.runDue();
      expect([await paid(), await credit(), await held()]).toEqual([0, 1_000, 2_000]);
      await w.payInvoice(invoiceId, 600);
      expect([await paid(), await credit(), await held()]).toEqual([0, 1_600, 2_600]);
      const { paymentIntentId } = await sessionOfInvoice(w.shop, invoiceId);
      const intent = await w.shop.call('GET', `/api/merchants/intents/${paymentIntentId}`);
      expect(intent.body).toMatchObject({ status: 'underpaid', amountReceivedCents: 400, paymentUrl: null });
      await expectSound(w.service);
    });

    test(`canceled ${name} and marked returned: neither invoice nor credit has it`, async () => {
      await cancel(body);
      await w.runDue();
      const [exception] = await stray();
      expect((await w.shop.call('POST', `/api/v2/exceptions/${exception.id}/mark-returned`)).status).toBe(
        200,
      );
      expect([await paid(), await credit(), await held()]).toEqual([0, 0, 1_000]);
      await expectSound(w.service);
    });
  }

  test('canceled and taken back: the new invoice takes it as credit', async () => {
    await cancel({ atPeriodEnd: true });
    await w.runDue();
    await w.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, { cancelAtPeriodEnd: false });
    await w.runDue();
    const { latestInvoiceId } = await read();
    expect(await readInvoice(w.shop, latestInvoiceId)).toMatchObject({
      status: 'open',
      creditAppliedCents: 400,
      totalCents: 600,
      amountPaidCents: 0,
    });
    expect([await paid(), await credit(), await held()]).toEqual([0, 0, 1_400]);
    await w.payInvoice(latestInvoiceId);
    expect(await held()).toBe(2_000);
    await expectSound(w.service);
  });

  test('past due and canceled: account credit', async () => {
    await w.moveTo(days(sub.currentPeriodEnd, 1));
    await cancel({ atPeriodEnd: true });
    await w.runDue();
    expect([await paid(), await credit(), await held()]).toEqual([0, 400, 1_400]);
    await expectSound(w.service);
  });

  test('the grace period ends: it waits on the invoice for the rest, which makes it whole', async () => {
    const { graceEndsAt } = await read();
    await w.moveTo(days(graceEndsAt, 1));
    expect((await read()).status).toBe('canceled');
    expect([await paid(), await credit(), await held()]).toEqual([400, 0, 1_400]);
    await w.payInvoice(invoiceId, 600);
    expect([await paid(), await credit(), await held()]).toEqual([1_000, 0, 2_000]);
    expect((await read()).status).toBe('active');
    await expectSound(w.service);
  });

  test('30 days later: account credit; the rest that comes then is listed and is not counted; returned, it is gone', async () => {
    const { graceEndsAt } = await read();
    await w.moveTo(days(graceEndsAt, 31));
    expect([await paid(), await credit(), await held()]).toEqual([0, 400, 1_400]);
    expect(await readInvoice(w.shop, invoiceId)).toMatchObject({
      status: 'uncollectible',
      amountDueCents: 1_000,
    });
    await w.payInvoice(invoiceId, 600);
    await w.runDue();
    expect((await read()).status).toBe('canceled');
    expect([await paid(), await credit(), await held()]).toEqual([0, 400, 1_400]);
    const [exception] = await stray();
    expect((await w.shop.call('POST', `/api/v2/exceptions/${exception.id}/mark-returned`)).status).toBe(200);
    expect([await paid(), await credit(), await held()]).toEqual([0, 0, 1_000]);
    await expectSound(w.service);
  });
});
