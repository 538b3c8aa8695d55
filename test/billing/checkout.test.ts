import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import {
  eventNames,
  expectSound,
  listEvents,
  newPrice,
  newProject,
  newSession,
  newTopUp,
  paySession,
  readCustomer,
  readInvoice,
  readSession,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';

/** Journey from a price to money in the merchant's wallet and everything that follows, on the real chain. */
let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
});

const exceptions = async () => (await t.shop.call('GET', '/api/v2/exceptions')).body.data;

/** Seen by most of the network, and not final yet. */
async function confirm(): Promise<void> {
  t.chain.advanceSlots(3);
  await t.look();
}

async function advanceDays(days: number): Promise<void> {
  const ahead = t.service.clock.now().getTime() - Date.now() + days * DAY_MS;
  t.service.clock.setOffsetMs(ahead);
  await t.finalize();
  await t.expire();
}

describe('a session by key', () => {
  test('price, customer, references: paid on chain, everything follows in order', async () => {
    const price = await newPrice(t.shop, projectId, { name: 'Large' });
    const session = await newSession(t.shop, projectId, {
      priceId: price.id,
      externalCustomerId: 'user-1',
      customerEmail: 'a@example.com',
      merchantReference: 'order-1',
      successUrl: 'https://shop.example/thanks',
    });
    expect(session).toMatchObject({
      status: 'open',
      paymentStatus: 'unpaid',
      amountCents: 500,
      currency: 'USD',
      externalCustomerId: 'user-1',
      customerEmail: 'a@example.com',
      merchantReference: 'order-1',
      completedAt: null,
    });
    expect(session.checkoutUrl).toMatch(/^http:\/\/127\.0\.0\.1\/checkout\/cs_00[0-9A-Za-z]{32}$/);
    expect(session.checkoutUrl).not.toContain(session.id);
    const open = await readInvoice(t.shop, session.invoiceId);
    expect(open).toMatchObject({
      status: 'open',
      billingReason: 'one_time',
      subtotalCents: 500,
      totalCents: 500,
      amountDueCents: 500,
      checkoutSessionId: session.id,
      merchantReference: 'order-1',
      lines: [{ description: 'Coffee – Large', quantity: 1, amountCents: 500, priceId: price.id }],
    });
    expect(open.number).toMatch(/^INV-\d{6}$/);

    const signature = await paySession(t, session);
    await confirm();
    expect(await readSession(t.shop, session.id)).toMatchObject({
      status: 'open',
      paymentStatus: 'processing',
    });
    await t.finalize();
    expect(await readSession(t.shop, session.id)).toMatchObject({
      status: 'complete',
      paymentStatus: 'paid',
      amountReceivedCents: 500,
    });
    expect(await readInvoice(t.shop, session.invoiceId)).toMatchObject({
      status: 'paid',
      amountPaidCents: 500,
      amountDueCents: 0,
      txSignature: signature,
    });
    expect(await eventNames(t.service, t.shop.id, session.id)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'payment_intent.updated',
      'checkout.session.processing',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
    ]);
    const told = (await listEvents(t.service, t.shop.id)).filter(
      ({ orderingKey }) => orderingKey === session.id,
    );
    for (const { event, body } of told) {
      if (event.startsWith('payment_intent')) continue;
      expect(body.data).toMatchObject({
        projectId,
        customerId: session.customerId,
        externalCustomerId: 'user-1',
        merchantReference: 'order-1',
        clientReferenceId: null,
      });
    }
    expect(told.at(-1)!.body.data).toMatchObject({
      status: 'complete',
      previousStatus: 'open',
      txSignature: signature,
      checkoutSession: { id: session.id, status: 'complete', amountReceivedCents: 500 },
    });
    await expectSound(t.service);
  });

  test('an amount of one’s own, without price or customer', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 1250 });
    expect(session).toMatchObject({ priceId: null, customerId: null, merchantReference: null });
    await paySession(t, session);
    await t.finalize();
    expect((await readSession(t.shop, session.id)).status).toBe('complete');
    expect((await readInvoice(t.shop, session.invoiceId)).lines).toMatchObject([{ description: 'Payment' }]);
  });

  test('a part, then the rest: underpaid in between, complete in the end', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 1000 });
    await paySession(t, session, 400);
    await t.finalize();
    expect(await readSession(t.shop, session.id)).toMatchObject({
      status: 'open',
      paymentStatus: 'underpaid',
      amountReceivedCents: 400,
    });
    expect(await readInvoice(t.shop, session.invoiceId)).toMatchObject({
      status: 'open',
      amountPaidCents: 400,
      amountDueCents: 600,
    });
    await paySession(t, session, 600);
    await t.finalize();
    expect(await readSession(t.shop, session.id)).toMatchObject({
      status: 'complete',
      amountReceivedCents: 1000,
    });
    expect(await eventNames(t.service, t.shop.id, session.id)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'payment_intent.underpaid',
      'invoice.underpaid',
      'checkout.session.updated',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
    ]);
    await expectSound(t.service);
  });

  test('too much: complete, the true amount on the invoice, the surplus listed', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 300 });
    const signature = await paySession(t, session, 350);
    await t.finalize();
    expect((await readInvoice(t.shop, session.invoiceId)).amountPaidCents).toBe(350);
    const [surplus] = (await exceptions()).filter(
      (exception: { txSignature: string }) => exception.txSignature === signature,
    );
    expect(surplus).toMatchObject({ kind: 'surplus', amountCents: 50 });
    await expectSound(t.service);
  });

  test('canceled: invoice void; money after that becomes account credit and an exception, which can go back once', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 700, externalCustomerId: 'late-1' });
    const canceled = await t.shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled']);
    expect((await readInvoice(t.shop, session.invoiceId)).status).toBe('void');
    const twice = await t.shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
    expect([twice.status, twice.body.error.code]).toEqual([409, 'INVALID_STATE']);

    const signature = await paySession(t, session);
    await t.finalize();
    expect((await readCustomer(t.shop, session.customerId)).accountCreditCents).toBe(700);
    const [stray] = (await exceptions()).filter(
      (exception: { txSignature: string }) => exception.txSignature === signature,
    );
    expect(stray).toMatchObject({ kind: 'canceled', amountCents: 700, status: 'open' });
    expect(stray.balanceEntryId).not.toBeNull();
    const returned = await t.shop.call('POST', `/api/v2/exceptions/${stray.id}/mark-returned`);
    expect(returned.body.status).toBe('returned');
    expect((await readCustomer(t.shop, session.customerId)).accountCreditCents).toBe(0);
    expect(await eventNames(t.service, t.shop.id, session.id)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'payment_intent.updated',
      'invoice.voided',
      'checkout.session.canceled',
      'customer.balance_credited',
    ]);
    await expectSound(t.service);
  });

  test('409 for canceling what money was seen for, and for canceling the intent behind a session', async () => {
    const session = await newSession(t.shop, projectId);
    const direct = await t.shop.call('POST', `/api/merchants/intents/${session.paymentIntentId}/cancel`);
    expect([direct.status, direct.body.error.code]).toEqual([409, 'INVALID_STATE']);
    await paySession(t, session);
    await confirm();
    const seen = await t.shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
    expect([seen.status, seen.body.error.code]).toEqual([409, 'INVALID_STATE']);
    await t.finalize();
    expect((await readSession(t.shop, session.id)).status).toBe('complete');
  });
});

