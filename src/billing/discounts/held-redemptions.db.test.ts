import { beforeAll, describe, expect, test } from 'vitest';
import {
  eventNames,
  expectSound,
  newLink,
  newPlan,
  newPrice,
  readCustomer,
  readInvoice,
  readSession,
  readSubscription,
} from '../../../test/support/billing.ts';
import { call } from '../../../test/support/service.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
let priceId: string;

beforeAll(async () => {
  w = await subscriptionWorld();
  priceId = (await newPrice(w.shop, w.projectId, { unitAmountCents: 1_000 })).id;
});

type Fields = Record<string, unknown>;
let codes = 0;

/** A code that takes half off, for so many checkouts. */
async function newCode(fields: Fields = { maxRedemptions: 1 }) {
  const body = { projectId: w.projectId, name: 'Half', percentOff: 50, ...fields };
  const { body: discount } = await w.shop.call('POST', '/api/v2/discounts', body);
  const code = `HALF${++codes}`;
  await w.shop.call('POST', '/api/v2/promotion-codes', { discountId: discount.id, code });
  return { discountId: discount.id as string, code };
}

const buy = (promotionCode: string, fields: Fields = {}) =>
  w.shop.call('POST', '/api/v2/checkout-sessions', {
    ...{ projectId: w.projectId, mode: 'one_time', priceId, promotionCode, ...fields },
  });
const countOf = async (discountId: string) =>
  (await w.shop.call('GET', `/api/v2/discounts/${discountId}`)).body.redemptionsCount;
const hours = (count: number) => days(w.service.clock.now(), count / 24);
/** Opens the page as a browser does. */
const look = ({ checkoutUrl }: { checkoutUrl: string }) =>
  call(`${w.service.url}${new URL(checkoutUrl).pathname}`, 'GET', undefined, { accept: 'text/html' });
const exceptionsOf = async (txSignature: string) =>
  (await w.shop.call('GET', `/api/v2/exceptions?txSignature=${txSignature}`)).body.data;

