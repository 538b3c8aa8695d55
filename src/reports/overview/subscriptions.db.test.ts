import { beforeAll, expect, test } from 'vitest';
import { newPlan, newProject } from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { INTERVALS } from '../../billing/catalog/price.ts';
import { SUBSCRIPTION_STATUSES } from '../../billing/subscriptions/subscription.ts';
import { newId } from '../../platform/lib/ids.ts';
import { dateAt, startOfDate } from '../../platform/lib/local-days.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const overview = async (query = '') => (await shop.call('GET', `/api/v2/billing/overview${query}`)).body;

/** Trials are counted beside them; they bring in nothing. */
const STATUSES = SUBSCRIPTION_STATUSES.filter((status) => status !== 'trialing');

test('200: recurring revenue, counts by status and who left this month, beside sums of the rows', async () => {
  const now = service.clock.now();
  const timeZone = 'Asia/Kathmandu';
  await shop.call('PATCH', '/api/b2b/merchants/me', { timeZone });
  const monthStart = startOfDate(`${dateAt(now, timeZone).slice(0, 7)}-01`, timeZone).getTime();
  const made: {
    projectId: string;
    status: string;
    perYear: number;
    count: number;
    cents: number;
    left: boolean;
  }[] = [];
  for (let p = 0; p < 2; p++) {
    const projectId = (await newProject(shop)).id;
    const customer = await shop.call('POST', '/api/v2/customers', { projectId });
    for (let n = 0; n < 40; n++) {
      const interval = INTERVALS[n % 4]!;
      const count = 1 + (n % 5);
      const cents = 1 + Math.floor(Math.random() * 100_000);
      const terms = { recurringInterval: interval, recurringIntervalCount: count, unitAmountCents: cents };
      const price = await newPlan(shop, projectId, terms);
      const status = STATUSES[Math.floor(Math.random() * STATUSES.length)]!;
      const hasBegun = status === 'active' || status === 'past_due' || (status === 'canceled' && n % 3 > 0);
      const canceledAt = new Date(monthStart + (n % 2 ? 1 : -1) * 1_000);
      await insertSubscription({
        projectId,
        customerId: customer.body.id,
        priceId: price.id,
        status,
        hasBegun,
        canceledAt,
      });
      const perYear = { year: 1, month: 12, week: 52, day: 365 }[interval];
      const left = status === 'canceled' && hasBegun && canceledAt.getTime() >= monthStart;
      made.push({ projectId, status, perYear, count, cents, left });
    }
  }
  for (const projectId of [undefined, made[0]!.projectId]) {
    const mine = made.filter((one) => projectId === undefined || one.projectId === projectId);
    const live = mine.filter(({ status }) => status === 'active' || status === 'past_due');
    // In sixtieths of a twelfth: every count here divides sixty.
    const scaled = live.reduce((sum, { cents, perYear, count }) => sum + cents * perYear * (60 / count), 0);
    const read = await overview(projectId ? `?projectId=${projectId}` : '');
    expect(read.monthlyRecurringCents).toBe(Math.floor((2 * scaled + 720) / 1_440));
    expect(read.subscriptions).toEqual(
      Object.fromEntries(
        SUBSCRIPTION_STATUSES.map((status) => [status, mine.filter((one) => one.status === status).length]),
      ),
    );
    expect(read.churnedThisMonthCount).toBe(mine.filter((one) => one.left).length);
  }
  const other = await service.createMerchant();
  const nothing = (await other.call('GET', '/api/billing/overview')).body;
  expect(nothing).toMatchObject({ monthlyRecurringCents: 0, churnedThisMonthCount: 0 });
});

/** Inserts a subscription as its life would have left it, but without invoices. */
async function insertSubscription(one: {
  projectId: string;
  customerId: string;
  priceId: string;
  status: string;
  hasBegun: boolean;
  canceledAt: Date;
}): Promise<void> {
  const { db } = service;
  const isLive = one.status === 'active' || one.status === 'past_due';
  const invoiceId = newId(service.clock.now());
  const at = one.hasBegun ? '2026-01-01T00:00:00Z' : null;
  await db.transaction(async (tx) => {
    await tx.query('set constraints all deferred');
    const id = newId(service.clock.now());
    await tx.query(
      `insert into subscriptions (merchant_id, id, project_id, customer_id, price_id, status, anchor_at, period_index,
         current_period_start, current_period_end, paid_through, canceled_at, cancel_reason, renewal_invoice_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $7, $7::timestamptz + interval '1 day', $7::timestamptz + interval '1 day',
               $9, $10, $11, now())`,
      [
        shop.id,
        id,
        one.projectId,
        one.customerId,
        one.priceId,
        one.status,
        at,
        at && 0,
        one.status === 'canceled' ? one.canceledAt : null,
        one.status === 'canceled' ? 'requested' : null,
        one.status === 'past_due' ? invoiceId : null,
      ],
    );
    if (!isLive) return;
    await tx.query(
      `insert into invoices (merchant_id, id, project_id, number, number_text, billing_reason, lines, subtotal_cents,
                             total_cents, subscription_id, customer_id, created_at)
       values ($1, $2, $3, (select coalesce(max(number), 0) + 1 from invoices where project_id = $3), 'n', 'subscription_cycle',
               '[]', 5, 5, $4, $5, now())`,
      [shop.id, invoiceId, one.projectId, id, one.customerId],
    );
  });
}
