import { beforeAll, describe, expect, test } from 'vitest';
import { expectSound, newLink, newPrice, newProject, newTopUp } from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { newId } from '../../platform/lib/ids.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

type Fields = Record<string, unknown>;

/** Counts the rows of every table but the log of requests, which is written separately, once a second. */
async function rowCounts(): Promise<Record<string, bigint>> {
  const tables = await service.db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'request_logs' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const [row] = await service.db.query<Record<string, bigint>>(
    `select ${tables.map(({ name }) => `(select count(*) from ${name}) as ${name}`).join(', ')}`,
  );
  return row!;
}

const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString();

describe('POST /api/v2/payment-links', () => {
  const create = (fields: Fields, headers: Record<string, string> = {}) =>
    shop.call('POST', '/api/v2/payment-links', { projectId, ...fields }, headers);

  test('201 with every field; read back by id in both versions', async () => {
    const price = await newPrice(shop, projectId);
    const expiresAt = inDays(3);
    const { status, body, text } = await create({
      priceId: price.id,
      name: 'Summer',
      requireClientReferenceId: true,
      collectCustomerEmail: true,
      allowPromotionCodes: true,
      successUrl: 'https://shop.example/ok',
      cancelUrl: 'http://localhost/no',
      expiresAt,
      maxPayments: 7,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      projectId,
      productId: price.productId,
      priceId: price.id,
      name: 'Summer',
      status: 'active',
      url: `http://127.0.0.1/pay/${body.publicToken}`,
      publicToken: body.publicToken,
      requireClientReferenceId: true,
      collectCustomerEmail: true,
      allowPromotionCodes: true,
      successUrl: 'https://shop.example/ok',
      cancelUrl: 'http://localhost/no',
      expiresAt,
      maxPayments: 7,
      openAmount: null,
      tipPercents: [],
      paymentsCount: 0,
      metadata: {},
      createdAt: body.createdAt,
    });
    expect(body.publicToken).toMatch(/^plink_00[0-9A-Za-z]{24}$/);
    for (const other of ['/api/v2', '/api']) {
      expect((await shop.call('GET', `${other}/payment-links/${body.id}`)).text).toBe(text);
    }
  });

  test('400, the field first and nothing written', async () => {
    const price = await newPrice(shop, projectId);
    const elsewhere = await newPrice(shop, (await newProject(shop)).id);
    const before = await rowCounts();
    for (const [fields, field] of [
      [{}, 'priceId'],
      [{ priceId: newId(service.clock.now()) }, 'priceId'],
      [{ priceId: elsewhere.id }, 'priceId'],
      [{ priceId: price.id, projectId: newId(service.clock.now()) }, 'projectId'],
      [{ priceId: price.id, amountCents: 5 }, 'amountCents'],
      [{ priceId: price.id, publicToken: 'plink_mine' }, 'publicToken'],
      [{ priceId: price.id, maxPayments: 0 }, 'maxPayments'],
      [{ priceId: price.id, maxPayments: 1.5 }, 'maxPayments'],
      [{ priceId: price.id, expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ priceId: price.id, expiresAt: inDays(-1) }, 'expiresAt'],
      [{ priceId: price.id, successUrl: 'javascript:alert(1)' }, 'successUrl'],
      [{ priceId: price.id, cancelUrl: 'http://shop.example/' }, 'cancelUrl'],
      [{ priceId: price.id, name: '' }, 'name'],
      [{ priceId: price.id, requireClientReferenceId: 'yes' }, 'requireClientReferenceId'],
    ] as [Fields, string][]) {
      const { status, body } = await create(fields);
      expect([fields, status, body.error?.message.split(' ')[0]]).toEqual([fields, 400, field]);
    }
    expect(await rowCounts()).toEqual(before);
  });

  test('409 for what is not sold any more', async () => {
    const price = await newPrice(shop, projectId);
    await shop.call('PATCH', `/api/v2/prices/${price.id}`, { isActive: false });
    expect((await create({ priceId: price.id })).body.error.code).toBe('INVALID_STATE');
    const archived = (await newProject(shop)).id;
    const gone = await newPrice(shop, archived);
    await shop.call('DELETE', `/api/v2/projects/${archived}`);
    expect((await create({ projectId: archived, priceId: gone.id })).body.error.code).toBe('INVALID_STATE');
  });

  test('Idempotency-Key: the same bytes in either version, 409 with another body', async () => {
    const price = await newPrice(shop, projectId);
    const headers = { 'idempotency-key': 'link /api/v2' };
    const first = await create({ priceId: price.id }, headers);
    for (const other of ['/api/v2', '/api']) {
      const again = await shop.call(
        'POST',
        `${other}/payment-links`,
        { projectId, priceId: price.id },
        headers,
      );
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    }
    const conflict = await create({ priceId: price.id, name: 'x' }, headers);
    expect(conflict.body.error.code).toBe('IDEMPOTENCY_CONFLICT');
  });
});

