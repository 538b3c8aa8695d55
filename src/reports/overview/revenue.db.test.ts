import { beforeAll, expect, test } from 'vitest';
import {
  advance,
  bring,
  expectSound,
  newCustomer,
  newPlan,
  newPrice,
  newProject,
  newSession,
  runDue,
} from '../../../test/support/billing.ts';
import { testChain } from '../../../test/support/chain.ts';
import { newRefund, paidIntent, sendRefund } from '../../../test/support/refunds.ts';
import { PAYOUT, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { revertDroppedTransfer } from '../../payments/transfers/revert-dropped-transfer.ts';
import { LOCKS } from '../../platform/db/advisory-locks.ts';
import { dateAt } from '../../platform/lib/local-days.ts';
import { foldRevenue } from './fold-revenue.ts';
import { keepStandings } from './keep-standings.ts';
import { spansOf } from './spans.ts';
import { TopLists } from './top-lists.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;
const ZONE = 'Asia/Kathmandu';

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

const revenue = async (query = '', of = shop) =>
  (await of.call('GET', `/api/v2/billing/revenue${query}`)).body;
const pick = <Value>(values: readonly Value[]) => values[Math.floor(Math.random() * values.length)]!;

/** Takes random steps in a shop, in any order: each changes money, or takes a change back. */
async function walkOn(prices: string[], customers: string[]): Promise<void> {
  const { db, clock } = service;
  const session = await newSession(shop, projectId, {
    ...(Math.random() < 0.6 ? { priceId: pick(prices) } : { amountCents: 700 }),
    ...(Math.random() < 0.7 && { externalCustomerId: pick(customers) }),
  });
  const { amountCents } = session;
  const step = pick(['exact', 'exact', 'over', 'under', 'accepted', 'dropped', 'again', 'bare', 'stray']);
  if (step === 'exact') await bring(service, shop, session, amountCents);
  if (step === 'over') await bring(service, shop, session, amountCents + 5);
  if (step === 'under' || step === 'accepted') await bring(service, shop, session, amountCents - 3);
  if (step === 'accepted')
    expect((await shop.call('POST', `/api/merchants/intents/${session.paymentIntentId}/accept`)).status).toBe(
      200,
    );
  if (step === 'dropped' || step === 'again') {
    const signature = await bring(service, shop, session, amountCents, { isFinal: false });
    await db.transaction((tx) => revertDroppedTransfer(tx, signature, PAYOUT, clock.now()));
    if (step === 'again') await bring(service, shop, session, amountCents);
  }
  if (step === 'bare') {
    const { body } = await shop.call('POST', '/api/merchants/intents', {
      amountCents: 300,
      orderId: session.id,
    });
    await arrive(service, shop.id, { references: [body.referenceAddress], baseUnits: 3_000_000n });
  }
  if (step === 'stray') await arrive(service, shop.id, { baseUnits: 1_230_000n });
}

/** Calculates the expected sums from the payments themselves. */
async function expected(only: string | null) {
  const rows = await service.db.query<{ at: Date; cents: bigint; customerId: string | null }>(
    `select i.succeeded_at as at, div(i.received_base_units, 10000) as cents, s.customer_id as "customerId"
       from payment_intents i
       left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
      where i.merchant_id = $1 and i.status = 'succeeded' and ($2::uuid is null or s.project_id = $2)`,
    [shop.id, only],
  );
  const days = new Map<string, number>();
  const customers = new Map<string, number>();
  for (const { at, cents, customerId } of rows) {
    const day = dateAt(at, ZONE);
    days.set(day, (days.get(day) ?? 0) + Number(cents));
    if (customerId) customers.set(customerId, (customers.get(customerId) ?? 0) + Number(cents));
  }
  const best = [...customers].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 5);
  return { days, best, count: rows.length };
}

async function expectExact(range = '3m'): Promise<void> {
  for (const only of [null, projectId]) {
    const { days, best, count } = await expected(only);
    const read = await revenue(`?range=${range}${only ? `&projectId=${only}` : ''}`);
    const shown = read.points
      .filter(({ netCents }: { netCents: number }) => netCents !== 0)
      .map(({ startsAt, netCents }: { startsAt: string; netCents: number }) => [
        dateAt(new Date(startsAt), ZONE),
        netCents,
      ]);
    expect(shown).toEqual([...days].sort());
    expect([read.current.paymentsCount, read.current.netCents]).toEqual([
      count,
      [...days.values()].reduce((sum, cents) => sum + cents, 0),
    ]);
    expect(
      read.topCustomers.map((one: { customerId: string; netCents: number }) => [
        one.customerId,
        one.netCents,
      ]),
    ).toEqual(best);
  }
}

