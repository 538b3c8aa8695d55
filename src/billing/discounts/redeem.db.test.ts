import { beforeAll, describe, expect, test } from 'vitest';
import {
  eventNames,
  expectSound,
  newPlan,
  newPrice,
  newProject,
  newTopUp,
  readCustomer,
  readInvoice,
  readSession,
  readSubscription,
} from '../../../test/support/billing.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
let projectId: string;

beforeAll(async () => {
  w = await subscriptionWorld();
  projectId = w.projectId;
});

type Fields = Record<string, unknown>;
const newDiscount = async (fields: Fields) =>
  (await w.shop.call('POST', '/api/v2/discounts', { projectId, name: 'Sale', ...fields })).body;
const newCode = async (discountId: string, code: string) =>
  (await w.shop.call('POST', '/api/v2/promotion-codes', { discountId, code })).body;
const create = (fields: Fields) =>
  w.shop.call('POST', '/api/v2/checkout-sessions', { projectId, mode: 'one_time', ...fields });
const countOf = async (id: string) =>
  (await w.shop.call('GET', `/api/v2/discounts/${id}`)).body.redemptionsCount;
const refusal = ({ status, body }: { status: number; body: Fields }) => [
  status,
  (body.error as { code: string; message: string }).code,
];

test('lines share a discount to the cent; session, invoice and PDF say the same', async () => {
  const discount = await newDiscount({ percentOff: 33.33 });
  await newCode(discount.id, 'SUMMER');
  const { status, body } = await create({
    promotionCode: 'summer',
    lineItems: [
      { name: 'Cup', unitAmountCents: 1_001, quantity: 3 },
      { name: 'Plate', unitAmountCents: 999 },
      { name: 'Spoon', unitAmountCents: 1 },
    ],
  });
  expect([status, body]).toMatchObject([
    201,
    {
      amountCents: 2_669,
      discountCents: 1_334,
      discount: { id: discount.id, name: 'Sale', promotionCode: 'SUMMER' },
    },
  ]);
  expect(body.lineItems.map(({ discountCents }: Fields) => discountCents)).toEqual([1_001, 333, 0]);
  expect(await readSession(w.shop, body.id)).toEqual(body);
  const invoice = await readInvoice(w.shop, body.invoiceId);
  expect(invoice).toMatchObject({
    subtotalCents: 4_003,
    discountCents: 1_334,
    totalCents: 2_669,
    discount: body.discount,
  });
  const url = `${w.service.url}/api/v2/invoices/${invoice.id}/pdf`;
  const pdf = await fetch(url, { headers: { authorization: `Bearer ${w.shop.key}` } });
  const text = JSON.stringify(await readPdf(new Uint8Array(await pdf.arrayBuffer())));
  expect(text).toContain('Discount: Sale (SUMMER)');
  expect(text).toContain('13.34');
  await w.payInvoice(body.invoiceId);
  expect((await readInvoice(w.shop, body.invoiceId)).status).toBe('paid');
  expect(await countOf(discount.id)).toBe(1);
  await expectSound(w.service);
});

test('only for some products: the others cost what they cost, and with none of them it is refused', async () => {
  const [cup, plate] = [await newPrice(w.shop, projectId), await newPrice(w.shop, projectId)];
  const discount = await newDiscount({ amountOffCents: 800, productIds: [cup.productId] });
  const { body } = await create({
    discountId: discount.id.toUpperCase(),
    lineItems: [{ priceId: plate.id }, { priceId: cup.id }, { name: 'Box', unitAmountCents: 100 }],
  });
  expect(body).toMatchObject({ amountCents: 600, discountCents: 500 });
  const none = await create({ discountId: discount.id, priceId: plate.id });
  expect([none.status, none.body.error.message]).toEqual([
    400,
    'discountId applies to nothing in this checkout',
  ]);
  expect(await countOf(discount.id)).toBe(1);
});