describe('a top-up', () => {
  test('credits land once, when paid', async () => {
    const price = await newTopUp(t.shop, projectId);
    const session = await newSession(t.shop, projectId, {
      mode: 'balance_top_up',
      priceId: price.id,
      externalCustomerId: 'prepaid-1',
    });
    expect((await readCustomer(t.shop, session.customerId)).creditBalance).toBe(0);
    await paySession(t, session);
    await confirm();
    expect((await readCustomer(t.shop, session.customerId)).creditBalance).toBe(0);
    await t.finalize();
    await t.finalize();
    expect((await readCustomer(t.shop, session.customerId)).creditBalance).toBe(1000);
    expect((await eventNames(t.service, t.shop.id, session.id)).slice(-3)).toEqual([
      'invoice.paid',
      'checkout.session.completed',
      'customer.balance_credited',
    ]);
    const entries = await t.shop.call('GET', `/api/v2/customers/${session.customerId}/balance-entries`);
    expect(entries.body.data).toMatchObject([
      { kind: 'top_up', deltaCredits: 1000, creditBalance: 1000, invoiceId: session.invoiceId },
    ]);
    await expectSound(t.service);
  });
});

describe('the deadline', () => {
  test('unpaid: expired and uncollectible; full payment within 30 days completes it after all', async () => {
    const session = await newSession(t.shop, projectId, { amountCents: 900 });
    const other = await newSession(t.shop, projectId, { amountCents: 800, externalCustomerId: 'half' });
    await paySession(t, other, 300);
    await t.finalize();
    await advanceDays(2);
    expect(await readSession(t.shop, session.id)).toMatchObject({
      status: 'expired',
      paymentStatus: 'unpaid',
    });
    expect((await readInvoice(t.shop, session.invoiceId)).status).toBe('uncollectible');
    expect(await readSession(t.shop, other.id)).toMatchObject({
      status: 'expired',
      paymentStatus: 'underpaid',
    });
    await paySession(t, session);
    await t.finalize();
    expect(await readSession(t.shop, session.id)).toMatchObject({
      status: 'complete',
      paymentStatus: 'paid',
    });
    expect((await readInvoice(t.shop, session.invoiceId)).status).toBe('paid');
    expect(await eventNames(t.service, t.shop.id, session.id)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'payment_intent.expired',
      'invoice.uncollectible',
      'checkout.session.expired',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
    ]);

    await advanceDays(31);
    await t.expire();
    expect((await readCustomer(t.shop, other.customerId)).accountCreditCents).toBe(300);
    const [part] = (await exceptions()).filter(
      (exception: { paymentIntentId: string; kind: string }) =>
        exception.paymentIntentId === other.paymentIntentId && exception.kind === 'stray',
    );
    expect(part).toMatchObject({ amountCents: 300, status: 'open' });
    // Too late for the rest: it matches nothing any more, and neither can it be linked.
    const signature = await paySession(t, other, 500);
    await t.finalize();
    const [late] = (await exceptions()).filter(
      (exception: { txSignature: string }) => exception.txSignature === signature,
    );
    expect(late.kind).toBe('late');
    const linked = await t.shop.call('POST', `/api/v2/exceptions/${late.id}/link`, {
      paymentIntentId: other.paymentIntentId,
    });
    expect([linked.status, linked.body.error.code]).toEqual([409, 'INVALID_STATE']);
    await expectSound(t.service);
  });
});
