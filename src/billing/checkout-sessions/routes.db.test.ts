import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newCustomer,
  newPrice,
  newProject,
  newSession,
  newTopUp,
  readInvoice,
  readSession,
  referenceOf,
} from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { newId } from '../../platform/lib/ids.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

type Fields = Record<string, unknown>;
const counted = [
  'checkout_sessions',
  'invoices',
  'payment_intents',
  'customers',
  'events',
  'idempotency_keys',
];
const rowCounts = async () => {
  const [row] = await service.db.query(
    `select ${counted.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
  );
  return row;
};

describe('POST /api/v2/checkout-sessions', () => {
  const create = (fields: Fields, headers = {}) =>
    shop.call(
      'POST',
      '/api/v2/checkout-sessions',
      { projectId, mode: 'one_time', ...fields },
      headers as Record<string, string>,
    );
  const expectBad = async (fields: Fields, field: string) => {
    const before = await rowCounts();
    const { status, body } = await create(fields);
    expect([fields, status, body.error?.code]).toEqual([fields, 400, 'BAD_REQUEST']);
    expect([fields, body.error.message.split(' ')[0]]).toEqual([fields, field]);
    expect(await rowCounts()).toEqual(before);
  };

  test('201 with every field, read back the same in both versions', async () => {
    const price = await newPrice(shop, projectId);
    const { status, body, text } = await create({
      priceId: price.id,
      currency: 'USDC',
      externalCustomerId: 'c-201',
      customerEmail: 'a@example.com',
      customerName: 'A',
      merchantReference: 'r-201',
      successUrl: 'https://shop.example/ok?x=1',
      cancelUrl: 'http://localhost:3000/no',
    });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      'id',
      'projectId',
      'mode',
      'status',
      'paymentStatus',
      'priceId',
      'amountCents',
      'currency',
      'lineItems',
      'discount',
      'discountCents',
      'taxes',
      'taxCents',
      'allowPromotionCodes',
      'amountReceivedCents',
      'customerId',
      'externalCustomerId',
      'customerEmail',
      'customerName',
      'merchantReference',
      'clientReferenceId',
      'paymentLinkId',
      'invoiceId',
      'subscriptionId',
      'paymentIntentId',
      'checkoutUrl',
      'successUrl',
      'cancelUrl',
      'expiresAt',
      'completedAt',
      'createdAt',
      'metadata',
      'trialDays',
      'tipPercents',
      'tipCents',
    ]);
    expect(body).toMatchObject({ currency: 'USD', successUrl: 'https://shop.example/ok?x=1' });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(86_400_000);
    for (const other of ['/api/v2', '/api']) {
      expect((await shop.call('GET', `${other}/checkout-sessions/${body.id}`)).text).toBe(text);
    }
    const intent = await shop.call('GET', `/api/merchants/intents/${body.paymentIntentId}`);
    expect(intent.body).toMatchObject({
      orderId: 'r-201',
      expectedAmountCents: 500,
      expiresAt: body.expiresAt,
    });
  });

  test('400, the field first and nothing written: types, ranges, unknown and missing fields', async () => {
    const id = newId(service.clock.now());
    for (const [fields, field] of [
      [{ amountCents: 0 }, 'amountCents'],
      [{ amountCents: -1 }, 'amountCents'],
      [{ amountCents: 1.5 }, 'amountCents'],
      [{ amountCents: '100' }, 'amountCents'],
      [{ amountCents: null }, 'amountCents'],
      [{ amountCents: 5, projectId: 'x' }, 'projectId'],
      [{ amountCents: 5, projectId: undefined }, 'projectId'],
      [{ amountCents: 5, projectId: id }, 'projectId'],
      [{ amountCents: 5, mode: undefined }, 'mode'],
      [{ amountCents: 5, mode: 'gift' }, 'mode'],
      [{ amountCents: 5, currency: 'EUR' }, 'currency'],
      [{ amountCents: 5, surprise: 1 }, 'surprise'],
      [{ amountCents: 5, clientReferenceId: 'x' }, 'clientReferenceId'],
      [{ amountCents: 5, merchantReference: '' }, 'merchantReference'],
      [{ amountCents: 5, merchantReference: 'x'.repeat(256) }, 'merchantReference'],
      [{ amountCents: 5, customerEmail: 'nobody' }, 'customerEmail'],
      [{ amountCents: 5, customerEmail: `${'x'.repeat(250)}@example.com` }, 'customerEmail'],
      [{ amountCents: 5, customerName: '' }, 'customerName'],
      [{ amountCents: 5, externalCustomerId: 'x'.repeat(256) }, 'externalCustomerId'],
      [{ priceId: id }, 'priceId'],
      [{}, 'priceId'],
    ] as [Fields, string][]) {
      await expectBad(fields, field);
    }
    const large = await shop.call(
      'POST',
      '/api/v2/checkout-sessions',
      `{"projectId":"${projectId}","mode":"one_time","amountCents":9223372036854775808}`,
    );
    expect([large.status, large.body.error.message.split(' ')[0]]).toEqual([400, 'amountCents']);
  });

  test('400 for priceId with amountCents, another mode than the price’s, and prices of others', async () => {
    const price = await newPrice(shop, projectId);
    const topUp = await newTopUp(shop, projectId);
    const elsewhere = (await newProject(shop)).id;
    const stranger = await service.createMerchant();
    const foreign = await newPrice(stranger, (await newProject(stranger)).id);
    await expectBad({ priceId: price.id, amountCents: 5 }, 'amountCents');
    await expectBad({ priceId: topUp.id }, 'mode');
    await expectBad({ priceId: price.id, mode: 'balance_top_up', externalCustomerId: 'm' }, 'mode');
    await expectBad({ amountCents: 5, mode: 'balance_top_up', externalCustomerId: 'm' }, 'priceId');
    await expectBad({ priceId: price.id, projectId: elsewhere }, 'priceId');
    await expectBad({ priceId: foreign.id }, 'priceId');
    await expectBad({ amountCents: 5, projectId: foreign.projectId }, 'projectId');
  });

  test('409 for an inactive price or product, an archived project and no payout address', async () => {
    const refused = async (fields: Fields, merchant = shop) => {
      const before = await rowCounts();
      const body = { projectId, mode: 'one_time', ...fields };
      const answer = await merchant.call('POST', '/api/v2/checkout-sessions', body);
      expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
      expect(await rowCounts()).toEqual(before);
      return answer.body.error.message;
    };
    const price = await newPrice(shop, projectId);
    await shop.call('PATCH', `/api/v2/prices/${price.id}`, { isActive: false });
    expect(await refused({ priceId: price.id })).toContain('price');
    await shop.call('PATCH', `/api/v2/prices/${price.id}`, { isActive: true });
    await shop.call('PATCH', `/api/v2/products/${price.productId}`, { isActive: false });
    expect(await refused({ priceId: price.id })).toContain('product');
    const archived = (await newProject(shop)).id;
    expect((await shop.call('DELETE', `/api/v2/projects/${archived}`)).status).toBe(204);
    expect(await refused({ projectId: archived, amountCents: 5 })).toContain('archived');
    const poor = await service.createMerchant('Poor', null);
    const theirs = (await newProject(poor)).id;
    expect(await refused({ projectId: theirs, amountCents: 5 }, poor)).toContain('payout address');
  });

  test('return URLs: https anywhere, http on one’s own machine in the sandbox, nothing else', async () => {
    for (const url of [
      'https://shop.example/a?b=c#d',
      'http://localhost/x',
      'http://127.0.0.1:8080',
      'http://[::1]/',
    ]) {
      const { status, body } = await create({ amountCents: 5, successUrl: url, cancelUrl: url });
      expect([url, status, body.successUrl, body.cancelUrl]).toEqual([url, 201, url, url]);
    }
    for (const url of [
      'http://shop.example/',
      'http://localhost.evil.example/',
      'http://127.0.0.1.evil.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://shop.example/',
      '//shop.example/',
      '/relative',
      'shop.example',
      'https://',
      'https://user@shop.example/',
      'https://user:secret@shop.example/',
      `https://shop.example/${'x'.repeat(2048)}`,
      '',
    ]) {
      await expectBad({ amountCents: 5, successUrl: url }, 'successUrl');
      await expectBad({ amountCents: 5, cancelUrl: url }, 'cancelUrl');
    }
  });

  test('customers: found by externalCustomerId and never overwritten; made otherwise; none for nobody', async () => {
    const known = await newCustomer(shop, projectId, {
      externalCustomerId: 'known/api/v2',
      email: 'first@example.com',
    });
    const found = await create({
      amountCents: 5,
      externalCustomerId: 'known/api/v2',
      customerEmail: 'other@example.com',
      customerName: 'Other',
    });
    expect(found.body.customerId).toBe(known.id);
    expect(found.body).toMatchObject({ customerEmail: 'other@example.com', customerName: 'Other' });
    const untouched = await shop.call('GET', `/api/v2/customers/${known.id}`);
    expect(untouched.body).toMatchObject({ email: 'first@example.com', name: null });
    const inherited = await create({ amountCents: 5, externalCustomerId: 'known/api/v2' });
    expect(inherited.body.customerEmail).toBe('first@example.com');
    const twice = await Promise.all(
      [1, 2].map(() => create({ amountCents: 5, customerEmail: 'x@example.com' })),
    );
    expect(new Set(twice.map(({ body }) => body.customerId)).size).toBe(2);
    const rivals = await Promise.all(
      Array.from({ length: 8 }, () => create({ amountCents: 5, externalCustomerId: 'new/api/v2' })),
    );
    expect(new Set(rivals.map(({ body }) => body.customerId)).size).toBe(1);
    expect((await create({ amountCents: 5 })).body.customerId).toBeNull();
  });

  test('400 for a top-up without a customer; 201 with any of the three', async () => {
    const { id: priceId } = await newTopUp(shop, projectId);
    const topUp = { priceId, mode: 'balance_top_up' };
    await expectBad(topUp, 'externalCustomerId');
    for (const who of [
      { externalCustomerId: 'who' },
      { customerEmail: 'who@example.com' },
      { customerName: 'Who' },
    ]) {
      const { status, body } = await create({ ...topUp, ...who });
      expect([status, body.mode]).toEqual([201, 'balance_top_up']);
      expect((await readInvoice(shop, body.invoiceId)).billingReason).toBe('balance_top_up');
    }
  });

  test('the largest amounts keep every digit, in session, invoice and list', async () => {
    for (const cents of ['9007199254740993', '9223372036854775807']) {
      const { status, body, text } = await shop.call(
        'POST',
        '/api/v2/checkout-sessions',
        `{"projectId":"${projectId}","mode":"one_time","amountCents":${cents}}`,
      );
      expect([status, text.includes(`"amountCents":${cents},`)]).toEqual([201, true]);
      const invoice = await shop.call('GET', `/api/v2/invoices/${body.invoiceId}`);
      for (const field of [
        'subtotalCents',
        'totalCents',
        'amountDueCents',
        'unitAmountCents',
        'amountCents',
      ]) {
        expect(invoice.text).toContain(`"${field}":${cents}`);
      }
    }
    await expectSound(service);
  });

  test('Idempotency-Key: the same bytes again, in either version; 409 with another body', async () => {
    const headers = { 'idempotency-key': 'once /api/v2' };
    const first = await create({ amountCents: 5, merchantReference: 'i' }, headers);
    const again = await create({ merchantReference: 'i', amountCents: 5 }, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.text).toBe(first.text);
    const other = '/api';
    const body = { projectId, mode: 'one_time', amountCents: 5, merchantReference: 'i' };
    expect((await shop.call('POST', `${other}/checkout-sessions`, body, headers)).text).toBe(first.text);
    const conflict = await create({ amountCents: 6, merchantReference: 'i' }, headers);
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    const rivals = await Promise.all(
      Array.from({ length: 10 }, () => create({ amountCents: 7 }, { 'idempotency-key': 'race /api/v2' })),
    );
    expect(new Set(rivals.map(({ text }) => text)).size).toBe(1);
    expect((await create({ amountCents: 5 }, { 'idempotency-key': 'x'.repeat(256) })).status).toBe(400);
  });

  test('an error is not stored: the same key works once the cause is gone', async () => {
    const price = await newPrice(shop, projectId);
    const headers = { 'idempotency-key': 'later /api/v2' };
    await shop.call('PATCH', `/api/v2/prices/${price.id}`, { isActive: false });
    expect((await create({ priceId: price.id }, headers)).status).toBe(409);
    await shop.call('PATCH', `/api/v2/prices/${price.id}`, { isActive: true });
    expect((await create({ priceId: price.id }, headers)).status).toBe(201);
  });

  test('401 without a key; 403 unless the key may write both billing and payments', async () => {
    const path = `${service.url}/api/v2/checkout-sessions`;
    const body = { projectId, mode: 'one_time', amountCents: 5 };
    expect((await call(path, 'POST', body)).status).toBe(401);
    for (const scope of ['billing:write', 'payments:write'] as const) {
      const key = await shop.keyWith([scope]);
      const answer = await call(path, 'POST', body, { authorization: `Bearer ${key}` });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
    const both = await shop.keyWith(['billing:write', 'payments:write']);
    expect((await call(path, 'POST', body, { authorization: `Bearer ${both}` })).status).toBe(201);
  });
});

