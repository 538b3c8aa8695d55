import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  advance,
  bring,
  eventNames,
  expectSound,
  newCustomer,
  newPlan,
  newProject,
  newSession,
  newTopUp,
  readCustomer,
  readInvoice,
  readSession,
  readSubscription,
  runDue,
} from '../../../test/support/billing.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
});

beforeEach(async () => {
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

const accept = (id: string, headers?: Record<string, string>) =>
  shop.call('POST', `/api/merchants/intents/${id}/accept`, undefined, headers);
const acceptInvoice = (id: string, version = '/api/v2') =>
  shop.call('POST', `${version}/invoices/${id}/accept`);
const readIntent = async (id: string) => (await shop.call('GET', `/api/merchants/intents/${id}`)).body;
const openExceptions = async () =>
  (await shop.call('GET', '/api/v2/exceptions?status=open')).body.data as {
    id: string;
    kind: string;
    amountCents: number;
  }[];
const refusalOf = ({ status, body }: { status: number; body: { error: { message: string } } }) => [
  status,
  body.error.message,
];

/** A checkout over 10 dollars, of which 8 were paid. */
async function underpaid(fields: object = {}, cents: number | bigint = 800) {
  const session = await newSession(shop, projectId, { amountCents: 1000, ...fields });
  await bring(service, shop, session, cents);
  return session;
}

describe('POST …/intents/{id}/accept', () => {
  test('200: the order completes, the rest is waived, and nothing is booked that did not arrive', async () => {
    const session = await underpaid({ externalCustomerId: 'ada' });
    const { status, body } = await accept(session.paymentIntentId);
    expect([status, body]).toMatchObject([
      200,
      { status: 'succeeded', amountReceivedCents: 800, waivedCents: 200, paymentUrl: null },
    ]);
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({
      ...{ status: 'paid', totalCents: 1000, amountPaidCents: 800, waivedCents: 200, amountDueCents: 0 },
    });
    expect(await readSession(shop, session.id)).toMatchObject({ status: 'complete', paymentStatus: 'paid' });
    expect((await readCustomer(shop, session.customerId)).accountCreditCents).toBe(0);
    const names = await eventNames(service, shop.id);
    expect(names.slice(-3).toSorted()).toEqual([
      'checkout.session.completed',
      'invoice.paid',
      'payment_intent.succeeded',
    ]);
    const audit = (await shop.call('GET', '/api/b2b/merchants/audit-entries?limit=1')).body.data[0];
    expect(audit).toMatchObject({ action: 'payment_intent.accepted' });
    expect((await shop.call('GET', '/api/b2b/merchants/stats')).body.totalVolumeCents).toBe(800);
    const overview = (await shop.call('GET', '/api/v2/billing/overview')).body;
    expect(overview).toMatchObject({ paidThisMonthCents: 800, waivedThisMonthCents: 200 });
    await expectSound(service);
  });

  test('200 twice is once, with and without a key, and at the same moment', async () => {
    const { paymentIntentId: id } = await underpaid();
    const answers = await Promise.all([accept(id), accept(id), accept(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await accept(id, { 'Idempotency-Key': 'again' })).body.waivedCents).toBe(200);
    const names = await eventNames(service, shop.id);
    expect(names.filter((name) => name === 'payment_intent.succeeded')).toHaveLength(1);
    await expectSound(service);
  });

  test('the rest that still arrives is an exception, to the last unit, and can be refunded', async () => {
    const session = await underpaid({}, 800);
    const { referenceAddress } = await readIntent(session.paymentIntentId);
    await arrive(service, shop.id, { baseUnits: 5_001n, references: [referenceAddress] });
    await accept(session.paymentIntentId);
    expect((await readIntent(session.paymentIntentId)).waivedCents).toBe(200);
    await bring(service, shop, session, 200);
    expect(await openExceptions()).toMatchObject([{ kind: 'surplus', amountCents: 200 }]);
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({
      ...{ status: 'paid', amountPaidCents: 800, waivedCents: 200, amountDueCents: 0 },
    });
    await expectSound(service);
  });

  test('accepting and the rest arriving at the same moment end in one of two ways, both sound', async () => {
    for (let round = 0; round < 5; round++) {
      const session = await underpaid();
      const [accepted] = await Promise.all([
        accept(session.paymentIntentId),
        bring(service, shop, session, 200),
      ]);
      const intent = await readIntent(session.paymentIntentId);
      const waivedCents = accepted.status === 200 ? 200 : 0;
      expect(intent).toMatchObject({
        ...{ status: 'succeeded', waivedCents, amountReceivedCents: 1000 - waivedCents },
      });
      await expectSound(service);
    }
  });

  test('refunds are limited to what was paid', async () => {
    const { paymentIntentId } = await underpaid();
    await accept(paymentIntentId);
    const refund = (amountCents: number) =>
      shop.call('POST', '/api/v2/refunds', { paymentIntentId, amountCents, reason: 'other' });
    expect(refusalOf(await refund(801))).toEqual([400, expect.stringContaining('amountCents')]);
    expect((await refund(800)).status).toBe(201);
    await expectSound(service);
  });

  test('409 for what is not underpaid, goes back, was canceled, or whose order is paid already', async () => {
    const unpaid = await newSession(shop, projectId, { amountCents: 1000 });
    expect(refusalOf(await accept(unpaid.paymentIntentId))).toEqual([
      409,
      'Only an underpaid payment can be accepted as paid; this one is pending.',
    ]);
    const refunding = await underpaid();
    const { paymentIntentId } = refunding;
    await shop.call('POST', '/api/v2/refunds', { paymentIntentId, reason: 'other' });
    expect(refusalOf(await accept(paymentIntentId))[1]).toContain('is being refunded');
    const processing = await underpaid();
    await bring(service, shop, processing, 200, { isFinal: false });
    expect(refusalOf(await accept(processing.paymentIntentId))[1]).toContain('in progress');
    const order = { amountCents: 1000, orderId: 'twice' };
    const [one, two] = [
      (await shop.call('POST', '/api/merchants/intents', order)).body,
      (await shop.call('POST', '/api/merchants/intents', order)).body,
    ];
    await bring(service, shop, { paymentIntentId: one.id }, 800);
    await bring(service, shop, { paymentIntentId: two.id }, 1000);
    expect((await accept(one.id)).body.error.code).toBe('ORDER_ALREADY_PAID');
    await expectSound(service);
  });

  test('a tip is dropped first: only what is missing of the goods is waived', async () => {
    const session = await newSession(shop, projectId, { amountCents: 1000, tipPercents: [20] });
    const url = `${service.url}${new URL(session.checkoutUrl).pathname}/tip`;
    const body = new URLSearchParams({ percent: '20' });
    await fetch(url, { method: 'POST', headers: { origin: service.url }, body, redirect: 'manual' });
    expect((await readIntent(session.paymentIntentId)).expectedAmountCents).toBe(1200);
    await bring(service, shop, session, 999);
    expect((await accept(session.paymentIntentId)).body).toMatchObject({
      ...{ expectedAmountCents: 1000, amountReceivedCents: 999, waivedCents: 1 },
    });
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({ totalCents: 1000, waivedCents: 1 });
    expect(await readSession(shop, session.id)).toMatchObject({
      ...{ status: 'complete', tipCents: 0, amountCents: 1000 },
    });
    await expectSound(service);
  });

  test('200 without a checkout', async () => {
    const order = { amountCents: 500, orderId: 'till' };
    const { id } = (await shop.call('POST', '/api/merchants/intents', order)).body;
    await bring(service, shop, { paymentIntentId: id }, 499);
    expect((await accept(id)).body).toMatchObject({ status: 'succeeded', waivedCents: 1 });
    await expectSound(service);
  });

  test('credits and subscriptions begin as if all had been paid', async () => {
    const topUp = await newTopUp(shop, projectId, { unitAmountCents: 1000, creditAmount: 70 });
    const bought = await newSession(shop, projectId, {
      ...{ mode: 'balance_top_up', priceId: topUp.id, amountCents: undefined, externalCustomerId: 'ada' },
    });
    await bring(service, shop, bought, 900);
    await accept(bought.paymentIntentId);
    expect((await readCustomer(shop, bought.customerId)).creditBalance).toBe(70);
    const plan = await newPlan(shop, projectId);
    const session = await newSession(shop, projectId, {
      ...{ mode: 'subscription', priceId: plan.id, amountCents: undefined, externalCustomerId: 'ada' },
    });
    await bring(service, shop, session, 900);
    await accept(session.paymentIntentId);
    const { subscriptionId } = await readSession(shop, session.id);
    expect((await readSubscription(shop, subscriptionId)).status).toBe('active');
    await expectSound(service);
  });

  test('200 after the part was listed as an exception: it is no longer account credit, and the exception ends', async () => {
    const { id: customerId } = await newCustomer(shop, projectId, { externalCustomerId: 'ada' });
    const session = await underpaid({ externalCustomerId: 'ada' });
    await advance(service, 40);
    await runDue(service);
    const [exception] = await openExceptions();
    expect(exception).toMatchObject({ kind: 'stray', amountCents: 800 });
    expect((await readCustomer(shop, customerId)).accountCreditCents).toBe(800);
    expect((await accept(session.paymentIntentId)).body).toMatchObject({
      status: 'succeeded',
      waivedCents: 200,
    });
    expect((await readCustomer(shop, customerId)).accountCreditCents).toBe(0);
    expect(await openExceptions()).toEqual([]);
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({
      status: 'paid',
      amountPaidCents: 800,
    });
    const { paymentIntentId } = session;
    const refund = await shop.call('POST', '/api/v2/refunds', { paymentIntentId, reason: 'other' });
    expect([refund.status, refund.body.amountCents]).toEqual([201, 800]);
    await expectSound(service);
  });

  test('409 when a person has decided about the part, until that is undone', async () => {
    const session = await underpaid({ externalCustomerId: 'ada' });
    await advance(service, 40);
    await runDue(service);
    const [exception] = await openExceptions();
    await shop.call('POST', `/api/v2/exceptions/${exception!.id}/mark-returned`);
    expect(refusalOf(await accept(session.paymentIntentId))[1]).toContain('undo that decision first');
    await shop.call('POST', `/api/v2/exceptions/${exception!.id}/reopen`);
    expect((await accept(session.paymentIntentId)).status).toBe(200);
    await expectSound(service);
  });
});

describe('POST /invoices/{id}/accept', () => {
  test('200 in both versions, and on the PDF, in the CSV and in the tax report', async () => {
    const seller = {
      legalName: 'Muster GmbH',
      country: 'DE',
      taxIds: [{ type: 'eu_vat', value: 'DE136695976' }],
    };
    const taxed = (await newProject(shop, { seller })).id;
    const rate = { projectId: taxed, name: 'VAT', country: 'DE', percent: 19, isDefault: true };
    await shop.call('POST', '/api/v2/tax-rates', rate);
    const lineItems = [
      { name: 'Cup', unitAmountCents: 1000, quantity: 1, taxBehavior: 'exclusive' },
      { name: 'Free of tax', unitAmountCents: 310, quantity: 1, taxBehavior: 'none' },
    ];
    for (const version of ['/api/v2', '/api']) {
      const session = await newSession(shop, taxed, { amountCents: undefined, lineItems });
      await bring(service, shop, session, 1200);
      const { status, body } = await acceptInvoice(session.invoiceId, version);
      expect([status, body]).toMatchObject([200, { status: 'paid', totalCents: 1500, waivedCents: 300 }]);
      const pdf = await fetch(`${service.url}/api/v2/invoices/${body.id}/pdf`, {
        headers: { authorization: `Bearer ${shop.key}` },
      });
      const text = (await readPdf(Buffer.from(await pdf.arrayBuffer()))).join();
      expect(text).toContain('Waived');
      expect(text).toContain('$3.00');
    }
    const period = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    const { rows } = (await shop.call('GET', `/api/v2/tax-report?projectId=${taxed}&${period}`)).body;
    const sum = (field: string) =>
      rows.reduce((total: number, row: Record<string, number>) => total + row[field]!, 0);
    expect(sum('grossCents')).toBe(2400);
    expect(sum('waivedNetCents') + sum('waivedTaxCents')).toBe(600);
    expect(rows[0]).toMatchObject({ percent: 19, invoicedTaxCents: 380, waivedTaxCents: 76, taxCents: 304 });
    const csv = await shop.call('GET', '/api/v2/invoices', undefined, { accept: 'text/csv' });
    expect(csv.text.split('\r\n')[0]).toContain(',waivedUsd,waivedCents');
    await expectSound(service);
  });

  test('409 for a draft, 404 for another merchant’s', async () => {
    const customer = await newCustomer(shop, projectId, { name: 'Ada' });
    const given = { projectId, customerId: customer.id };
    const lineItems = [{ name: 'Work', unitAmountCents: 100, quantity: 1 }];
    const draft = (await shop.call('POST', '/api/v2/invoices', { ...given, lineItems })).body;
    expect((await acceptInvoice(draft.id)).status).toBe(409);
    const session = await underpaid();
    const other = await service.createMerchant();
    expect((await other.call('POST', `/api/v2/invoices/${session.invoiceId}/accept`)).status).toBe(404);
    expect((await readInvoice(shop, session.invoiceId)).status).toBe('open');
  });
});
