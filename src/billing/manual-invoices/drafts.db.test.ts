import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  listEvents,
  newCustomer,
  newPlan,
  newPrice,
  newProject,
} from '../../../test/support/billing.ts';
import { visit } from '../../../test/support/portal.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;
let customerId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
  customerId = (await newCustomer(shop, projectId, { name: 'Ada', externalCustomerId: 'ada' })).id;
});

const hours = { name: 'Consulting', unitAmountCents: 12_000, quantity: 8 };
const draft = (fields: object = {}) =>
  shop.call('POST', '/api/v2/invoices', { projectId, customerId, lineItems: [hours], ...fields });
const inDays = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS).toISOString();

describe('POST /api/v2/invoices', () => {
  test('201 with a draft: no number, nothing owed, no events', async () => {
    const price = await newPrice(shop, projectId);
    const lineItems = [hours, { priceId: price.id, quantity: 2 }];
    const before = (await listEvents(service, shop.id)).length;
    const fields = {
      lineItems,
      netDays: 14,
      memo: 'Thanks!\nAda',
      merchantReference: 'PO 7',
      metadata: { a: 'b' },
    };
    const { status, body } = await draft(fields);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{
        number: null,
        status: 'draft',
        billingReason: 'manual',
        projectId,
        customerId,
        checkoutSessionId: null,
      },
      ...{ subtotalCents: 97_000, totalCents: 97_000, amountDueCents: 0, isOverdue: false, dueAt: null },
      ...{ openedAt: null, checkoutUrl: null, sentAt: null, memo: 'Thanks!\nAda', merchantReference: 'PO 7' },
      lines: [
        {
          description: 'Consulting',
          quantity: 8,
          unitAmountCents: 12_000,
          amountCents: 96_000,
          priceId: null,
        },
        { description: 'Coffee', quantity: 2, amountCents: 1_000, priceId: price.id },
      ],
      draft: {
        lineItems: [
          {
            name: 'Consulting',
            unitAmountCents: 12_000,
            quantity: 8,
            priceId: null,
            taxBehavior: null,
            taxRateId: null,
          },
          { name: null, unitAmountCents: null, quantity: 2, priceId: price.id },
        ],
        ...{ netDays: 14, discountId: null, promotionCode: null, send: false },
      },
      metadata: { a: 'b' },
    });
    expect((await shop.call('GET', `/api/v2/invoices/${body.id}`)).body).toEqual(body);
    const { body: page } = await shop.call('GET', '/api/v2/invoices?status=draft&limit=1');
    expect(page.data).toEqual([body]);
    expect((await listEvents(service, shop.id)).length).toBe(before);
  });

  test('the same key creates one draft', async () => {
    const body = { projectId, customerId, lineItems: [hours], dueAt: inDays(9) };
    const post = () => shop.call('POST', '/api/v2/invoices', body, { 'idempotency-key': 'once/api/v2' });
    const [a, b] = await Promise.all([post(), post()]);
    expect(a.text).toBe(b.text);
    expect(a.body.dueAt).toBe(body.dueAt);
  });
});

describe('400', () => {
  const fifty = Array.from({ length: 51 }, () => hours);
  test.each([
    ['no lines', { lineItems: [] }, 'lineItems'],
    ['a 51st line', { lineItems: fifty }, 'lineItems'],
    ['a negative amount', { lineItems: [{ name: 'a', unitAmountCents: -1 }] }, 'unitAmountCents'],
    ['an amount of nothing', { lineItems: [{ name: 'a', unitAmountCents: 0 }] }, 'unitAmountCents'],
    ['a line without a name', { lineItems: [{ unitAmountCents: 1 }] }, 'lineItems.0.priceId'],
    ['too many of one', { lineItems: [{ ...hours, quantity: 10_001 }] }, 'quantity'],
    [
      'dueAt and netDays',
      { dueAt: '2099-01-01T00:00:00Z', netDays: 3 },
      'netDays cannot be combined with dueAt',
    ],
    ['a due date in the past', { dueAt: '2020-01-01T00:00:00Z' }, 'dueAt must be in the future'],
    ['a due date too far away', { dueAt: '2099-01-01T00:00:00Z' }, 'dueAt must be within 365 days'],
    ['no net days', { netDays: 0 }, 'netDays'],
    ['too many net days', { netDays: 366 }, 'netDays'],
    ['a memo too long', { memo: 'x'.repeat(1001) }, 'memo'],
    ['an empty memo', { memo: '' }, 'memo'],
    ['a blank memo', { memo: ' \n\u00a0\u200b ' }, 'memo'],
    [
      'nobody',
      { customerId: '019b76da-a800-7000-8000-000000000001' },
      'customerId must be the id of a customer',
    ],
    ['no project', { projectId: '019b76da-a800-7000-8000-000000000001' }, 'projectId'],
    [
      'a discount and a code',
      { discountId: '019b76da-a800-7000-8000-000000000001', promotionCode: 'A' },
      'promotionCode',
    ],
    ['an unknown discount', { discountId: '019b76da-a800-7000-8000-000000000001' }, 'discountId'],
    ['an unknown code', { promotionCode: 'NOPE' }, 'promotionCode is not valid'],
    ['sending without an address', { send: true }, 'send must be false: the customer has no e-mail address'],
    [
      'a sum beyond int64',
      { lineItems: [{ name: 'a', unitAmountCents: Number.MAX_SAFE_INTEGER, quantity: 10_000 }] },
      '',
    ],
    ['an unknown field', { autoAdvance: true }, 'autoAdvance'],
  ])('for %s', async (_, fields, problem) => {
    const { status, body } = await draft(fields);
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST']);
    expect(body.error.message).toContain(problem);
  });

  test('for a price that renews, or of another project', async () => {
    const plan = await newPlan(shop, projectId);
    const foreign = await newPrice(shop, (await newProject(shop)).id);
    for (const { id } of [plan, foreign])
      expect((await draft({ lineItems: [{ priceId: id }] })).body.error.message).toContain(
        'lineItems.0.priceId',
      );
  });

  test('for a customer of another project, and of another merchant', async () => {
    const other = await newCustomer(shop, (await newProject(shop)).id);
    const mallory = await service.createMerchant();
    const theirs = await newCustomer(mallory, (await newProject(mallory)).id);
    for (const { id } of [other, theirs])
      expect((await draft({ customerId: id })).body.error.message).toContain('customerId must be');
  });

  test('for sending where there is no mail server', async () => {
    const { id } = await newCustomer(shop, projectId, { email: 'ann@example.com' });
    const { body } = await draft({ customerId: id, send: true });
    expect(body.error.message).toContain('has no mail server');
  });
});

