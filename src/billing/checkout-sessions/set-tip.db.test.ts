import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newLink,
  newPlan,
  newPrice,
  readInvoice,
  readSession,
} from '../../../test/support/billing.ts';
import { call } from '../../../test/support/service.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { arrive } from '../../../test/support/transfers.ts';

let w: SubscriptionWorld;
let projectId: string;

beforeAll(async () => {
  w = await subscriptionWorld();
  projectId = w.projectId;
});

type Fields = Record<string, unknown>;
const post = (fields: Fields) =>
  w.shop.call('POST', '/api/v2/checkout-sessions', { projectId, mode: 'one_time', ...fields });
const TIPS = { tipPercents: [10, 15, 20] };

/** Submits a tip as the page's form does; returns where the browser is redirected. */
async function tip({ checkoutUrl }: { checkoutUrl: string }, form: Record<string, string>): Promise<string> {
  const { pathname } = new URL(checkoutUrl);
  const response = await fetch(`${w.service.url}${pathname}/tip?lang=en`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: 'null',
    },
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  return response.headers.get('location')!.split('?')[1]!;
}

async function figures({ id, invoiceId, paymentIntentId }: Record<string, string>) {
  const session = await readSession(w.shop, id!);
  const invoice = await readInvoice(w.shop, invoiceId!);
  const intent = await w.shop.call('GET', `/api/merchants/intents/${paymentIntentId}`);
  const amounts = [session.amountCents, invoice.totalCents, intent.body.expectedAmountCents];
  expect(new Set(amounts).size).toBe(1);
  return { tipCents: session.tipCents, amountCents: session.amountCents, lines: session.lineItems.length };
}