describe('POST /api/v2/payment-links/setup', () => {
  const setUp = (fields: Fields, headers: Record<string, string> = {}) =>
    shop.call(
      'POST',
      '/api/v2/payment-links/setup',
      { projectId, productName: 'Course', billingMode: 'one_time', unitAmountCents: 4900, ...fields },
      headers,
    );

  test('201 with product, price and link that belong together, in every mode', async () => {
    for (const [fields, price] of [
      [{}, { billingMode: 'one_time', creditAmount: null, recurringInterval: null }],
      [
        { billingMode: 'balance_top_up', creditAmount: 10 },
        { creditAmount: 10, recurringInterval: null },
      ],
      [
        { billingMode: 'subscription', recurringInterval: 'month' },
        { recurringInterval: 'month', recurringIntervalCount: 1 },
      ],
      [
        { billingMode: 'subscription', recurringInterval: 'month', recurringIntervalCount: 6 },
        { recurringIntervalCount: 6 },
      ],
    ] as [Fields, Fields][]) {
      const { status, body } = await setUp({ ...fields, currency: 'USDC' });
      expect(status).toBe(201);
      expect(Object.keys(body)).toEqual(['product', 'price', 'paymentLink']);
      expect(body.price).toMatchObject({ ...price, unitAmountCents: 4900, productId: body.product.id });
      expect(body.paymentLink).toMatchObject({
        priceId: body.price.id,
        productId: body.product.id,
        projectId,
      });
      for (const noun of ['product', 'price'] as const) {
        const read = await shop.call('GET', `/api/v2/${noun}s/${body[noun].id}`);
        expect(read.body).toEqual(body[noun]);
      }
    }
    const large = await shop.call(
      'POST',
      '/api/v2/payment-links/setup',
      `{"projectId":"${projectId}","productName":"a","billingMode":"one_time","unitAmountCents":9223372036854775807}`,
    );
    expect(large.text).toContain('"unitAmountCents":9223372036854775807');
  });

  test('400 writes nothing, whichever of the three steps fails', async () => {
    const before = await rowCounts();
    for (const [fields, field] of [
      [{ productName: '' }, 'productName'],
      [{ unitAmountCents: 0 }, 'unitAmountCents'],
      [{ billingMode: 'balance_top_up' }, 'creditAmount'],
      [{ creditAmount: 5 }, 'creditAmount'],
      [{ recurringInterval: 'month' }, 'recurringInterval'],
      [{ recurringIntervalCount: 2 }, 'recurringIntervalCount'],
      [{ billingMode: 'subscription' }, 'recurringInterval'],
      [{ projectId: newId(service.clock.now()) }, 'projectId'],
      [{ amountCents: 5 }, 'amountCents'],
      // The link is the last to be made: product and price must go with it.
      [{ successUrl: 'http://shop.example/' }, 'successUrl'],
      [{ cancelUrl: 'javascript:alert(1)' }, 'cancelUrl'],
    ] as [Fields, string][]) {
      const { status, body } = await setUp(fields, { 'idempotency-key': 'bad /api/v2' });
      expect([fields, status, body.error?.message.split(' ')[0]]).toEqual([fields, 400, field]);
    }
    expect(await rowCounts()).toEqual(before);
    expect((await setUp({}, { 'idempotency-key': 'bad /api/v2' })).status).toBe(201);
  });

  test('409 in an archived project', async () => {
    const archived = (await newProject(shop)).id;
    await shop.call('DELETE', `/api/v2/projects/${archived}`);
    expect((await setUp({ projectId: archived })).body.error.code).toBe('INVALID_STATE');
  });
});