describe('PATCH', () => {
  const change = (id: string, fields: object) => shop.call('PATCH', `/api/v2/invoices/${id}`, fields);

  test('200 with whatever is in a draft, and it is priced again', async () => {
    const { id } = (await draft({ dueAt: inDays(5), memo: 'a', metadata: { a: '1' } })).body;
    const other = await newCustomer(shop, projectId);
    const changed = await change(id, {
      ...{ lineItems: [{ name: 'Less', unitAmountCents: 5 }], netDays: 7, memo: null, customerId: other.id },
      metadata: { b: '2' },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      ...{ totalCents: 5, subtotalCents: 5, memo: null, dueAt: null, customerId: other.id, status: 'draft' },
      ...{ draft: { netDays: 7 }, metadata: { a: '1', b: '2' }, lines: [{ description: 'Less' }] },
    });
    expect((await change(id, { dueAt: inDays(3) })).body.draft.netDays).toBe(null);
    expect((await change(id, { dueAt: null })).body).toMatchObject({ dueAt: null, draft: { netDays: 30 } });
    expect((await change(id, {})).body.totalCents).toBe(5);
    expect((await shop.call('GET', `/api/v2/invoices/${id}`)).body).toEqual((await change(id, {})).body);
  });

  test('400 changes nothing', async () => {
    const { body } = await draft();
    for (const fields of [
      { lineItems: [] },
      { dueAt: '2020-01-01T00:00:00Z' },
      { send: true },
      { memo: '' },
      { memo: ' \n' },
    ])
      expect((await change(body.id, fields)).status).toBe(400);
    expect((await shop.call('GET', `/api/v2/invoices/${body.id}`)).body).toEqual(body);
  });

  test('409 of one that is open, except for its metadata', async () => {
    const { id } = (await draft()).body;
    await shop.call('POST', `/api/v2/invoices/${id}/open`);
    const { status, body } = await change(id, { memo: 'later', metadata: { a: 'b' } });
    expect([status, body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect((await change(id, { metadata: { a: 'b' } })).body).toMatchObject({
      metadata: { a: 'b' },
      memo: null,
    });
  });
});

test('DELETE: 204 of a draft, and it is gone; 409 of one with a number', async () => {
  const { id } = (await draft()).body;
  expect((await shop.call('DELETE', `/api/v2/invoices/${id}`)).status).toBe(204);
  expect((await shop.call('GET', `/api/v2/invoices/${id}`)).status).toBe(404);
  expect((await shop.call('DELETE', `/api/v2/invoices/${id}`)).status).toBe(404);
  const { id: open } = (await draft()).body;
  await shop.call('POST', `/api/v2/invoices/${open}/open`);
  const { status, body } = await shop.call('DELETE', `/api/v2/invoices/${open}`);
  expect([status, body.error.message]).toEqual([
    409,
    'Only a draft can be deleted. Void an open invoice instead.',
  ]);
});

test('a draft is seen by its merchant alone: not in the portal, the numbers or another merchant’s lists', async () => {
  const person = await newCustomer(shop, projectId, { name: 'Private' });
  const overview = async () => (await shop.call('GET', '/api/v2/billing/overview')).text;
  const stats = async () => (await shop.call('GET', '/api/b2b/merchants/stats')).text;
  const before = [await overview(), await stats()];
  const { id } = (await draft({ customerId: person.id, memo: 'secret' })).body;
  expect([await overview(), await stats()]).toEqual(before);
  const visitor = await visit(service, shop, projectId, person.id);
  expect((await visitor.call('GET', '/invoices')).body.data).toEqual([]);
  expect((await visitor.call('GET', `/invoices/${id}`)).status).toBe(404);
  expect((await visitor.call('GET', `/invoices/${id}/pdf`)).status).toBe(404);
  expect((await visitor.call('GET', '/invoices?status=draft')).status).toBe(400);
  const mallory = await service.createMerchant();
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/pdf'],
    ['DELETE', ''],
    ['POST', '/open'],
    ['POST', '/send'],
    ['POST', '/void'],
  ] as const)
    expect((await mallory.call(method, `/api/v2/invoices/${id}${path}`)).status).toBe(404);
  await expectSound(service);
});