describe('a checkout that nobody pays', () => {
  test('holds a code for an hour, then gives it back and can still be paid while there is one left', async () => {
    const { code, discountId } = await newCode();
    const first = (await buy(code)).body;
    expect((await buy(code)).status).toBe(409);
    await w.moveTo(hours(0.9));
    expect((await buy(code)).status).toBe(409);
    await w.moveTo(hours(0.2));
    expect(await countOf(discountId)).toBe(0);
    expect((await readSession(w.shop, first.id)).status).toBe('open');
    await w.payInvoice(first.invoiceId);
    expect((await readSession(w.shop, first.id)).status).toBe('complete');
    expect(await countOf(discountId)).toBe(1);
    expect((await buy(code)).status).toBe(409);
    await w.moveTo(hours(48));
    expect(await countOf(discountId)).toBe(1);
    await expectSound(w.service);
  });

  test('keeps it while somebody looks at the page', async () => {
    const { code, discountId } = await newCode();
    const session = (await buy(code)).body;
    for (let n = 0; n < 4; n++) {
      await w.moveTo(hours(0.75));
      expect((await look(session)).status).toBe(200);
    }
    expect([await countOf(discountId), (await buy(code)).status]).toEqual([1, 409]);
    await w.moveTo(hours(1.1));
    expect(await countOf(discountId)).toBe(0);
    await look(session);
    expect(await countOf(discountId)).toBe(1);
    await w.payInvoice(session.invoiceId);
    expect((await readSession(w.shop, session.id)).status).toBe('complete');
  });

  test('of a link, which anybody can open, keeps it for three hours at most, and can still be paid while there is one left', async () => {
    const { code, discountId } = await newCode();
    const fields = { billingMode: 'one_time', allowPromotionCodes: true };
    const { paymentLink } = await newLink(w.shop, w.projectId, fields);
    const path = `${w.service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
    const { body } = await call(path, 'POST', {});
    const entered = await fetch(`${w.service.url}${new URL(body.checkoutUrl).pathname}/promotion-code`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
      body: new URLSearchParams({ code }),
      redirect: 'manual',
    });
    expect(entered.status).toBe(303);
    const session = await readSession(w.shop, body.sessionId);
    for (let n = 0; n < 3; n++) {
      await w.moveTo(hours(0.9));
      await look(session);
      expect(await countOf(discountId)).toBe(1);
    }
    for (let n = 0; n < 3; n++) {
      await w.moveTo(hours(0.5));
      await look(session);
      expect([await countOf(discountId), (await readSession(w.shop, session.id)).status]).toEqual([
        0,
        'open',
      ]);
    }
    await w.payInvoice(session.invoiceId);
    expect((await readSession(w.shop, session.id)).status).toBe('complete');
    expect(await countOf(discountId)).toBe(1);
  });

  test.each([
    ['less than half', 124, 0],
    ['half', 125, 1],
  ])(
    'of a link that sells one, expired with %s paid: the code goes by the rule of the place',
    async (_, cents, held) => {
      const { code, discountId } = await newCode();
      const fields = { billingMode: 'one_time', allowPromotionCodes: true };
      const { paymentLink } = await newLink(w.shop, w.projectId, fields);
      await w.shop.call('PATCH', `/api/v2/payment-links/${paymentLink.id}`, { maxPayments: 1 });
      const path = `${w.service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
      const { body } = await call(path, 'POST', {});
      await fetch(`${w.service.url}${new URL(body.checkoutUrl).pathname}/promotion-code`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
        body: new URLSearchParams({ code }),
        redirect: 'manual',
      });
      const session = await readSession(w.shop, body.sessionId);
      await w.payInvoice(session.invoiceId, cents);
      await w.moveTo(hours(20));
      expect((await readSession(w.shop, session.id)).status).toBe('expired');
      expect(await countOf(discountId)).toBe(held);
      const isFree = held === 0;
      expect((await call(path, 'POST', {})).status).toBe(isFree ? 201 : 409);
      await w.moveTo(hours(4.5));
      expect(await countOf(discountId)).toBe(0);
      await expectSound(w.service);
    },
  );

  test.each([
    ['a cent', 1, 0],
    ['less than half', 249, 0],
    ['half', 250, 1],
  ])('paid %s, keeps it for an hour, and for a day from half on', async (_, cents, afterHour) => {
    const { code, discountId } = await newCode();
    const session = (await buy(code)).body;
    await w.payInvoice(session.invoiceId, cents);
    expect(await readSession(w.shop, session.id)).toMatchObject({ paymentStatus: 'underpaid' });
    await w.moveTo(hours(0.9));
    expect(await countOf(discountId)).toBe(1);
    await w.moveTo(hours(0.2));
    expect(await countOf(discountId)).toBe(afterHour);
    await w.moveTo(hours(22.8));
    expect(await countOf(discountId)).toBe(afterHour);
    await w.moveTo(hours(0.2));
    expect(await countOf(discountId)).toBe(0);
    await w.payInvoice(session.invoiceId, 500 - cents);
    expect((await readSession(w.shop, session.id)).status).toBe('complete');
    expect(await countOf(discountId)).toBe(1);
    await expectSound(w.service);
  });

  test('is canceled, before it takes money, when its page is opened and another has the code', async () => {
    const { code } = await newCode();
    const late = (await buy(code)).body;
    await w.moveTo(hours(1.1));
    const other = (await buy(code)).body;
    expect((await readSession(w.shop, late.id)).status).toBe('open');
    expect((await look(late)).status).toBe(200);
    expect((await readSession(w.shop, late.id)).status).toBe('canceled');
    expect((await readInvoice(w.shop, late.invoiceId)).status).toBe('void');
    await w.payInvoice(other.invoiceId);
    expect((await readSession(w.shop, other.id)).status).toBe('complete');
    await expectSound(w.service);
  });
});

