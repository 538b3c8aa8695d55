import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newLink,
  newPlan,
  newPrice,
  readInvoice,
  readSession,
  readSubscription,
} from '../../../test/support/billing.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
let projectId: string;

beforeAll(async () => {
  w = await subscriptionWorld();
  projectId = w.projectId;
  await newCode({ percentOff: 25 }, 'QUARTER');
  await newCode({ percentOff: 100 }, 'FREE');
});

type Fields = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
const create = async (fields: Fields): Promise<any> =>
  (
    await w.shop.call('POST', '/api/v2/checkout-sessions', {
      projectId,
      mode: 'one_time',
      allowPromotionCodes: true,
      ...fields,
    })
  ).body;

async function newCode(fields: Fields, code: string): Promise<string> {
  const { body } = await w.shop.call('POST', '/api/v2/discounts', { projectId, name: code, ...fields });
  await w.shop.call('POST', '/api/v2/promotion-codes', { discountId: body.id, code });
  return body.id;
}

/** Submits a code as the page's form does; returns where the browser is redirected. */
async function enter({ checkoutUrl }: { checkoutUrl: string }, code: string): Promise<string> {
  const { pathname } = new URL(checkoutUrl);
  const response = await fetch(`${w.service.url}${pathname}/promotion-code?lang=en`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: 'null',
    },
    body: new URLSearchParams({ code }),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  return response.headers.get('location')!.split('?')[1]!;
}

const countOf = async (id: string) =>
  (await w.shop.call('GET', `/api/v2/discounts/${id}`)).body.redemptionsCount;

test('session, invoice and payment cost less from then on; another code replaces the first', async () => {
  const less = await newCode({ amountOffCents: 100 }, 'LESS');
  const session = await create({ lineItems: [{ name: 'a', unitAmountCents: 501, quantity: 2 }] });
  expect(session).toMatchObject({ allowPromotionCodes: true, amountCents: 1_002 });
  expect(await enter(session, 'less')).toBe('lang=en');
  expect(await readSession(w.shop, session.id)).toMatchObject({
    amountCents: 902,
    discount: { promotionCode: 'LESS' },
  });
  expect(await countOf(less)).toBe(1);
  await enter(session, 'Quarter');
  expect(await countOf(less)).toBe(0);
  expect(await readSession(w.shop, session.id)).toMatchObject({ amountCents: 751, discountCents: 251 });
  expect(await readInvoice(w.shop, session.invoiceId)).toMatchObject({ totalCents: 751, discountCents: 251 });
  const intent = await w.shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
  expect(intent.body.expectedAmountCents).toBe(751);
  await w.payInvoice(session.invoiceId);
  expect((await readSession(w.shop, session.id)).status).toBe('complete');
  await expectSound(w.service);
});

test('a code that makes it free completes it, once, however often it is sent', async () => {
  const session = await create({ amountCents: 500, externalCustomerId: 'free' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => enter(session, 'FREE')));
  expect(answers.filter((answer) => answer === 'lang=en').length).toBe(1);
  expect(await readSession(w.shop, session.id)).toMatchObject({ status: 'complete', amountCents: 0 });
  expect((await readInvoice(w.shop, session.invoiceId)).status).toBe('paid');
  await expectSound(w.service);
});

test('a refused code changes nothing, and the page says why', async () => {
  const other = await newPrice(w.shop, projectId);
  await newCode({ percentOff: 5, productIds: [other.productId] }, 'ELSEWHERE');
  await newCode({ percentOff: 5, endsAt: '2026-01-01T00:00:00Z' }, 'PAST');
  const session = await create({ amountCents: 500 });
  for (const [code, problem, words] of [
    ['NOBODY', 'invalid', 'This code isn’t valid.'],
    ['', 'invalid', 'This code isn’t valid.'],
    ['A\u0000', 'invalid', 'This code isn’t valid.'],
    ['<b>\ud83e\udd80</b>', 'invalid', 'This code isn’t valid.'],
    ['x'.repeat(5_000), 'invalid', 'This code isn’t valid.'],
    ['PAST', 'refused', 'This code can’t be used right now.'],
    ['ELSEWHERE', 'idle', 'This code doesn’t apply to this order.'],
  ] as const) {
    const query = await enter(session, code);
    expect([code, query]).toEqual([code, `lang=en&code=${problem}`]);
    const page = await fetch(`${w.service.url}${new URL(session.checkoutUrl).pathname}?${query}`);
    expect(await page.text()).toContain(words);
  }
  expect(await readSession(w.shop, session.id)).toEqual(session);
});

test('only where codes are allowed, and before any money', async () => {
  const closed = await create({ amountCents: 500, allowPromotionCodes: false });
  expect(await enter(closed, 'QUARTER')).toBe('lang=en&code=refused');
  const page = await fetch(`${w.service.url}${new URL(closed.checkoutUrl).pathname}?lang=en`);
  expect(await page.text()).not.toContain('Promotion code');
  const begun = await create({ amountCents: 500 });
  await w.payInvoice(begun.invoiceId, 100);
  expect(await enter(begun, 'QUARTER')).toBe('lang=en&code=refused');
});

test('a subscription keeps the discount of the code for its periods, by key and by link', async () => {
  await newCode({ percentOff: 10, duration: 'periods', durationPeriods: 3 }, 'THREE');
  const plan = await newPlan(w.shop, projectId);
  const session = await create({ mode: 'subscription', priceId: plan.id, externalCustomerId: 'coded' });
  await enter(session, 'THREE');
  await w.payInvoice(session.invoiceId);
  expect(await readSubscription(w.shop, session.subscriptionId)).toMatchObject({ discountPeriodsLeft: 2 });
  const terms = { billingMode: 'subscription', recurringInterval: 'month', allowPromotionCodes: true };
  const { paymentLink } = await newLink(w.shop, projectId, terms);
  expect(paymentLink.allowPromotionCodes).toBe(true);
  const { body } = await w.shop.call('POST', `/api/v2/payment-links/${paymentLink.publicToken}/checkout`, {});
  await enter(body, 'THREE');
  const linked = await readSession(w.shop, body.sessionId);
  expect(linked).toMatchObject({ amountCents: 450, customerId: null });
  await w.payInvoice(linked.invoiceId);
  const { subscriptionId } = await readSession(w.shop, body.sessionId);
  expect(await readSubscription(w.shop, subscriptionId)).toMatchObject({
    status: 'active',
    discountPeriodsLeft: 2,
  });
  await expectSound(w.service);
});

test('a link’s checkout that a code makes free: the buyer becomes a customer without paying', async () => {
  const { paymentLink } = await newLink(w.shop, projectId, {
    allowPromotionCodes: true,
    collectCustomerEmail: true,
  });
  const { body } = await w.shop.call('POST', `/api/v2/payment-links/${paymentLink.publicToken}/checkout`, {
    customerEmail: 'ada@example.com',
  });
  await enter(body, 'FREE');
  const session = await readSession(w.shop, body.sessionId);
  expect(session).toMatchObject({ status: 'complete', customerId: expect.any(String) });
  expect(await readInvoice(w.shop, session.invoiceId)).toMatchObject({
    status: 'paid',
    number: expect.any(String),
  });
  const link = await w.shop.call('GET', `/api/v2/payment-links/${paymentLink.id}`);
  expect(link.body.paymentsCount).toBe(1);
  await expectSound(w.service);
});
