import { beforeAll, describe, expect, test } from 'vitest';
import {
  advance,
  bring,
  expectSound,
  newLink,
  newProject,
  newSession,
  readInvoice,
  readPast,
  runDue,
} from '../../../test/support/billing.ts';
import { csvRows } from '../../../test/support/csv.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { newId } from '../../platform/lib/ids.ts';
import { createSession } from '../checkout-sessions/create-session.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const numbersOf = async (projectId: string) =>
  (await shop.call('GET', `/api/v2/invoices?projectId=${projectId}&limit=100`)).body.data
    .map((invoice: { number: string }) => invoice.number)
    .reverse();
const numbers = (count: number, prefix = 'INV') =>
  Array.from({ length: count }, (_, i) => `${prefix}-${String(i + 1).padStart(6, '0')}`);

describe('GET /api/v2/invoices', () => {
  const ids = async (query: string) =>
    (await shop.call('GET', `/api/v2/invoices${query}`)).body.data.map(({ id }: { id: string }) => id);

  test('200 with every field, one by one and in the list', async () => {
    const projectId = (await newProject(shop)).id;
    const session = await newSession(shop, projectId, { merchantReference: 'r', externalCustomerId: 'x' });
    const { status, body } = await shop.call('GET', `/api/v2/invoices/${session.invoiceId}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: session.invoiceId,
      number: 'INV-000001',
      waivedCents: 0,
      remindedAt: null,
      projectId,
      customerId: session.customerId,
      subscriptionId: null,
      checkoutSessionId: session.id,
      status: 'open',
      billingReason: 'one_time',
      currency: 'USD',
      lines: [
        {
          description: 'Payment for r',
          quantity: 1,
          unitAmountCents: 500,
          amountCents: 500,
          discountCents: 0,
          tax: null,
          taxCents: 0,
          priceId: null,
          periodStart: null,
          periodEnd: null,
        },
      ],
      subtotalCents: 500,
      discount: null,
      discountCents: 0,
      taxes: [],
      taxCents: 0,
      taxNotes: [],
      seller: null,
      buyer: null,
      creditAppliedCents: 0,
      totalCents: 500,
      amountPaidCents: 0,
      refundedCents: 0,
      amountDueCents: 500,
      isOverdue: false,
      dueAt: session.expiresAt,
      periodStart: null,
      periodEnd: null,
      merchantReference: 'r',
      clientReferenceId: null,
      metadata: {},
      txSignature: null,
      paidAt: null,
      createdAt: session.createdAt,
      openedAt: session.createdAt,
      memo: null,
      checkoutUrl: null,
      sentAt: null,
      draft: null,
    });
    const listed = await shop.call('GET', `/api/v2/invoices?projectId=${projectId}`);
    expect(listed.body).toEqual({ data: [body], hasMore: false, nextCursor: null });
  });

  test('200: each filter, pages, CSV', async () => {
    const projectId = (await newProject(shop)).id;
    const plain = await newSession(shop, projectId, { merchantReference: 'order-1' });
    const theirs = await newSession(shop, projectId, { externalCustomerId: 'ext', merchantReference: '-1' });
    const { paymentLink } = await newLink(shop, projectId);
    const path = `/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
    const started = await call(service.url + path, 'POST', { clientReferenceId: 'cart' });
    const linked = (await shop.call('GET', `/api/v2/checkout-sessions/${started.body.sessionId}`)).body;
    const paid = await newSession(shop, projectId);
    await bring(service, shop, paid, 500);
    const gone = await newSession(shop, projectId);
    await shop.call('POST', `/api/v2/checkout-sessions/${gone.id}/cancel`);
    const all = [gone, paid, linked, theirs, plain].map(({ invoiceId }) => invoiceId);
    for (const [query, expected] of [
      ['', all],
      ['&status=paid', [paid.invoiceId]],
      ['&status=paid&status=void', [gone.invoiceId, paid.invoiceId]],
      ['&status=uncollectible', []],
      [`&customerId=${theirs.customerId}`, [theirs.invoiceId]],
      ['&externalCustomerId=ext', [theirs.invoiceId]],
      ['&merchantReference=order-1', [plain.invoiceId]],
      ['&clientReferenceId=cart', [linked.invoiceId]],
      [`&createdFrom=${paid.createdAt}`, [gone.invoiceId, paid.invoiceId]],
      [`&createdTo=${theirs.createdAt}`, [plain.invoiceId]],
      [`&customerId=${newId(service.clock.now())}`, []],
    ] as [string, string[]][]) {
      expect([query, await ids(`?projectId=${projectId}${query}`)]).toEqual([query, expected]);
    }
    const seen: string[] = [];
    for (let query = `?projectId=${projectId}&limit=2`; ; ) {
      const { body } = await shop.call('GET', `/api/v2/invoices${query}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      await newSession(shop, projectId);
      if (!body.hasMore) break;
      query = `?projectId=${projectId}&limit=2&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(all);
    const csv = await shop.call(
      'GET',
      `/api/v2/invoices?projectId=${projectId}&createdTo=${linked.createdAt}`,
      undefined,
      {
        accept: 'text/csv',
      },
    );
    expect(csv.text.trim().split('\r\n')).toHaveLength(3);
    expect(csv.text).toContain(",'-1,");
  });

  test('200 as CSV with the customer, and with one row for each line', async () => {
    const projectId = (await newProject(shop)).id;
    const lineItems = [
      { name: '=Mug', unitAmountCents: 1_250, quantity: 2 },
      { name: 'Engraving', unitAmountCents: 305 },
    ];
    const buyer = { customerName: '@Ada', customerEmail: 'ada@shop.example', merchantReference: 'A-7' };
    const session = await newSession(shop, projectId, { lineItems, amountCents: undefined, ...buyer });
    await newSession(shop, projectId);
    const list = `/api/v2/invoices?projectId=${projectId}`;
    const read = async (query = '', accept = 'text/csv') =>
      shop.call('GET', `${list}${query}`, undefined, { accept });
    const [without, invoice] = csvRows((await read()).text);
    const customer = { 'customer.name': "'@Ada", 'customer.email': 'ada@shop.example' };
    expect(invoice).toMatchObject({ ...customer, totalUsd: '28.05', totalCents: '2805', currency: 'USD' });
    expect(without).toMatchObject({ 'customer.name': '', 'customer.email': '' });
    const lines = csvRows((await read('&rows=lines&merchantReference=A-7&limit=1')).text);
    const each = { number: invoice!.number, ...customer, status: 'open', invoiceId: session.invoiceId };
    expect(lines).toMatchObject([
      { ...each, line: '1', description: "'=Mug", quantity: '2', unitAmountUsd: '12.50', amountUsd: '25.00' },
      { ...each, line: '2', description: 'Engraving', quantity: '1', amountUsd: '3.05', amountCents: '305' },
    ]);
    const refused = await read('&rows=lines', 'application/json');
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'rows can only be lines with Accept: text/csv',
    ]);
    const expanded = await read('&rows=lines&expand=customer');
    expect(expanded.body.error.message).toBe('expand cannot be combined with text/csv');
    expect((await read('&rows=invoices', 'application/json')).status).toBe(200);
  });

  test('400 for what it does not know, 401, 403, 404', async () => {
    for (const query of ['?status=complete', '?projectId=1', '?limit=x', '?cursor=!', '?page=2']) {
      expect([query, (await shop.call('GET', `/api/v2/invoices${query}`)).status]).toEqual([query, 400]);
    }
    expect((await call(`${service.url}/api/v2/invoices`, 'GET')).status).toBe(401);
    const bearer = { authorization: `Bearer ${await shop.keyWith(['payments:read', 'billing:write'])}` };
    expect((await call(`${service.url}/api/v2/invoices`, 'GET', undefined, bearer)).status).toBe(403);
    for (const id of [newId(service.clock.now()), 'none']) {
      expect((await shop.call('GET', `/api/v2/invoices/${id}`)).status).toBe(404);
    }
    expect((await shop.call('PUT', '/api/v2/invoices', {})).status).toBe(405);
  });
});

describe('numbers', () => {
  test('have no gap when sessions are made at once and some of them fail', async () => {
    const projectId = (await newProject(shop, { monthlyVolumeLimitCents: 10_000 })).id;
    const bodies = Array.from({ length: 60 }, (_, i) => ({
      projectId,
      mode: 'one_time',
      // Some are over the limit, some are refused only after everything else was looked at.
      amountCents: i % 3 === 0 ? 400 : 300,
      ...(i % 7 === 0 && { successUrl: 'http://shop.example/' }),
    }));
    const answers = await Promise.all(
      bodies.map((body) => shop.call('POST', '/api/v2/checkout-sessions', body)),
    );
    const made = answers.filter(({ status }) => status === 201).length;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 400, 403]));
    expect((await numbersOf(projectId)).sort()).toEqual(numbers(made));
    await expectSound(service);
  });

  test('a transaction that dies after the number was taken gives it back', async () => {
    const projectId = (await newProject(shop)).id;
    await newSession(shop, projectId);
    const destination = (await shop.call('GET', '/api/b2b/merchants/me')).body.payoutAddress;
    const now = service.clock.now();
    const body = { projectId, mode: 'one_time' as const, amountCents: 5n };
    const emailSource = 'merchant' as const;
    const input = {
      merchantId: shop.id,
      body,
      emailSource,
      destination,
      publicUrl: 'x',
      allowLoopback: false,
      now,
    };
    await expect(
      service.db.transaction(async (tx) => {
        await createSession(tx, input);
        // Simulates a crash: the connection is gone before anything was committed.
        await tx.query('select pg_terminate_backend(pg_backend_pid())');
      }),
    ).rejects.toThrow();
    await newSession(shop, projectId);
    expect(await numbersOf(projectId)).toEqual(numbers(2));
    await expectSound(service);
  });

  test('each project counts its own; a new prefix holds from the next invoice on', async () => {
    const projectId = (await newProject(shop)).id;
    await newSession(shop, projectId);
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { settings: { invoicePrefix: 'ACME' } });
    await newSession(shop, projectId);
    expect(await numbersOf(projectId)).toEqual(['INV-000001', 'ACME-000002']);
  });
});