describe('/api/v2/payment-links/{id or token}', () => {
  const path = (id: string) => `/api/v2/payment-links/${id}`;
  const patch = (id: string, body: Fields) => shop.call('PATCH', path(id), body);
  const anonymously = (id: string) => call(service.url + path(id), 'GET');

  test('a UUID is always the owner’s, a token always the public’s, and neither falls back', async () => {
    const { paymentLink } = await newLink(shop, projectId, { collectCustomerEmail: true });
    expect((await anonymously(paymentLink.id)).status).toBe(401);
    expect((await anonymously(paymentLink.id.toUpperCase())).status).toBe(401);
    const open = await anonymously(paymentLink.publicToken);
    expect(open.body).toEqual({
      publicToken: paymentLink.publicToken,
      name: null,
      merchantName: 'Shop',
      productName: 'Course',
      productDescription: null,
      priceName: null,
      unitAmountCents: 500,
      currency: 'USD',
      billingMode: 'one_time',
      creditAmount: null,
      recurringInterval: null,
      recurringIntervalCount: null,
      trialDays: null,
      requireClientReferenceId: false,
      collectCustomerEmail: true,
      openAmount: null,
      amountCents: 500,
      taxes: [],
    });
    expect((await shop.call('GET', path(paymentLink.publicToken))).text).toBe(open.text);
    const weak = await shop.keyWith(['payments:read']);
    const bearer = { authorization: `Bearer ${weak}` };
    expect((await call(service.url + path(paymentLink.publicToken), 'GET', undefined, bearer)).status).toBe(
      200,
    );
    expect((await call(service.url + path(paymentLink.id), 'GET', undefined, bearer)).status).toBe(403);
    const broken = { authorization: 'Bearer nonsense' };
    expect((await call(service.url + path(paymentLink.publicToken), 'GET', undefined, broken)).status).toBe(
      200,
    );
    expect((await anonymously('plink_nothing')).status).toBe(404);
    expect((await shop.call('GET', path(newId(service.clock.now())))).status).toBe(404);
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await shop.call(
        method,
        path(paymentLink.publicToken),
        method === 'PATCH' ? {} : undefined,
      );
      expect([method, answer.status]).toEqual([method, 404]);
      const stranger = await call(service.url + path(paymentLink.publicToken), method);
      expect([method, stranger.status]).toEqual([method, 401]);
    }
  });

  test('opening a public link creates nothing at all', async () => {
    const { paymentLink } = await newLink(shop, projectId);
    const before = await rowCounts();
    for (let n = 0; n < 5; n++) {
      expect((await anonymously(paymentLink.publicToken)).status).toBe(200);
      expect((await anonymously(`${paymentLink.publicToken}x`)).status).toBe(404);
    }
    expect(await rowCounts()).toEqual(before);
  });

  test('PATCH changes what it asks, clears with null, and never project or price', async () => {
    const { paymentLink } = await newLink(shop, projectId, { successUrl: 'https://shop.example/ok' });
    const { id } = paymentLink;
    expect((await patch(id, {})).body).toEqual(paymentLink);
    const later = inDays(2);
    const changed = await patch(id, {
      name: 'New',
      maxPayments: 3,
      expiresAt: later,
      collectCustomerEmail: true,
    });
    expect(changed.body).toEqual({
      ...paymentLink,
      name: 'New',
      maxPayments: 3,
      expiresAt: later,
      collectCustomerEmail: true,
    });
    const cleared = { name: null, maxPayments: null, expiresAt: null, successUrl: null };
    expect((await patch(id, cleared)).body).toEqual({
      ...paymentLink,
      collectCustomerEmail: true,
      successUrl: null,
    });
    for (const [body, field] of [
      [{ priceId: newId(service.clock.now()) }, 'priceId'],
      [{ projectId }, 'projectId'],
      [{ paymentsCount: 0 }, 'paymentsCount'],
      [{ status: 'deleted' }, 'status'],
      [{ status: null }, 'status'],
      [{ expiresAt: inDays(-1) }, 'expiresAt'],
      [{ successUrl: 'http://shop.example' }, 'successUrl'],
      [{ requireClientReferenceId: null }, 'requireClientReferenceId'],
    ] as [Fields, string][]) {
      const answer = await patch(id, body);
      expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
    }
    expect((await patch(newId(service.clock.now()), {})).status).toBe(404);
  });

  test('inactive: 410 at once for the public, readable for the owner, and active again', async () => {
    const { paymentLink } = await newLink(shop, projectId);
    const { id, publicToken } = paymentLink;
    expect((await anonymously(publicToken)).status).toBe(200);
    expect((await patch(id, { status: 'inactive' })).body.status).toBe('inactive');
    for (const answer of [
      await anonymously(publicToken),
      await call(`${service.url}${path(publicToken)}/checkout`, 'POST', {}),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([410, 'PAYMENT_LINK_INACTIVE']);
    }
    expect((await shop.call('GET', path(id))).body.status).toBe('inactive');
    await patch(id, { status: 'active' });
    expect((await anonymously(publicToken)).status).toBe(200);
  });

  test('410 when its project is archived, or its price or product inactive', async () => {
    const place = (await newProject(shop)).id;
    const links = await Promise.all([1, 2, 3].map(() => newLink(shop, place)));
    await shop.call('PATCH', `/api/v2/prices/${links[0].price.id}`, { isActive: false });
    await shop.call('PATCH', `/api/v2/products/${links[1].product.id}`, { isActive: false });
    await shop.call('DELETE', `/api/v2/projects/${place}`);
    for (const { paymentLink } of links) {
      expect((await anonymously(paymentLink.publicToken)).status).toBe(410);
      const checkout = await call(`${service.url}${path(paymentLink.publicToken)}/checkout`, 'POST', {});
      expect([checkout.status, checkout.body.error.code]).toEqual([410, 'PAYMENT_LINK_INACTIVE']);
    }
  });

  test('DELETE: 409 while active, 204 when not, then 404 everywhere and in no list', async () => {
    const { paymentLink } = await newLink(shop, projectId);
    const { id, publicToken } = paymentLink;
    const early = await shop.call('DELETE', path(id));
    expect([early.status, early.body.error.code]).toEqual([409, 'PAYMENT_LINK_ACTIVE']);
    const session = await call(`${service.url}${path(publicToken)}/checkout`, 'POST', {});
    await patch(id, { status: 'inactive' });
    const gone = await shop.call('DELETE', path(id));
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await shop.call('DELETE', path(id))).status).toBe(404);
    expect((await shop.call('GET', path(id))).status).toBe(404);
    expect((await patch(id, {})).status).toBe(404);
    expect((await anonymously(publicToken)).status).toBe(404);
    expect((await call(`${service.url}${path(publicToken)}/checkout`, 'POST', {})).status).toBe(404);
    const listed = await shop.call('GET', '/api/v2/payment-links?limit=100');
    expect(listed.text).not.toContain(id);
    const sold = await shop.call('GET', `/api/v2/checkout-sessions/${session.body.sessionId}`);
    expect(sold.body).toMatchObject({ paymentLinkId: id, status: 'open' });
  });
});

