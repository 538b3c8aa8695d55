import { beforeAll, describe, expect, test } from 'vitest';
import {
  newCustomer,
  newLink,
  newPlan,
  newProject,
  newSession,
  readInvoice,
  referenceOf,
} from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';

let service: TestService;
let shop: TestMerchant;
let project: { id: string };

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  project = await newProject(shop, { name: 'Roastery' });
});

interface Found {
  type: string;
  id: string;
  title: string | null;
  detail: string | null;
  status: string | null;
  amountCents: number | null;
}

async function find(text: string, more = ''): Promise<Found[]> {
  const answer = await shop.call('GET', `/api/v2/search?q=${encodeURIComponent(text)}${more}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body.data;
}

/** Returns only the types and ids of what was found, in order. */
const found = async (text: string) => (await find(text)).map(({ type, id }) => [type, id]);

async function newIntent(orderId: string, amountCents = 777) {
  return (await shop.call('POST', '/api/merchants/intents', { amountCents, orderId })).body;
}

describe('GET /api/v2/search', () => {
  test('200 for an order: exactly this first, then what begins so', async () => {
    const exact = await newIntent('Ord-7');
    const longer = await newIntent('Ord-71');
    const other = await newIntent('Ord-8');
    expect(await found('Ord-7')).toEqual([
      ['payment_intent', exact.id],
      ['payment_intent', longer.id],
    ]);
    expect((await found('Ord-')).map(([, id]) => id)).toEqual([other.id, longer.id, exact.id]);
    expect(await find('Ord-8')).toMatchObject([
      { type: 'payment_intent', title: 'Ord-8', status: 'pending', amountCents: 777, detail: null },
    ]);
  });

  test('200 for an order in another case: all of one, or with a capital', async () => {
    const upper = await newIntent('ABC-9');
    const lower = await newIntent('xyz-9');
    const capital = await newIntent('Qrs-9');
    expect(await found('qRS-9')).toEqual([['payment_intent', capital.id]]);
    expect(await found('abc-9')).toEqual([['payment_intent', upper.id]]);
    expect(await found('XYZ')).toEqual([['payment_intent', lower.id]]);
  });

  test('200 for signs that mean something elsewhere', async () => {
    for (const order of ['100%', 'a_b', 'it\'s "quoted"', '\\slash', '日本-1', '😀', '= 1 or 1']) {
      const { id } = await newIntent(order);
      await newIntent(`x${order}`);
      expect([order, await found(order)]).toEqual([order, [['payment_intent', id]]]);
    }
    expect(await found('%')).toEqual([]);
  });

  test('200 for a reference, a transaction and an id', async () => {
    const intent = await newIntent('by-chain', 1_234);
    const signature = await arrive(service, shop.id, {
      baseUnits: 12_340_000n,
      references: [intent.referenceAddress],
    });
    expect(await found(intent.referenceAddress)).toEqual([['payment_intent', intent.id]]);
    expect(await found(signature)).toEqual([['payment_intent', intent.id]]);
    expect(await found(`https://explorer.example/tx/${signature}`)).toEqual([['payment_intent', intent.id]]);
    expect(await found(intent.id.toUpperCase())).toEqual([['payment_intent', intent.id]]);

    const stray = await arrive(service, shop.id, { baseUnits: 999_900_000n });
    expect(await find(stray)).toMatchObject([
      { type: 'exception', title: 'unmatched', detail: stray, status: 'open', amountCents: 99_990 },
    ]);
  });

  test('200 for a refund: its number in any case and without zeros, its reference and its id', async () => {
    const session = await newSession(shop, project.id, { customerName: 'Rita Refund' });
    const references = [await referenceOf(shop, session)];
    await arrive(service, shop.id, { baseUnits: 5_000_000n, references });
    const asked = { paymentIntentId: session.paymentIntentId, reason: 'other', amountCents: 321 };
    const { body: refund } = await shop.call('POST', '/api/v2/refunds', asked);
    for (const text of ['RF-000001', 'rf-1', refund.referenceAddress, refund.id])
      expect([text, await found(text)]).toEqual([text, [['refund', refund.id]]]);
    expect(await find('RF-1')).toMatchObject([
      { title: 'RF-000001', detail: 'Rita Refund', status: 'awaiting_address', amountCents: 321 },
    ]);
    expect(await found('RF-2')).toEqual([]);
    expect(await found('Rita Refund')).toContainEqual(['refund', refund.id]);
  });

  test('200 for an amount: what asks for it, newest first, however it is written', async () => {
    const intent = await newIntent('of an amount', 4_321);
    const session = await newSession(shop, project.id, { amountCents: 4_321 });
    const expected = [
      ['payment_intent', session.paymentIntentId],
      ['payment_intent', intent.id],
      ['invoice', session.invoiceId],
    ];
    for (const text of ['43.21', '43,21', '$43.21', '43.21 USDC'])
      expect(await found(text)).toEqual(expected);
    expect(await found('43.2')).toEqual([]);
    expect(await found('4321')).toEqual([]);
  });

  test('200 for an e-mail address or a name: the customer, and what is theirs', async () => {
    const customer = await newCustomer(shop, project.id, {
      email: 'Ada@Example.com',
      name: 'Ada Lovelace',
      externalCustomerId: 'user-ada',
    });
    const plan = await newPlan(shop, project.id, { unitAmountCents: 1_500 });
    const session = await newSession(shop, project.id, {
      mode: 'subscription',
      priceId: plan.id,
      externalCustomerId: 'user-ada',
    });
    const expected = [
      ['customer', customer.id],
      ['payment_intent', session.paymentIntentId],
      ['invoice', session.invoiceId],
      ['subscription', session.subscriptionId],
    ];
    for (const text of ['ada@example.com', 'ADA@EXAMPLE.COM', 'ada lovelace', 'lovelace', 'user-ada'])
      expect([text, await found(text)]).toEqual([text, expected]);
    for (const text of ['ada@', 'Ada L', 'lovel', 'user-a'])
      expect([text, await found(text)]).toEqual([text, [['customer', customer.id]]]);
    expect((await find('lovelace'))[3]).toMatchObject({
      title: 'Coffee',
      detail: 'Ada Lovelace',
      status: 'incomplete',
      amountCents: 1_500,
    });
  });

  test('200 for the address entered at a checkout, though its customer has another one now', async () => {
    const session = await newSession(shop, project.id, { customerEmail: 'old@example.com' });
    await shop.call('PATCH', `/api/v2/customers/${session.customerId}`, { email: 'new@example.com' });
    expect(await found('old@example.com')).toEqual([['payment_intent', session.paymentIntentId]]);
    expect(await found('new@example.com')).toEqual([
      ['customer', session.customerId],
      ['payment_intent', session.paymentIntentId],
      ['invoice', session.invoiceId],
    ]);
  });

  test('200 for an invoice number, in any case and by its beginning', async () => {
    const { invoiceId } = await newSession(shop, project.id);
    const { number } = await readInvoice(shop, invoiceId);
    expect(await found(number)).toContainEqual(['invoice', invoiceId]);
    expect((await found(number.toLowerCase()))[0]).toEqual(['invoice', invoiceId]);
    expect((await find(number.slice(0, 3))).map(({ type }) => type)).toContain('invoice');
  });

  test('200 for the names of a checkout, a link, a product, a terminal and a project', async () => {
    const session = await newSession(shop, project.id, { merchantReference: 'cart-77' });
    expect(await found('cart-77')).toEqual([
      ['payment_intent', session.paymentIntentId],
      ['checkout_session', session.id],
    ]);
    expect((await found(session.checkoutUrl))[0]).toEqual(['checkout_session', session.id]);

    const { paymentLink, product } = await newLink(shop, project.id, { productName: 'Workshop' });
    expect(await found('works')).toEqual([['product', product.id]]);
    expect(await found(paymentLink.url)).toEqual([['payment_link', paymentLink.id]]);
    await shop.call('PATCH', `/api/v2/payment-links/${paymentLink.id}`, { name: 'Spring fair' });
    expect(await find('spring')).toMatchObject([
      { type: 'payment_link', title: 'Spring fair', amountCents: 500 },
    ]);

    const terminal = await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Till' });
    expect(await found(terminal.body.id)).toEqual([['terminal', terminal.body.id]]);
    expect(await find(project.id)).toMatchObject([{ type: 'project', title: 'Roastery' }]);
  });

  test('200 with at most `limit` of a kind', async () => {
    for (let n = 0; n < 7; n++) await newIntent(`many-${n}`);
    expect(await find('many-')).toHaveLength(5);
    expect(await find('many-', '&limit=7')).toHaveLength(7);
    expect(await find('many-', '&limit=1')).toMatchObject([{ title: 'many-6' }]);
  });

  test('200 with nothing of another merchant', async () => {
    const other = await service.createMerchant('Other');
    const theirs = await newProject(other);
    const session = await newSession(other, theirs.id, {
      merchantReference: 'theirs-1',
      customerEmail: 'theirs@example.com',
      amountCents: 98_765,
    });
    const reference = await referenceOf(other, session);
    const signature = await arrive(service, other.id, { baseUnits: 987_650_000n, references: [reference] });
    const texts = ['theirs-1', 'theirs@example.com', '987.65', session.id, reference, signature];
    for (const text of texts) expect([text, await find(text)]).toEqual([text, []]);
  });

  test('400 for nothing, blanks, too much and what is not asked for', async () => {
    for (const query of [
      '',
      '?q=',
      '?q=%20%20',
      `?q=${'a'.repeat(256)}`,
      '?q=a&limit=0',
      '?q=a&limit=21',
      '?q=a&x=1',
    ])
      expect([query, (await shop.call('GET', `/api/v2/search${query}`)).status]).toEqual([query, 400]);
  });
});

