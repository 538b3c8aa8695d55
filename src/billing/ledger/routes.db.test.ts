import { beforeAll, describe, expect, test } from 'vitest';
import {
  bring,
  eventNames,
  expectSound,
  listEvents,
  newCustomer,
  newProject,
  newSession,
  newTopUp,
  readCustomer,
  readSession,
} from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { newId } from '../../platform/lib/ids.ts';

const MAX = 9_223_372_036_854_775_807n;
let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

type Fields = Record<string, unknown>;
const customer = async (place = projectId): Promise<string> => (await newCustomer(shop, place)).id;

/** The record of the customer is announced under the same ordering key. */
const isOfBalance = (id: string) => (one: { orderingKey: string; event: string }) =>
  one.orderingKey === id && one.event.startsWith('customer.balance_');

describe('POST /api/v2/customers/{id}/balance-adjustments', () => {
  const adjust = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    shop.call('POST', `/api/v2/customers/${id}/balance-adjustments`, body, headers);

  test('201 with the entry; both balances apart, each with its event', async () => {
    const id = await customer();
    const { status, body } = await adjust(id, { deltaCredits: 70, reason: 'goodwill' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      projectId,
      customerId: id,
      kind: 'adjustment',
      deltaCredits: 70,
      creditBalance: 70,
      deltaCents: 0,
      accountCreditCents: 0,
      reason: 'goodwill',
      invoiceId: null,
      usageRecordId: null,
      reversesId: null,
      createdAt: body.createdAt,
    });
    await adjust(id, { deltaCents: 30, reason: 'a' });
    await adjust(id, { deltaCents: -10, deltaCredits: 0, reason: 'b' });
    expect(await readCustomer(shop, id)).toMatchObject({ creditBalance: 70, accountCreditCents: 20 });
    expect(await eventNames(service, shop.id, id)).toEqual([
      'customer.created',
      ...Array(3).fill('customer.balance_adjusted'),
    ]);
    const told = (await listEvents(service, shop.id)).filter(isOfBalance(id));
    expect(told.map(({ body }) => body.sequence)).toEqual([1, 2, 3]);
    expect(told[2]!.body.data).toEqual({
      projectId,
      customerId: id,
      externalCustomerId: null,
      entryId: told[2]!.body.data.entryId,
      deltaCredits: 0,
      creditBalance: 70,
      deltaCents: -10,
      accountCreditCents: 20,
      reason: 'b',
      invoiceId: null,
      usageRecordId: null,
    });
  });

  test('400, the field first: not exactly one of the two, or no reason', async () => {
    const id = await customer();
    for (const [body, field] of [
      [{ reason: 'x' }, 'deltaCredits'],
      [{ deltaCredits: 0, reason: 'x' }, 'deltaCredits'],
      [{ deltaCents: 0, reason: 'x' }, 'deltaCents'],
      [{ deltaCredits: 1, deltaCents: 1, reason: 'x' }, 'deltaCredits'],
      [{ deltaCredits: 1 }, 'reason'],
      [{ deltaCredits: 1, reason: '' }, 'reason'],
      [{ deltaCredits: 1.5, reason: 'x' }, 'deltaCredits'],
      [{ deltaCents: '1', reason: 'x' }, 'deltaCents'],
      [{ deltaCents: 1, reason: 'x', invoiceId: id }, 'invoiceId'],
    ] as [Fields, string][]) {
      const answer = await adjust(id, body);
      expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
    }
    const entries = await shop.call('GET', `/api/v2/customers/${id}/balance-entries`);
    expect(entries.body.data).toEqual([]);
  });

  test('402 below zero, and nothing is written; of many takers at once only as many as it holds', async () => {
    const id = await customer();
    await adjust(id, { deltaCredits: 10, reason: 'x' });
    for (const [body, what] of [
      [{ deltaCredits: -11 }, 'credits'],
      [{ deltaCents: -1 }, 'account credit'],
    ] as const) {
      const answer = await adjust(id, { ...body, reason: 'x' });
      expect([answer.status, answer.body.error.code]).toEqual([402, 'INSUFFICIENT_BALANCE']);
      expect(answer.body.error.message).toBe(`The customer does not have enough ${what}.`);
    }
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => adjust(id, { deltaCredits: -3, reason: 'x' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(201),
      ...Array(6).fill(402),
    ]);
    expect((await readCustomer(shop, id)).creditBalance).toBe(1);
    await expectSound(service);
  });

  test('the largest numbers keep their digits; 409 past what can be counted', async () => {
    const id = await customer();
    const most = await adjust(id, `{"deltaCents":${MAX},"reason":"x"}`);
    expect(most.text).toContain(`"accountCreditCents":${MAX}`);
    const over = await adjust(id, { deltaCents: 1, reason: 'x' });
    expect([over.status, over.body.error.code]).toEqual([409, 'INVALID_STATE']);
    const least = await adjust(id, `{"deltaCents":-${MAX},"reason":"x"}`);
    expect(least.body.accountCreditCents).toBe(0);
    const beyond = await adjust(id, `{"deltaCents":${MAX + 1n},"reason":"x"}`);
    expect(beyond.status).toBe(400);
  });

  test('Idempotency-Key is the customer’s own, in both versions; 409 with another body', async () => {
    const id = await customer();
    const headers = { 'idempotency-key': 'adjust' };
    const body = { deltaCents: 5, reason: 'x' };
    const first = await adjust(id, body, headers);
    for (const other of ['/api/v2', '/api']) {
      const path = `${other}/customers/${id}/balance-adjustments`;
      expect((await shop.call('POST', path, body, headers)).text).toBe(first.text);
    }
    expect((await adjust(id, { ...body, deltaCents: 6 }, headers)).body.error.code).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
    expect((await adjust(await customer(), body, headers)).status).toBe(201);
    expect((await readCustomer(shop, id)).accountCreditCents).toBe(5);
  });

  test('401, 403, 404', async () => {
    const id = await customer();
    const body = { deltaCents: 5, reason: 'x' };
    const url = `${service.url}/api/v2/customers/${id}/balance-adjustments`;
    expect((await call(url, 'POST', body)).status).toBe(401);
    const key = await shop.keyWith(['billing:read', 'payments:write']);
    expect((await call(url, 'POST', body, { authorization: `Bearer ${key}` })).status).toBe(403);
    expect((await adjust(newId(service.clock.now()), body)).status).toBe(404);
    expect((await adjust('none', body)).status).toBe(404);
  });

  test('the low and depleted events are sent once each when the balance falls to them, and not when it rises', async () => {
    const place = (await newProject(shop, { settings: { lowBalanceCredits: 10 } })).id;
    const id = await customer(place);
    for (const deltaCredits of [5, 20, -14, -1, -9, -1, 3, -3]) {
      expect((await adjust(id, { deltaCredits, reason: 'x' })).status).toBe(201);
    }
    const told = (await listEvents(service, shop.id)).filter(isOfBalance(id));
    expect(
      told.map(({ event, body }) => `${event.slice(17)} ${body.data.creditBalance} ${body.status}`),
    ).toEqual([
      'adjusted 5 low',
      'adjusted 25 ok',
      'adjusted 11 ok',
      'adjusted 10 low',
      'low 10 low',
      'adjusted 1 low',
      'adjusted 0 depleted',
      'depleted 0 depleted',
      'adjusted 3 low',
      'adjusted 0 depleted',
      'depleted 0 depleted',
    ]);
    await expectSound(service);
  });
});