describe('a tip', () => {
  test('is a line of its own: a percentage, an amount as people type it, or none again', async () => {
    const { body: session } = await post({ amountCents: 1_250, ...TIPS });
    expect(session).toMatchObject({ ...TIPS, tipCents: 0, amountCents: 1_250 });
    for (const [form, tipCents] of [
      [{ percent: '15' }, 188],
      [{ percent: '10' }, 125],
      [{ amount: '2,50' }, 250],
      [{ amount: '$3' }, 300],
      [{ percent: '0' }, 0],
      [{ amount: '0' }, 0],
      [{ percent: '20' }, 250],
    ] as const) {
      expect(await tip(session, form)).toBe('lang=en');
      const lines = tipCents === 0 ? 1 : 2;
      expect(await figures(session)).toEqual({ tipCents, amountCents: 1_250 + tipCents, lines });
    }
    await w.payInvoice(session.invoiceId);
    const paid = await readSession(w.shop, session.id);
    expect(paid).toMatchObject({ status: 'complete', tipCents: 250, amountReceivedCents: 1_500 });
    expect(await tip(session, { percent: '10' })).toBe('lang=en&tip=refused');
    await expectSound(w.service);
  });

  test('with a promotion code a percentage stays that percentage, an amount stays as it is; tax is not on it', async () => {
    const { body: discount } = await w.shop.call('POST', '/api/v2/discounts', {
      ...{ projectId, name: 'Half', percentOff: 50 },
    });
    await w.shop.call('POST', '/api/v2/promotion-codes', { discountId: discount.id, code: 'HALF' });
    const { body: rate } = await w.shop.call('POST', '/api/v2/tax-rates', {
      ...{ projectId, name: 'VAT', percent: 10, country: 'DE' },
    });
    const cup = { name: 'Cup', unitAmountCents: 1_000, taxBehavior: 'exclusive', taxRateId: rate.id };
    const { body: session } = await post({ lineItems: [cup], allowPromotionCodes: true, ...TIPS });
    await tip(session, { percent: '20' });
    expect(await figures(session)).toEqual({ tipCents: 220, amountCents: 1_320, lines: 2 });
    const url = `${w.service.url}${new URL(session.checkoutUrl).pathname}/promotion-code?lang=en`;
    const enter = (fields: Record<string, string>) =>
      fetch(url, {
        ...{ method: 'POST', redirect: 'manual' as const, body: new URLSearchParams(fields) },
        headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
      });
    await enter({ code: 'HALF' });
    expect(await figures(session)).toEqual({ tipCents: 110, amountCents: 660, lines: 2 });
    const { discountCents, taxCents } = await readSession(w.shop, session.id);
    expect([discountCents, taxCents]).toEqual([500, 50]);
    const page = await (await fetch(w.service.url + new URL(session.checkoutUrl).pathname)).text();
    expect(page).toMatch(/value="20" formnovalidate aria-pressed="true"/);
    await enter({ remove: 'yes' });
    expect(await figures(session)).toEqual({ tipCents: 220, amountCents: 1_320, lines: 2 });
    await tip(session, { amount: '2.21' });
    await enter({ code: 'HALF' });
    expect(await figures(session)).toEqual({ tipCents: 221, amountCents: 771, lines: 2 });
    await tip(session, { percent: '10' });
    expect(await figures(session)).toEqual({ tipCents: 55, amountCents: 605, lines: 2 });
    await expectSound(w.service);
  });

  test.each([
    { percent: '12' },
    { percent: '-10' },
    { percent: '1e1' },
    { amount: '-1' },
    { amount: '1,250' },
    { amount: '100.01' },
    { amount: '9'.repeat(19) },
    { amount: '' },
    { amount: '\u0000' },
    {},
  ])('%j is refused on the page and changes nothing', async (form) => {
    const { body: session } = await post({ amountCents: 500, ...TIPS });
    expect(await tip(session, form as Record<string, string>)).toBe('lang=en&tip=wrong');
    expect(await figures(session)).toEqual({ tipCents: 0, amountCents: 500, lines: 1 });
  });

  test('that would make the total more than an amount can be is refused, however it comes about', async () => {
    const largest = (text: string) => (JSON as unknown as { rawJSON(text: string): number }).rawJSON(text);
    const cents = largest('9223372036854775807');
    const { body: full } = await post({ amountCents: cents, tipPercents: [100] });
    expect(await tip(full, { percent: '100' })).toBe('lang=en&tip=wrong');
    expect(await tip(full, { amount: '1' })).toBe('lang=en&tip=wrong');
    const { body: discount } = await w.shop.call('POST', '/api/v2/discounts', {
      ...{ projectId, name: 'Most', percentOff: 90 },
    });
    const lineItems = [{ name: 'Moon', unitAmountCents: largest('6000000000000000000') }];
    const fields = { lineItems, discountId: discount.id, tipPercents: [100] };
    const { body: reduced } = await post(fields);
    expect(await tip(reduced, { percent: '100' })).toBe('lang=en');
    const { body: whole } = await post({ ...fields, lineItems: [{ name: 'Moon', unitAmountCents: cents }] });
    expect(await tip(whole, { percent: '100' })).toBe('lang=en&tip=wrong');
  });

  test('nothing is added where it was not offered, or while a payment is under way', async () => {
    const { body: plain } = await post({ amountCents: 500 });
    expect(plain).toMatchObject({ tipPercents: [], tipCents: 0 });
    expect(await tip(plain, { percent: '10' })).toBe('lang=en&tip=refused');
    const { body: canceled } = await post({ amountCents: 500, ...TIPS });
    await w.shop.call('POST', `/api/v2/checkout-sessions/${canceled.id}/cancel`);
    expect(await tip(canceled, { percent: '10' })).toBe('lang=en&tip=refused');
  });

  test('twenty at once: one of them is the tip, and everything agrees', async () => {
    const { body: session } = await post({ amountCents: 1_000, ...TIPS });
    const forms = Array.from({ length: 20 }, (_, i) => ({ percent: `${[10, 15, 20][i % 3]}` }));
    await Promise.all(forms.map((form) => tip(session, form)));
    const { tipCents, amountCents, lines } = await figures(session);
    expect([100, 150, 200]).toContain(tipCents);
    expect([amountCents, lines]).toEqual([1_000 + tipCents, 2]);
    await expectSound(w.service);
  });
});