describe('lists by what a person knows', () => {
  const ids = async (path: string) => {
    const answer = await shop.call('GET', path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body.data.map(({ id }: { id: string }) => id);
  };

  test('payments of an amount, a reference, a transaction, an address', async () => {
    const session = await newSession(shop, project.id, {
      amountCents: 2_222,
      customerEmail: 'Bo@Example.com',
    });
    const reference = await referenceOf(shop, session);
    const signature = await arrive(service, shop.id, { baseUnits: 1n, references: [reference] });
    for (const query of [
      'amountCents=2222',
      `referenceAddress=${reference}`,
      `txSignature=${signature}`,
      'customerEmail=bo%40example.com',
    ])
      expect([query, await ids(`/api/merchants/intents?${query}`)]).toEqual([
        query,
        [session.paymentIntentId],
      ]);
    expect(await ids(`/api/merchants/intents?amountCents=2222&referenceAddress=none`)).toEqual([]);
    for (const amountCents of [10_000_000_000n, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n]) {
      const { body } = await shop.call(
        'POST',
        '/api/merchants/intents',
        `{"orderId":"large","amountCents":${amountCents}}`,
      );
      expect(await ids(`/api/merchants/intents?amountCents=${amountCents}`)).toEqual([body.id]);
    }
    for (const wrong of ['9223372036854775808', '0', '-1', '1e3', '01', ''])
      expect((await shop.call('GET', `/api/merchants/intents?amountCents=${wrong}`)).status).toBe(400);

    await shop.call('PATCH', `/api/v2/customers/${session.customerId}`, { email: 'bob@example.com' });
    expect(await ids('/api/merchants/intents?customerEmail=BOB@example.com')).toEqual([
      session.paymentIntentId,
    ]);
    expect(await ids('/api/v2/customers?email=BOB@example.com')).toEqual([session.customerId]);
    expect(await ids('/api/v2/customers?email=bo@example.com')).toEqual([]);
  });

  test('the checkout behind a payment, and the exception of a transaction', async () => {
    const session = await newSession(shop, project.id);
    await newSession(shop, project.id);
    expect(await ids(`/api/v2/checkout-sessions?paymentIntentId=${session.paymentIntentId}`)).toEqual([
      session.id,
    ]);
    const signature = await arrive(service, shop.id, { baseUnits: 3n });
    await arrive(service, shop.id, { baseUnits: 4n });
    const { data } = (await shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`)).body;
    expect(data).toMatchObject([{ txSignature: signature, amountBaseUnits: '3' }]);
  });

  test('invoices of a number', async () => {
    const { invoiceId } = await newSession(shop, project.id);
    const { number } = await readInvoice(shop, invoiceId);
    expect(await ids(`/api/v2/invoices?number=${number.toLowerCase()}`)).toEqual([invoiceId]);
    expect(await ids('/api/v2/invoices?number=none')).toEqual([]);
  });
});