test('overdue from the deadline on, until the chain was read past it; uncollectible then, and paid after all', async () => {
  const projectId = (await newProject(shop)).id;
  const session = await newSession(shop, projectId);
  await advance(service, 1.1, { isRead: false });
  await readPast(service, new Date(Date.parse(session.expiresAt) - 1));
  await runDue(service);
  expect(await readInvoice(shop, session.invoiceId)).toMatchObject({ status: 'open', isOverdue: true });
  const overdue = async (more = '') =>
    (await shop.call('GET', `/api/v2/invoices?isOverdue=true${more}`)).body.data;
  expect(await overdue()).toMatchObject([{ id: session.invoiceId, isOverdue: true }]);
  expect(await overdue('&status=paid')).toEqual([]);
  expect((await shop.call('GET', '/api/v2/invoices?isOverdue=false')).status).toBe(400);
  await readPast(service, new Date(session.expiresAt));
  await runDue(service);
  expect(await readInvoice(shop, session.invoiceId)).toMatchObject({
    status: 'uncollectible',
    isOverdue: false,
    amountDueCents: 500,
  });
  const signature = await bring(service, shop, session, 500);
  expect(await readInvoice(shop, session.invoiceId)).toMatchObject({
    status: 'paid',
    amountDueCents: 0,
    txSignature: signature,
  });
  await expectSound(service);
});