describe('paid late', () => {
  test('a code for one sale sells once: the others are canceled, and their money is listed', async () => {
    const { code, discountId } = await newCode();
    const sessions = [];
    for (let n = 0; n < 4; n++) {
      sessions.push((await buy(code)).body);
      await w.moveTo(hours(n === 0 ? 25 : 1.1));
    }
    const signatures: string[] = [];
    for (const { invoiceId } of sessions) signatures.push(await w.payInvoice(invoiceId));
    await w.runDue();
    const statuses = [];
    for (const { id } of sessions) statuses.push((await readSession(w.shop, id)).status);
    expect(statuses).toEqual(['complete', 'canceled', 'canceled', 'canceled']);
    expect(await countOf(discountId)).toBe(1);
    for (const { invoiceId } of sessions.slice(1))
      expect((await readInvoice(w.shop, invoiceId)).status).toBe('void');
    const listed = await Promise.all(signatures.map(exceptionsOf));
    expect(listed.map(({ length }) => length)).toEqual([0, 1, 1, 1]);
    await expectSound(w.service);
  });

  test('two at the same moment for one place: one of them is sold', async () => {
    const { code, discountId } = await newCode();
    const sessions = [];
    for (let n = 0; n < 2; n++) {
      sessions.push((await buy(code)).body);
      await w.moveTo(hours(1.1));
    }
    await Promise.all(sessions.map(({ invoiceId }) => w.payInvoice(invoiceId)));
    const statuses = await Promise.all(
      sessions.map(async ({ id }) => (await readSession(w.shop, id)).status),
    );
    expect(statuses.sort()).toEqual(['canceled', 'complete']);
    expect(await countOf(discountId)).toBe(1);
    await w.runDue();
    await expectSound(w.service);
  });

  test('a code for one sale per customer sells one to each', async () => {
    const { code, discountId } = await newCode({ maxPerCustomer: 1 });
    const mine = { externalCustomerId: 'one each' };
    const first = (await buy(code, mine)).body;
    await w.moveTo(hours(1.1));
    const second = (await buy(code, mine)).body;
    await w.payInvoice(second.invoiceId);
    await w.payInvoice(first.invoiceId);
    expect((await readSession(w.shop, second.id)).status).toBe('complete');
    expect((await readSession(w.shop, first.id)).status).toBe('canceled');
    expect(await countOf(discountId)).toBe(1);
    await w.runDue();
    await expectSound(w.service);
  });
});

describe('what is refused when it is paid late', () => {
  /** Its place is somebody else's by now, who has paid. */
  async function taken(code: string) {
    await w.moveTo(hours(1.1));
    const other = (await buy(code)).body;
    await w.payInvoice(other.invoiceId);
    expect((await readSession(w.shop, other.id)).status).toBe('complete');
  }

  test('a subscription ends, and its session says that the money bought nothing', async () => {
    const { code } = await newCode();
    const plan = await newPlan(w.shop, w.projectId);
    const more = { mode: 'subscription', priceId: plan.id, externalCustomerId: 'too late' };
    const session = (await buy(code, more)).body;
    await taken(code);
    await w.payInvoice(session.invoiceId);
    expect(await readSession(w.shop, session.id)).toMatchObject({
      ...{ status: 'canceled', paymentStatus: 'underpaid', amountReceivedCents: 500 },
    });
    expect((await readSubscription(w.shop, session.subscriptionId)).status).toBe('incomplete_expired');
    const told = await eventNames(w.service, w.shop.id, session.subscriptionId);
    expect(told.slice(-3)).toEqual([
      'invoice.voided',
      'checkout.session.canceled',
      'subscription.incomplete_expired',
    ]);
    await w.runDue();
    expect((await readCustomer(w.shop, session.customerId)).accountCreditCents).toBe(500);
    await expectSound(w.service);
  });

  test.each([
    ['one time', {}],
    ['subscription', { billingMode: 'subscription', recurringInterval: 'month' }],
  ])('a stranger with a link, %s: the money is listed, and the invoice has a number', async (_, terms) => {
    const { code } = await newCode();
    const made = { allowPromotionCodes: true, unitAmountCents: 1_000, ...terms };
    const { paymentLink } = await newLink(w.shop, w.projectId, made);
    const begin = `/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
    const { body } = await w.shop.call('POST', begin, {});
    const form = { method: 'POST', body: new URLSearchParams({ code }), redirect: 'manual' } as const;
    await fetch(`${w.service.url}${new URL(body.checkoutUrl).pathname}/promotion-code`, form);
    const session = await readSession(w.shop, body.sessionId);
    expect(session).toMatchObject({ amountCents: 500, customerId: null });
    await taken(code);
    const signature = await w.payInvoice(session.invoiceId);
    expect(await readSession(w.shop, session.id)).toMatchObject({
      ...{ status: 'canceled', paymentStatus: 'underpaid', amountReceivedCents: 500 },
    });
    const invoice = await readInvoice(w.shop, session.invoiceId);
    expect(invoice).toMatchObject({ status: 'void', number: expect.any(String) });
    if (invoice.subscriptionId)
      expect((await readSubscription(w.shop, invoice.subscriptionId)).status).toBe('incomplete_expired');
    expect(invoice.subscriptionId !== null).toBe('billingMode' in terms);
    await w.runDue();
    expect(await exceptionsOf(signature)).toMatchObject([{ amountCents: 500, kind: 'stray' }]);
    await expectSound(w.service);
  });
});

test('as many buyers as want it at once get a code exactly as often as it can be had', async () => {
  const { code, discountId } = await newCode({ maxRedemptions: 3 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => buy(code)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(await countOf(discountId)).toBe(3);
});
