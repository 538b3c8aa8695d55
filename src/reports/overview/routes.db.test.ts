import { beforeAll, describe, expect, test } from 'vitest';
import {
  advance,
  bring,
  newCustomer,
  newProject,
  newSession,
  readSession,
} from '../../../test/support/billing.ts';
import {
  call,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { DAY_MS, startOfNextUtcMonth } from '../../platform/lib/clock.ts';
import { newId } from '../../platform/lib/ids.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

describe('GET /api/v2/billing/overview', () => {
  const read = (query = '', headers = {}): Promise<TestAnswer> =>
    shop.call('GET', `/api/v2/billing/overview${query}`, undefined, headers);

  test('200 with zeros for a merchant, and for a project, that has nothing', async () => {
    const nothing = {
      monthlyRecurringCents: 0,
      subscriptions: {
        incomplete: 0,
        incomplete_expired: 0,
        trialing: 0,
        active: 0,
        past_due: 0,
        canceled: 0,
      },
      churnedThisMonthCount: 0,
      openInvoicesCount: 0,
      openInvoicesCents: 0,
      overdueInvoicesCount: 0,
      overdueInvoicesCents: 0,
      paidThisMonthCount: 0,
      paidThisMonthCents: 0,
      refundedThisMonthCount: 0,
      refundedThisMonthCents: 0,
      creditsOutstanding: 0,
      accountCreditOutstandingCents: 0,
      limits: [],
      failingDeliveriesCount: 0,
      openExceptionsCount: 0,
      openExceptions: [],
      unreadAddressesCount: 0,
      waivedThisMonthCents: 0,
      disputedPaymentsCount: 0,
    };
    const empty = await service.createMerchant();
    const answer = await empty.call('GET', '/api/v2/billing/overview');
    expect([answer.status, answer.body]).toEqual([200, nothing]);
    const unknown = await empty.call(
      'GET',
      `/api/v2/billing/overview?projectId=${newId(service.clock.now())}`,
    );
    expect(unknown.body).toEqual(nothing);
  });

  test('200: what is paid counts in its month and project; limits show what is used of them', async () => {
    const first = await newProject(shop, { monthlyVolumeLimitCents: 5_000, monthlyRequestLimit: 100 });
    const second = await newProject(shop);
    const before = (await read()).body;
    const paid = await newSession(shop, first.id, { amountCents: 700 });
    await bring(service, shop, paid, 750);
    const open = await newSession(shop, second.id, { amountCents: 300 });
    await bring(service, shop, open, 100);
    const customer = await newCustomer(shop, second.id);
    for (const body of [{ deltaCredits: 8 }, { deltaCents: 9 }]) {
      const path = `/api/v2/customers/${customer.id}/balance-adjustments`;
      expect((await shop.call('POST', path, { ...body, reason: 'x' })).status).toBe(201);
    }
    const one = (await read(`?projectId=${first.id}`)).body;
    expect(one).toMatchObject({
      openInvoicesCount: 0,
      paidThisMonthCount: 1,
      paidThisMonthCents: 700,
      creditsOutstanding: 0,
    });
    expect(one.limits).toMatchObject([
      { projectId: first.id, monthlyVolumeLimitCents: 5_000, volumeCents: 700, monthlyRequestLimit: 100 },
    ]);
    const other = (await read(`?projectId=${second.id}`)).body;
    expect(other).toMatchObject({
      openInvoicesCount: 1,
      openInvoicesCents: 200,
      overdueInvoicesCount: 0,
      paidThisMonthCount: 0,
      creditsOutstanding: 8,
      accountCreditOutstandingCents: 9,
      limits: [],
    });
    const after = (await read()).body;
    expect(after.paidThisMonthCents).toBe(before.paidThisMonthCents + 700);
    expect(after.openInvoicesCents).toBe(before.openInvoicesCents + 200);
    expect(after.openExceptionsCount).toBe(before.openExceptionsCount + 1);

    const now = service.clock.now();
    await advance(service, (startOfNextUtcMonth(now).getTime() - now.getTime()) / DAY_MS + 2);
    const later = (await read(`?projectId=${second.id}`)).body;
    expect(later).toMatchObject({ overdueInvoicesCount: 1, overdueInvoicesCents: 200 });
    expect((await read(`?projectId=${first.id}`)).body).toMatchObject({
      paidThisMonthCount: 0,
      limits: [{ volumeCents: 0 }],
    });
    expect((await readSession(shop, open.id)).status).toBe('open');
  });

  test('sums larger than any number of an answer stop at the largest', async () => {
    const rich = await service.createMerchant();
    const projectId = (await newProject(rich)).id;
    for (let n = 0; n < 2; n++) {
      const body = `{"projectId":"${projectId}","mode":"one_time","amountCents":9223372036854775807}`;
      expect((await rich.call('POST', '/api/v2/checkout-sessions', body)).status).toBe(201);
    }
    const { text } = await rich.call('GET', '/api/v2/billing/overview');
    expect(text).toContain('"openInvoicesCents":9223372036854775807');
  });

  test('400, 401, 403', async () => {
    expect((await read('?projectId=x')).body.error.message.split(' ')[0]).toBe('projectId');
    expect((await read('?month=1')).status).toBe(400);
    const url = `${service.url}/api/v2/billing/overview`;
    expect((await call(url, 'GET')).status).toBe(401);
    const key = await shop.keyWith(['billing:write', 'payments:read']);
    expect((await call(url, 'GET', undefined, { authorization: `Bearer ${key}` })).status).toBe(403);
  });
});

test('200: payments that Solana nodes contradict each other about are counted once each, for their merchant alone', async () => {
  const [mine, other] = [await service.createMerchant(), await service.createMerchant()];
  for (const merchant of [mine, other]) {
    const order = { amountCents: 5, orderId: 'watched' };
    expect((await merchant.call('POST', '/api/merchants/intents', order)).status).toBe(200);
  }
  const add = (signature: string, node: string, decided: boolean) =>
    service.db.query(
      `insert into node_disagreements (signature, destination, node, claim, first_seen_at, last_seen_at, decided_at)
       values ($1, $2, $3, 'shows nothing', now(), now(), case when $4 then now() end)`,
      [signature, mine.payoutAddress, node, decided],
    );
  await add('one', 'a.example', false);
  await add('one', 'b.example', false);
  await add('two', 'a.example', false);
  await add('three', 'a.example', true);
  const count = async (merchant: TestMerchant) =>
    (await merchant.call('GET', '/api/v2/billing/overview')).body.disputedPaymentsCount;
  expect([await count(mine), await count(other)]).toEqual([2, 0]);
});