test('400 and 409: unknown, switched off, not yet, over, both at once; nothing is created', async () => {
  const { length: before } = await w.service.db.query('select from checkout_sessions');
  const amount = { amountCents: 500 };
  const bad = async (fields: Fields, status: number, word: string) => {
    const { status: got, body } = await create({ ...amount, ...fields });
    expect([fields, got, body.error.message.split(' ')[0]]).toEqual([fields, status, word]);
  };
  const elsewhere = await newProject(w.shop);
  const foreign = await newDiscount({ projectId: elsewhere.id, percentOff: 5 });
  const off = await newDiscount({ percentOff: 5 });
  const { id: codeId } = await newCode(off.id, 'OFF');
  await bad({ discountId: foreign.id }, 400, 'discountId');
  await bad({ discountId: projectId }, 400, 'discountId');
  await bad({ promotionCode: 'NOBODY' }, 400, 'promotionCode');
  await bad({ discountId: off.id, promotionCode: 'OFF' }, 400, 'promotionCode');
  await w.shop.call('PATCH', `/api/v2/promotion-codes/${codeId}`, { isActive: false });
  await bad({ promotionCode: 'OFF' }, 400, 'promotionCode');
  await w.shop.call('PATCH', `/api/v2/discounts/${off.id}`, { isActive: false });
  await bad({ discountId: off.id }, 409, 'This');
  const later = await newDiscount({ percentOff: 5, startsAt: days(w.service.clock.now(), 1).toISOString() });
  await bad({ discountId: later.id }, 409, 'This');
  const over = await newDiscount({ percentOff: 5, endsAt: days(w.service.clock.now(), -1).toISOString() });
  await bad({ discountId: over.id }, 409, 'This');
  expect((await w.service.db.query('select from checkout_sessions')).length).toBe(before);
});

test('1,000 rivals for 25: exactly 25 get it, and what they cancel is given to others', async () => {
  const discount = await newDiscount({ percentOff: 50, maxRedemptions: 25 });
  // A service that is busy for too long asks to come again, and they do.
  const compete = async (fields: Fields): ReturnType<typeof create> => {
    const answer = await create(fields);
    return answer.status === 503 ? compete(fields) : answer;
  };
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => compete({ amountCents: 100 + n, discountId: discount.id })),
  );
  const got = answers.filter(({ status }) => status === 201);
  expect(got.length).toBe(25);
  const others = answers.filter(({ status }) => status !== 201).map(refusal);
  expect(new Set(others.map(String))).toEqual(new Set(['409,INVALID_STATE']));
  expect(await countOf(discount.id)).toBe(25);
  for (const { body } of got.slice(0, 3)) {
    await w.shop.call('POST', `/api/v2/checkout-sessions/${body.id}/cancel`, {});
  }
  expect(await countOf(discount.id)).toBe(22);
  expect((await create({ amountCents: 100, discountId: discount.id })).status).toBe(201);
  await expectSound(w.service);
}, 120_000);

test('given back when the deadline passes; paid late it counts again where there is room', async () => {
  const discount = await newDiscount({ percentOff: 50, maxRedemptions: 1 });
  const { body: first } = await create({ amountCents: 1_000, discountId: discount.id });
  expect(refusal(await create({ amountCents: 1_000, discountId: discount.id }))).toEqual([
    409,
    'INVALID_STATE',
  ]);
  await w.moveTo(days(first.expiresAt, 1));
  expect(await readSession(w.shop, first.id)).toMatchObject({ status: 'expired' });
  expect(await countOf(discount.id)).toBe(0);
  await w.payInvoice(first.invoiceId);
  expect(await readSession(w.shop, first.id)).toMatchObject({ status: 'complete', discountCents: 500 });
  expect(await countOf(discount.id)).toBe(1);
  await expectSound(w.service);
});