test('equals the payments themselves, whatever happens, however much of it is added up', async () => {
  expect((await shop.call('PATCH', '/api/b2b/merchants/me', { timeZone: ZONE })).body.timeZone).toBe(ZONE);
  const customers = ['ada', 'bob', 'eve', 'kim', 'lea', 'max', 'zoe'];
  for (const externalCustomerId of customers) await newCustomer(shop, projectId, { externalCustomerId });
  const prices: string[] = [];
  for (const unitAmountCents of [500, 1_100])
    prices.push((await newPrice(shop, projectId, { unitAmountCents })).id);
  for (let n = 0; n < 40; n++) {
    await walkOn(prices, customers);
    if (n % 8 === 5) await foldRevenue(service.db, 3);
    if (n % 8 === 7) await expectExact(pick(['3m', '12m']));
    if (n % 10 === 9) await advance(service, Math.random() * 9);
    // From then on those that lead are read from standings, where these begin on the same day.
    if (n > 12) await keepStandings(service.db, service.clock.now(), 1);
  }
  await runDue(service);
  await expectExact();
  await Promise.all([foldRevenue(service.db, 2), foldRevenue(service.db, 3), foldRevenue(service.db)]);
  await foldRevenue(service.db);
  expect(await service.db.query('select from revenue_entries')).toEqual([]);
  await expectExact();
  await expectSound(service);
});

test('standings begin where the ranges do today, in the time zone of today, and never count twice', async () => {
  const { db, clock } = service;
  const since = async () =>
    (
      await db.query<{ since: Date }>(
        `select since from revenue_ranges where range = '7d' and project_id = $1`,
        [projectId],
      )
    )[0]!.since;
  const before = await since();
  await advance(service, 8);
  await keepStandings(db, clock.now(), 1);
  expect((await since()).getTime() - before.getTime()).toBeGreaterThan(7 * 86_400_000);
  await expectSound(service);
  const session = await newSession(shop, projectId, { amountCents: 900, externalCustomerId: 'ada' });
  await bring(service, shop, session, 900);
  const week = async () => (await revenue(`?range=7d&projectId=${projectId}`)).topCustomers;
  const ada = { externalCustomerId: 'ada', netCents: 900, paymentsCount: 1 };
  expect(await week()).toMatchObject([ada]);
  await foldRevenue(db);
  expect(await week()).toMatchObject([ada]);
  // A day earlier and later, and back.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', ZONE]) {
    await shop.call('PATCH', '/api/b2b/merchants/me', { timeZone });
    await keepStandings(db, clock.now(), 1);
    expect(await week()).toMatchObject([ada]);
    await expectSound(service);
  }
  // While totals are being added up elsewhere, it is not its turn.
  await advance(service, 2);
  const kept = await since();
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCKS.revenueFold]);
    await keepStandings(db, clock.now(), 1);
  });
  expect(await since()).toEqual(kept);
  expect(await week()).toMatchObject([ada]);
});

test('days of a time zone, the period before up to the same time, and checkouts by when they were opened', async () => {
  const other = await service.createMerchant();
  await other.call('PATCH', '/api/b2b/merchants/me', { timeZone: 'America/St_Johns' });
  const id = (await newProject(other)).id;
  const price = await newPrice(other, id, { unitAmountCents: 250 });
  const open = await newSession(other, id, { amountCents: 400, externalCustomerId: 'ada' });
  const product = await newSession(other, id, { priceId: price.id, externalCustomerId: 'bob' });
  await bring(service, other, product, 250);
  const hours = await revenue('?range=today', other);
  expect(hours.timeZone).toBe('America/St_Johns');
  expect([hours.points.length, hours.from]).toEqual([24, hours.to]);
  expect(hours.points[0].startsAt).toMatch(/T0[23]:30:00/);
  expect(hours.current).toMatchObject({
    ...{ grossCents: 250, netCents: 250, paymentsCount: 1 },
    ...{ checkoutsOpenedCount: 2, checkoutsPaidCount: 1 },
  });
  expect(hours.topProducts).toEqual([
    { productId: price.productId, name: expect.any(String), salesCents: 250, salesCount: 1 },
  ]);
  expect(hours.topCustomers).toMatchObject([{ externalCustomerId: 'bob', netCents: 250, paymentsCount: 1 }]);
  await advance(service, 1, { isRead: false });
  await bring(service, other, open, 400);
  const next = await revenue('?range=today', other);
  expect([next.current.netCents, next.current.checkoutsOpenedCount]).toEqual([400, 0]);
  expect(next.previous.netCents).toBeGreaterThanOrEqual(0);
  expect(
    next.points.reduce((sum: number, point: { previousNetCents: number }) => sum + point.previousNetCents, 0),
  ).toBe(250);
  const week = await revenue(`?range=7d&projectId=${id}`, other);
  expect([week.current.netCents, week.current.checkoutsPaidCount, week.points.length]).toEqual([650, 2, 7]);
});