describe('GET /api/v2/payment-links', () => {
  test('200: filters, pages and CSV', async () => {
    const place = (await newProject(shop)).id;
    const price = await newTopUp(shop, place);
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      const body = { projectId: place, priceId: price.id, name: n === 0 ? '+1' : null };
      made.unshift((await shop.call('POST', '/api/v2/payment-links', body)).body.id);
    }
    const other = (await newLink(shop, place)).paymentLink.id;
    await shop.call('PATCH', `/api/v2/payment-links/${made[1]}`, { status: 'inactive' });
    const ids = async (query: string) => {
      const { body } = await shop.call('GET', `/api/v2/payment-links?projectId=${place}${query}`);
      return body.data.map((link: { id: string }) => link.id);
    };
    expect(await ids('')).toEqual([other, ...made]);
    expect(await ids(`&priceId=${price.id}`)).toEqual(made);
    expect(await ids('&status=inactive')).toEqual([made[1]]);
    expect(await ids('&status=inactive&status=active&limit=2')).toEqual([other, made[0]]);
    const first = await shop.call('GET', `/api/v2/payment-links?projectId=${place}&limit=4`);
    expect(await ids(`&limit=4&cursor=${first.body.nextCursor}`)).toEqual(made.slice(3));
    const csv = await shop.call('GET', `/api/v2/payment-links?projectId=${place}`, undefined, {
      accept: 'text/csv',
    });
    expect(csv.text.trim().split('\r\n')).toHaveLength(7);
    expect(csv.text).toContain(",'+1,");
    expect((await shop.call('GET', '/api/v2/payment-links?token=x')).status).toBe(400);
    await expectSound(service);
  });
});