test('so often per customer, known by id or by e-mail', async () => {
  const discount = await newDiscount({ percentOff: 10, maxPerCustomer: 1 });
  const base = { amountCents: 500, discountId: discount.id };
  const nobody = await create(base);
  expect([nobody.status, nobody.body.error.message.split(' ')[0]]).toEqual([400, 'discountId']);
  const rivals = await Promise.all(
    Array.from({ length: 20 }, () => create({ ...base, externalCustomerId: 'one' })),
  );
  expect(rivals.filter(({ status }) => status === 201).length).toBe(1);
  expect((await create({ ...base, customerEmail: 'Ada@example.com' })).status).toBe(201);
  expect((await create({ ...base, customerEmail: 'ada@example.com' })).status).toBe(409);
  expect((await create({ ...base, externalCustomerId: 'two' })).status).toBe(201);
  await expectSound(w.service);
});

describe('nothing left to pay', () => {
  test('complete at once and once: invoice paid, credits added, events as for any payment', async () => {
    const discount = await newDiscount({ percentOff: 100 });
    const topUp = await newTopUp(w.shop, projectId);
    const order = {
      mode: 'balance_top_up',
      priceId: topUp.id,
      externalCustomerId: 'free',
      discountId: discount.id,
    };
    const { status, body } = await create(order);
    expect([status, body]).toMatchObject([
      201,
      { status: 'complete', paymentStatus: 'paid', amountCents: 0, amountReceivedCents: 0 },
    ]);
    expect(await readInvoice(w.shop, body.invoiceId)).toMatchObject({
      status: 'paid',
      subtotalCents: 500,
      discountCents: 500,
      totalCents: 0,
      amountPaidCents: 0,
      txSignature: null,
    });
    expect((await readCustomer(w.shop, body.customerId)).creditBalance).toBe(1_000);
    expect(await eventNames(w.service, w.shop.id, body.id)).toEqual([
      'invoice.created',
      'checkout.session.created',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
      'customer.balance_credited',
    ]);
    await expectSound(w.service);
  });

  test('a subscription starts, and its renewals cost nothing either while the discount lasts', async () => {
    const plan = await newPlan(w.shop, projectId);
    const discount = await newDiscount({ percentOff: 100, duration: 'periods', durationPeriods: 2 });
    const order = {
      mode: 'subscription',
      priceId: plan.id,
      externalCustomerId: 'free plan',
      discountId: discount.id,
    };
    const { body } = await create(order);
    const sub = await readSubscription(w.shop, body.subscriptionId);
    expect(sub).toMatchObject({ status: 'active', discountId: discount.id, discountPeriodsLeft: 1 });
    await w.moveTo(days(sub.currentPeriodEnd, 1));
    const renewed = await readSubscription(w.shop, sub.id);
    expect(renewed).toMatchObject({ status: 'active', discountId: null, discountPeriodsLeft: null });
    expect(await readInvoice(w.shop, renewed.latestInvoiceId)).toMatchObject({
      status: 'paid',
      totalCents: 0,
    });
    await w.moveTo(days(renewed.currentPeriodEnd, -1));
    const asked = await readSubscription(w.shop, sub.id);
    expect(await readInvoice(w.shop, asked.latestInvoiceId)).toMatchObject({
      status: 'open',
      totalCents: 1_000,
    });
    await expectSound(w.service);
  });
});