test('sales of a product are without tax, like what is written beside them, and count how many were sold', async () => {
  const other = await service.createMerchant();
  const { id } = await newProject(other, { seller: { legalName: 'Muster GmbH', country: 'DE' } });
  const rate = { projectId: id, name: 'VAT', country: 'DE', percent: 19, isDefault: true };
  expect((await other.call('POST', '/api/v2/tax-rates', rate)).status).toBe(201);
  const price = await newPrice(other, id, { unitAmountCents: 1_190, taxBehavior: 'inclusive' });
  const { productId } = price;
  const added = await newPrice(other, id, { productId, unitAmountCents: 1_000, taxBehavior: 'exclusive' });
  for (const [priceId, quantity] of [
    [price.id, 3],
    [added.id, 2],
  ]) {
    const session = await newSession(other, id, {
      amountCents: undefined,
      lineItems: [{ priceId, quantity }],
    });
    await bring(service, other, session, session.amountCents);
  }
  const sold = { productId, name: expect.any(String), salesCents: 5_000, salesCount: 5 };
  expect((await revenue('', other)).topProducts).toEqual([sold]);
  await foldRevenue(service.db);
  expect((await revenue('', other)).topProducts).toEqual([sold]);
  await expectSound(service);
});

test('top lists of very many payments are kept for a while, others never', async () => {
  const spans = spansOf(new Date(0), new Date('2100-01-01Z'));
  const tops = new TopLists(10n);
  const scope = { merchantId: shop.id, projectId };
  const best = async (payments: bigint) =>
    (await tops.read(service.db, scope, { spans, since: null }, payments)).customers[0]!;
  const before = await best(11n);
  const session = await newSession(shop, projectId, { amountCents: 90_000, externalCustomerId: 'zoe' });
  await bring(service, shop, session, 90_000);
  expect(await best(11n)).toEqual(before);
  expect((await best(10n)).cents).toBeGreaterThan(before.cents);
});

test('subscribers who came and left, and the renewals of the next 30 days', async () => {
  const other = await service.createMerchant();
  const id = (await newProject(other)).id;
  const plans = [
    await newPlan(other, id, { unitAmountCents: 1_000 }),
    await newPlan(other, id, { unitAmountCents: 100, recurringInterval: 'week' }),
    await newPlan(other, id, { unitAmountCents: 7, recurringInterval: 'year' }),
  ];
  for (const [n, { id: priceId }] of [...plans, plans[0]!].entries()) {
    const session = await newSession(other, id, {
      ...{ mode: 'subscription', priceId, externalCustomerId: `c${n}` },
    });
    await bring(service, other, session, session.amountCents);
    if (n === 3)
      expect(
        (
          await other.call('POST', `/api/v2/subscriptions/${session.subscriptionId}/cancel`, {
            atPeriodEnd: false,
          })
        ).status,
      ).toBe(200);
  }
  const read = await revenue('?range=7d', other);
  expect(read.current).toMatchObject({
    ...{ newSubscribersCount: 4, lostSubscribersCount: 1, subscribersAtStartCount: 0 },
  });
  expect(read.subscribersCount).toBe(3);
  expect(read.monthlyRecurringCents).toBe(
    (await other.call('GET', '/api/v2/billing/overview')).body.monthlyRecurringCents,
  );
  // Four weeks; a month from now is within 30 days only where the month is short.
  expect([
    [400, 4],
    [1_400, 5],
  ]).toContainEqual([read.renewals.cents, read.renewals.count]);
  await advance(service, 2, { isRead: false });
  expect((await revenue('?range=today', other)).current.subscribersAtStartCount).toBe(3);
});

test('refunds count against revenue on the day they are proven', async () => {
  const t = await testChain();
  const paid = await paidIntent(t);
  const refund = await newRefund(t, {
    ...{ paymentIntentId: paid.id, amountCents: 40, address: t.customer.address },
  });
  await sendRefund(t, refund);
  await t.finalize();
  await t.shop.call('GET', `/api/v2/refunds/${refund.id}`);
  await t.finalize();
  const read = await revenue('', t.shop);
  expect(read.current).toMatchObject({
    ...{ grossCents: 100, refundedCents: 40, netCents: 60, paymentsCount: 1, refundsCount: 1 },
  });
  await expectSound(t.service);
});

test.each([
  ['?range=1y', 'range'],
  ['?from=2026-01-01', 'to'],
  ['?to=2026-01-01', 'from'],
  ['?from=2026-02-30&to=2026-03-01', 'from'],
  ['?from=2026-03-02&to=2026-03-01', 'to'],
  ['?from=2024-01-01&to=2025-01-01', 'to'],
  ['?from=2026-03-02&to=2026-03-03&range=7d', 'range'],
  ['?projectId=x', 'projectId'],
])('400 for %s names %s', async (query, field) => {
  const { status, body } = await shop.call('GET', `/api/v2/billing/revenue${query}`);
  expect([status, body.error.message.split(' ')[0]]).toEqual([400, field]);
});

test('400 for what is not a time zone, and nothing changes', async () => {
  for (const timeZone of ['Mars/Olympus', '+05:30', '']) {
    const { status, body } = await shop.call('PATCH', '/api/b2b/merchants/me', { timeZone });
    expect([status, body.error.message.split(' ')[0]]).toEqual([400, 'timeZone']);
  }
  expect((await shop.call('GET', '/api/b2b/merchants/me')).body.timeZone).toBe(ZONE);
});