describe('tipPercents', () => {
  test.each([
    [[10, 10], 'must not name a percentage twice'],
    [[0], 'tipPercents'],
    [[101], 'tipPercents'],
    [[1, 2, 3, 4, 5], 'tipPercents must have at most 4'],
    [['10'], 'tipPercents'],
    [null, 'tipPercents'],
  ])('%j: 400, for a session and for a link', async (tipPercents, said) => {
    const session = await post({ amountCents: 500, tipPercents });
    expect([session.status, session.body.error.message]).toEqual([400, expect.stringContaining(said)]);
    const price = await newPrice(w.shop, projectId);
    const link = await w.shop.call('POST', '/api/v2/payment-links', {
      ...{ projectId, priceId: price.id, tipPercents },
    });
    expect([link.status, link.body.error.message]).toEqual([400, expect.stringContaining(said)]);
  });

  test('only for what is paid once', async () => {
    const plan = await newPlan(w.shop, projectId);
    const session = await post({
      ...{ mode: 'subscription', priceId: plan.id, externalCustomerId: 'tipper', ...TIPS },
    });
    expect([session.status, session.body.error.message]).toEqual([
      400,
      expect.stringContaining('tipPercents is only for one_time'),
    ]);
    const { body: link } = await w.shop.call('POST', '/api/v2/payment-links', {
      ...{ projectId, priceId: plan.id },
    });
    const changed = await w.shop.call('PATCH', `/api/v2/payment-links/${link.id}`, TIPS);
    expect(changed.status).toBe(400);
  });

  test('a link gives them to its checkouts, changes them and takes them away', async () => {
    const { paymentLink: link } = await newLink(w.shop, projectId, { tipPercents: [5] });
    expect(link.tipPercents).toEqual([5]);
    const patch = (body: object) => w.shop.call('PATCH', `/api/v2/payment-links/${link.id}`, body);
    expect((await patch({ name: 'Cups' })).body.tipPercents).toEqual([5]);
    expect((await patch(TIPS)).body.tipPercents).toEqual([10, 15, 20]);
    const { body } = await call(
      `${w.service.url}/api/v2/payment-links/${link.publicToken}/checkout`,
      'POST',
      {},
    );
    expect(await readSession(w.shop, body.sessionId)).toMatchObject({ ...TIPS, tipCents: 0 });
    expect((await patch({ tipPercents: [] })).body.tipPercents).toEqual([]);
  });
});

test('a tip that is taken away from goods that cost nothing completes the order', async () => {
  const sale = { projectId, name: 'All of it', percentOff: 100, maxRedemptions: 1 };
  const { body: discount } = await w.shop.call('POST', '/api/v2/discounts', sale);
  const code = { discountId: discount.id, code: 'ALLFREE' };
  expect((await w.shop.call('POST', '/api/v2/promotion-codes', code)).status).toBe(201);
  const { body: session } = await post({ amountCents: 1_000, allowPromotionCodes: true, ...TIPS });
  await tip(session, { percent: '20' });
  const { pathname } = new URL(session.checkoutUrl);
  await fetch(`${w.service.url}${pathname}/promotion-code?lang=en`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
    body: new URLSearchParams({ code: 'ALLFREE' }),
    redirect: 'manual',
  });
  expect(await readSession(w.shop, session.id)).toMatchObject({ status: 'open', amountCents: 200 });
  expect(await tip(session, { percent: '0' })).toBe('lang=en');
  expect(await readSession(w.shop, session.id)).toMatchObject({ status: 'complete', amountCents: 0 });
  await expectSound(w.service);
});

describe('a tip that was not paid', () => {
  test('does not hold up the order: paying for the goods is enough', async () => {
    for (const [baseUnits, tipCents] of [
      [12_500_000n, 0],
      [12_504_999n, 0],
      [13_500_000n, 100],
      [13_509_999n, 100],
    ] as const) {
      const { body: session } = await post({ amountCents: 1_250, ...TIPS });
      await tip(session, { amount: '2.50' });
      const { body } = await w.shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
      await arrive(w.service, w.shop.id, { baseUnits, references: [body.referenceAddress] });
      expect(await figures(session)).toEqual({
        ...{ tipCents, amountCents: 1_250 + tipCents, lines: tipCents === 0 ? 1 : 2 },
      });
      expect(await readSession(w.shop, session.id)).toMatchObject({
        status: 'complete',
        paymentStatus: 'paid',
      });
      expect((await readInvoice(w.shop, session.invoiceId)).status).toBe('paid');
    }
    await expectSound(w.service);
  });

  test('stays as long as a part of the goods is missing', async () => {
    const { body: session } = await post({ amountCents: 1_250, ...TIPS });
    await tip(session, { amount: '2.50' });
    const { body } = await w.shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
    const references = [body.referenceAddress];
    await arrive(w.service, w.shop.id, { baseUnits: 12_490_000n, references });
    expect(await readSession(w.shop, session.id)).toMatchObject({
      paymentStatus: 'underpaid',
      tipCents: 250,
    });
    await arrive(w.service, w.shop.id, { baseUnits: 20_000n, references });
    expect(await readSession(w.shop, session.id)).toMatchObject({ paymentStatus: 'paid', tipCents: 1 });
    await expectSound(w.service);
  });
});