describe('GET /api/v2/customers/{id}/balance-entries', () => {
  test('200: newest first, in pages, as CSV; each row carries the balance after it', async () => {
    const id = await customer();
    const made: number[] = [];
    for (let n = 1; n <= 5; n++) {
      const body = { deltaCents: n, reason: '=x' };
      const entry = await shop.call('POST', `/api/v2/customers/${id}/balance-adjustments`, body);
      made.unshift(entry.body.accountCreditCents);
    }
    const path = `/api/v2/customers/${id}/balance-entries`;
    const first = (await shop.call('GET', `${path}?limit=3`)).body;
    const second = (await shop.call('GET', `${path}?limit=3&cursor=${first.nextCursor}`)).body;
    const read = [...first.data, ...second.data].map((entry) => entry.accountCreditCents);
    expect([read, second.hasMore]).toEqual([made, false]);
    expect(made).toEqual([15, 10, 6, 3, 1]);
    const csv = await shop.call('GET', path, undefined, { accept: 'text/csv' });
    expect(csv.text.trim().split('\r\n')).toHaveLength(6);
    expect(csv.text).toContain(",'=x,");
    expect((await shop.call('GET', `${path}?kind=x`)).status).toBe(400);
    for (const missing of [newId(service.clock.now()), 'none']) {
      expect((await shop.call('GET', `/api/v2/customers/${missing}/balance-entries`)).status).toBe(404);
    }
  });
});

test('money is settled however much credit a customer has already; answers stop at the largest number', async () => {
  const price = await newTopUp(shop, projectId);
  await service.db.query('update prices set credit_amount = $2 where id = $1', [price.id, MAX]);
  const buy = async () => {
    const session = await newSession(shop, projectId, {
      mode: 'balance_top_up',
      priceId: price.id,
      externalCustomerId: 'rich',
    });
    await bring(service, shop, session, 500);
    expect((await readSession(shop, session.id)).status).toBe('complete');
    return session;
  };
  await buy();
  const { customerId } = await buy();
  const shown = await shop.call('GET', `/api/v2/customers/${customerId}`);
  expect(shown.text).toContain(`"creditBalance":${MAX},`);
  const spent = await shop.call(
    'POST',
    `/api/v2/customers/${customerId}/balance-adjustments`,
    `{"deltaCredits":-${MAX},"reason":"x"}`,
  );
  expect(spent.text).toContain(`"creditBalance":${MAX},`);
  await expectSound(service);
});