describe('subscriptions', () => {
  const subscribe = async (fields: Fields, customer: string) => {
    const { body } = await create({ mode: 'subscription', externalCustomerId: customer, ...fields });
    await w.payInvoice(body.invoiceId);
    return readSubscription(w.shop, body.subscriptionId);
  };

  test('renewals keep a discount for its periods, also those opened many at a time; then the price is back', async () => {
    const plan = await newPlan(w.shop, projectId, { unitAmountCents: 999 });
    const three = await newDiscount({ percentOff: 10, duration: 'periods', durationPeriods: 3 });
    const always = await newDiscount({ amountOffCents: 100, duration: 'forever' });
    const short = await subscribe({ priceId: plan.id, discountId: three.id }, 'three');
    const long = await subscribe({ priceId: plan.id, discountId: always.id }, 'always');
    const totals: number[][] = [];
    let end = short.currentPeriodEnd;
    for (let n = 0; n < 3; n++) {
      await w.moveTo(days(end, -1));
      const invoices = [];
      for (const { id } of [short, long]) {
        const { latestInvoiceId } = await readSubscription(w.shop, id);
        invoices.push(await readInvoice(w.shop, latestInvoiceId));
        await w.payInvoice(latestInvoiceId);
      }
      totals.push(invoices.map(({ totalCents }) => totalCents));
      await w.moveTo(days(end, 1));
      end = (await readSubscription(w.shop, short.id)).currentPeriodEnd;
    }
    expect(totals).toEqual([
      [899, 899],
      [899, 899],
      [999, 899],
    ]);
    expect(await countOf(three.id)).toBe(1);
    await expectSound(w.service);
  });

  test('a change credits only what the period cost, and bills exactly what was previewed', async () => {
    const monthly = { recurringInterval: 'day', recurringIntervalCount: 30 };
    const small = await newPlan(w.shop, projectId, { unitAmountCents: 1_000, ...monthly });
    const large = await newPlan(w.shop, projectId, { unitAmountCents: 3_000, ...monthly });
    const yearly = await newPlan(w.shop, projectId, { unitAmountCents: 9_000, recurringInterval: 'year' });
    const once = await newDiscount({ percentOff: 90 });
    const sub = await subscribe({ priceId: small.id, discountId: once.id }, 'once');
    const preview = async (body: Fields) =>
      (
        await w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/preview-change`, {
          ...{ prorationDate: sub.currentPeriodStart, ...body },
        })
      ).body;
    const up = await preview({ priceId: large.id });
    expect(up).toMatchObject({ creditCents: 100, chargeCents: 300, nextInvoice: { amountCents: 3_000 } });
    const reset = await preview({ priceId: yearly.id });
    expect(reset).toMatchObject({ creditCents: 100, chargeCents: 9_000, amountDueCents: 8_900 });
    const { body } = await w.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, {
      priceId: large.id,
      previewToken: up.previewToken,
    });
    const invoice = await readInvoice(w.shop, body.pendingChange.invoiceId);
    expect(invoice).toMatchObject({ lines: up.lines, totalCents: up.amountDueCents });
    await w.payInvoice(invoice.id);
    expect((await preview({ priceId: yearly.id })).creditCents).toBe(300);
    await expectSound(w.service);
  });

  test('a new period by another interval uses one of the discount’s periods up', async () => {
    const plan = await newPlan(w.shop, projectId, { unitAmountCents: 1_000 });
    const yearly = await newPlan(w.shop, projectId, { unitAmountCents: 8_000, recurringInterval: 'year' });
    const discount = await newDiscount({ percentOff: 50, duration: 'periods', durationPeriods: 2 });
    const sub = await subscribe({ priceId: plan.id, discountId: discount.id }, 'reset');
    const path = `/api/v2/subscriptions/${sub.id}`;
    const { body: shown } = await w.shop.call('POST', `${path}/preview-change`, {
      ...{ priceId: yearly.id, prorationDate: sub.currentPeriodStart },
    });
    expect(shown).toMatchObject({
      chargeCents: 4_000,
      creditCents: 500,
      amountDueCents: 3_500,
      nextInvoice: { amountCents: 8_000 },
    });
    const { body } = await w.shop.call('PATCH', path, {
      priceId: yearly.id,
      previewToken: shown.previewToken,
    });
    const invoice = await readInvoice(w.shop, body.pendingChange.invoiceId);
    expect(invoice).toMatchObject({ totalCents: 3_500, discountCents: 4_000 });
    await w.payInvoice(invoice.id);
    expect(await readSubscription(w.shop, sub.id)).toMatchObject({ priceId: yearly.id, discountId: null });
    await expectSound(w.service);
  });
});