test('a merchantReference longer than an order id stays on session and invoice alone', async () => {
  for (const [length, isOrder] of [
    [128, true],
    [129, false],
    [255, false],
  ] as const) {
    const merchantReference = '😀'.repeat(length);
    const session = await newSession(shop, projectId, { merchantReference });
    const intent = (await shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`)).body;
    expect(intent.orderId).toBe(isOrder ? merchantReference : null);
    expect(session.merchantReference).toBe(merchantReference);
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({ merchantReference });
  }
});

describe('POST /api/v2/checkout-sessions/{id}/cancel', () => {
  const cancel = (id: string, headers = {}) =>
    shop.call('POST', `/api/v2/checkout-sessions/${id}/cancel`, undefined, headers);

  test('200: session canceled, invoice void, intent canceled; the same key answers the same again', async () => {
    const session = await newSession(shop, projectId);
    const headers = { 'idempotency-key': 'cancel' };
    const { status, body, text } = await cancel(session.id, headers);
    expect([status, body.status, body.paymentStatus]).toEqual([200, 'canceled', 'unpaid']);
    expect((await readSession(shop, session.id)).status).toBe('canceled');
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({ status: 'void', amountDueCents: 0 });
    const intent = await shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
    expect(intent.body.status).toBe('canceled');
    expect((await cancel(session.id, headers)).text).toBe(text);
    expect((await cancel(session.id)).status).toBe(409);
  });

  test('409 once any money was seen, be it a part that is not final yet', async () => {
    for (const [cents, isFinal] of [
      [500n, false],
      [200n, false],
      [200n, true],
      [500n, true],
    ] as const) {
      const session = await newSession(shop, projectId);
      const references = [await referenceOf(shop, session)];
      await arrive(service, shop.id, { references, baseUnits: centsToBaseUnits(cents), isFinal });
      const { status, body } = await cancel(session.id);
      expect([cents, isFinal, status, body.error?.code]).toEqual([cents, isFinal, 409, 'INVALID_STATE']);
    }
    await expectSound(service);
  });

  test('404 for one that is not there; 403 unless the key may write both', async () => {
    expect((await cancel(newId(service.clock.now()))).status).toBe(404);
    expect((await cancel('none')).status).toBe(404);
    const session = await newSession(shop, projectId);
    for (const scope of ['billing:write', 'payments:write'] as const) {
      const key = await shop.keyWith([scope]);
      const url = `${service.url}/api/v2/checkout-sessions/${session.id}/cancel`;
      expect((await call(url, 'POST', undefined, { authorization: `Bearer ${key}` })).status).toBe(403);
    }
    expect((await readSession(shop, session.id)).status).toBe('open');
  });

  test('of many who cancel and pay at once, one wins, and the books agree', async () => {
    const session = await newSession(shop, projectId, { externalCustomerId: 'racer' });
    const references = [await referenceOf(shop, session)];
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => cancel(session.id)),
      arrive(service, shop.id, { references, baseUnits: 5_000_000n }),
    ]);
    const canceled = answers.slice(0, 5).filter((answer) => (answer as { status: number }).status === 200);
    expect(canceled.length).toBe((await readSession(shop, session.id)).status === 'canceled' ? 1 : 0);
    await expectSound(service);
  });
});
