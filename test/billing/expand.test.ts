import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { bring, newCustomer, newPlan, newPrice, newProject, newSession } from '../support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../support/service.ts';

let service: TestService;
let shop: TestMerchant;
let other: TestMerchant;
let projectId: string;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let plan: any, session: any, customer: any, product: any;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  other = await service.createMerchant('Other');
  projectId = (await newProject(shop)).id;
  plan = await newPlan(shop, projectId);
  customer = await newCustomer(shop, projectId, { email: 'ada@example.com' });
  session = await newSession(shop, projectId, {
    mode: 'subscription',
    priceId: plan.id,
    customerId: customer.id,
  });
  await bring(service, shop, session, 1000);
  product = await get(`/products/${plan.productId}`);
});

async function get(path: string, who = shop) {
  const answer = await who.call('GET', `/api/v2${path}`);
  expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text]);
  return answer.body;
}

/** Kinds of objects with their path, an existing id, what they can include, and the read that returns it. */
const KINDS = {
  price: () => ['/prices', plan.id, { product: () => product }] as const,
  'checkout session': () =>
    [
      '/checkout-sessions',
      session.id,
      {
        customer: () => get(`/customers/${customer.id}`),
        price: () => get(`/prices/${plan.id}`),
        invoice: () => get(`/invoices/${session.invoiceId}`),
        subscription: () => get(`/subscriptions/${session.subscriptionId}`),
      },
    ] as const,
  invoice: () =>
    ['/invoices', session.invoiceId, { customer: () => get(`/customers/${customer.id}`) }] as const,
  subscription: () =>
    [
      '/subscriptions',
      session.subscriptionId,
      {
        customer: () => get(`/customers/${customer.id}`),
        price: () => get(`/prices/${plan.id}`),
        latestInvoice: () => get(`/invoices/${session.invoiceId}`),
      },
    ] as const,
};

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('%s', (name) => {
  test('200: each related object as a read of its own returns it, in a read and in a list', async () => {
    const [path, id, related] = KINDS[name]();
    const plain = await get(`${path}/${id}`);
    for (const [field, load] of Object.entries(related)) {
      const expected = { ...plain, [field]: await load() };
      expect(await get(`${path}/${id}?expand[]=${field}`)).toEqual(expected);
      expect(await get(`${path}/${id}?expand=${field}`)).toEqual(expected);
      const { data } = await get(`${path}?expand[]=${field}&limit=100`);
      expect(data.find((each: { id: string }) => each.id === id)).toEqual(expected);
    }
    const all = Object.keys(related).map((field) => `expand[]=${field}`);
    expect(Object.keys(await get(`${path}/${id}?${all.join('&')}`)).sort()).toEqual(
      [...Object.keys(plain), ...Object.keys(related)].sort(),
    );
  });

  test('400 names what it cannot include', async () => {
    const [path, id] = KINDS[name]();
    for (const wrong of [
      'merchant',
      'customer.email',
      'price.product.price',
      '__proto__',
      'constructor',
      '',
    ]) {
      for (const place of [path, `${path}/${id}`]) {
        const answer = await shop.call('GET', `/api/v2${place}?expand[]=${wrong}`);
        expect([wrong, answer.status, answer.body.error.message]).toEqual([
          wrong,
          400,
          expect.stringContaining(`not "${wrong}"`),
        ]);
        expect(answer.body.error.message).toMatch(/^expand/);
      }
    }
  });

  test('without it nothing is added; with text/csv it is refused', async () => {
    const [path] = KINDS[name]();
    const csv = await shop.call('GET', `/api/v2${path}`, undefined, { accept: 'text/csv' });
    const head = csv.text.split('\r\n')[0]!.split(',');
    expect(head).not.toContain('customer');
    const [field] = Object.keys(KINDS[name]()[2]);
    const refused = await shop.call('GET', `/api/v2${path}?expand=${field}`, undefined, {
      accept: 'text/csv',
    });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'expand cannot be combined with text/csv',
    ]);
  });

  test('404 and empty lists for another merchant, whatever they request', async () => {
    const [path, id, related] = KINDS[name]();
    const all = Object.keys(related)
      .map((field) => `expand[]=${field}`)
      .join('&');
    expect((await other.call('GET', `/api/v2${path}/${id}?${all}`)).status).toBe(404);
    expect((await get(`${path}?${all}`, other)).data).toEqual([]);
  });
});

test('a price within a session includes its product, two levels deep', async () => {
  for (const expand of ['price.product', 'price&expand[]=price.product']) {
    const read = await get(`/checkout-sessions/${session.id}?expand[]=${expand}`);
    expect(read.price).toEqual({ ...(await get(`/prices/${plan.id}`)), product });
  }
  const { data } = await get('/subscriptions?expand[]=price.product&expand[]=customer');
  expect(data[0]).toMatchObject({ price: { product: { id: product.id } }, customer: { id: customer.id } });
});

test('null where there is nothing to include', async () => {
  const bare = await newSession(shop, projectId);
  const read = await get(
    `/checkout-sessions/${bare.id}?expand[]=customer&expand[]=price&expand[]=subscription`,
  );
  expect(read).toMatchObject({ customer: null, price: null, subscription: null });
});

test('rows that name an object of another merchant include nothing of it', async () => {
  const theirs = await newProject(other);
  const their = await newCustomer(other, theirs.id, { email: 'secret@example.com' });
  const price = await newPrice(other, theirs.id);
  const mine = await newSession(shop, projectId);
  // No foreign key allows this: it stands for a mistake that none of the queries may turn into a leak.
  await service.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica', []);
    await tx.query('update checkout_sessions set customer_id = $1, price_id = $2 where id = $3', [
      their.id,
      price.id,
      mine.id,
    ]);
  });
  const read = await shop.call(
    'GET',
    `/api/v2/checkout-sessions/${mine.id}?expand=customer&expand=price.product`,
  );
  expect([read.status, read.body.customer, read.body.price]).toEqual([200, null, null]);
  expect(read.text).not.toContain('secret@example.com');
});

test('as many statements for a page of many as for a page of one', async () => {
  const counts: number[] = [];
  // Nothing that belongs to no page: keys are looked up again after a while, and requests are recorded when there is time.
  const isOfPage = /\bfrom (subscriptions|customers|prices|products|invoices)\b/;
  const { query } = pg.Client.prototype;
  for (const limit of [1, 3]) {
    let count = 0;
    // biome-ignore lint/suspicious/noExplicitAny: a statement has many forms.
    pg.Client.prototype.query = function (this: pg.Client, statement: any, ...given: any[]) {
      if (isOfPage.test(statement.text ?? statement)) count++;
      return Reflect.apply(query, this, [statement, ...given]);
    };
    await get(
      `/subscriptions?limit=${limit}&expand[]=customer&expand[]=price.product&expand[]=latestInvoice`,
    ).finally(() => {
      pg.Client.prototype.query = query;
    });
    counts.push(count);
    for (const i of [1, 2, 3]) {
      const more = { mode: 'subscription', priceId: plan.id, externalCustomerId: `c-${i}` };
      await newSession(shop, projectId, more);
    }
  }
  expect(counts[0]).toBeGreaterThanOrEqual(3);
  expect(counts[0]).toBe(counts[1]);
});

describe('the list of payment intents', () => {
  const list = (who: { call: TestMerchant['call'] }, query: string) =>
    who.call('GET', `/api/merchants/intents?${query}`);

  test('200: the buyer and what was bought, null for one without a checkout, nothing where it is not requested', async () => {
    const plain = await shop.call('POST', '/api/merchants/intents', { amountCents: 100, orderId: 'alone' });
    const { body } = await list(shop, 'expand[]=purchase');
    // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
    const purchaseOf = (id: string) => body.data.find((each: any) => each.id === id).purchase;
    const { lineItems } = await get(`/checkout-sessions/${session.id}`);
    expect(purchaseOf(session.paymentIntentId)).toEqual({
      checkoutSessionId: session.id,
      projectId,
      customerId: customer.id,
      externalCustomerId: customer.externalCustomerId,
      customerName: customer.name,
      customerEmail: 'ada@example.com',
      invoiceId: session.invoiceId,
      subscriptionId: session.subscriptionId,
      description: lineItems[0].description,
      lineCount: 1,
    });
    expect(purchaseOf(plain.body.id)).toBeNull();
    expect('purchase' in (await list(shop, 'limit=1')).body.data[0]).toBe(false);
  });

  test('403 for a key that cannot read billing; its plain list is as before', async () => {
    const key = await shop.call('POST', '/api/b2b/merchants/generate-key', {
      name: 'Payments only',
      scopes: ['payments:read'],
    });
    const ask = (query: string) =>
      fetch(`${service.url}/api/merchants/intents?${query}`, {
        headers: { authorization: `Bearer ${key.body.apiKey ?? key.body.key}` },
      });
    expect((await ask('limit=1')).status).toBe(200);
    expect((await ask('expand=purchase')).status).toBe(403);
    const { data } = (await (await ask('limit=1&expand=outcome')).json()) as { data: object[] };
    expect(data[0]).toMatchObject({ outcome: { succeededAt: null, refundedCents: 0 } });
  });
});
