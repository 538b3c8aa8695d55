import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { balances, expectBooksAgree, readJournal } from '../../../test/support/journal.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { brokenInvariants } from '../../../test/support/usage.ts';

/** Account credit that a renewal took, gave back when it was not paid in time, and takes again when it is paid late. */
let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let [basic, small]: any[] = [];

beforeAll(async () => {
  w = await subscriptionWorld();
  const thirty = { recurringInterval: 'day', recurringIntervalCount: 30 };
  basic = await newPlan(w.shop, w.projectId, { ...thirty, unitAmountCents: 2_000 });
  small = await newPlan(w.shop, w.projectId, { ...thirty, unitAmountCents: 1 });
});

const read = (id: string) => readSubscription(w.shop, id);
const creditOf = async (customerId: string) => (await readCustomer(w.shop, customerId)).accountCreditCents;
const adjust = (customerId: string, deltaCents: number) =>
  w.shop.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, { deltaCents, reason: 'x' });

/** A renewal of 20.00 that took 8.33, of which `paidInTime` came before it ended. */
async function lapse(name: string, paidInTime = 0) {
  const sub = await w.subscribe(basic.id, name);
  await adjust(sub.customerId, 833);
  await w.moveTo(days(sub.currentPeriodEnd, -1));
  const { latestInvoiceId } = await read(sub.id);
  expect(await readInvoice(w.shop, latestInvoiceId)).toMatchObject({
    ...{ creditAppliedCents: 833, totalCents: 1_167 },
  });
  if (paidInTime > 0) await w.payInvoice(latestInvoiceId, paidInTime);
  await w.moveTo(days(sub.currentPeriodEnd, 10));
  expect([(await read(sub.id)).status, await creditOf(sub.customerId)]).toEqual(['canceled', 833]);
  return { ...sub, latestInvoiceId };
}

/** Worth of the period just begun, all of it unused. */
async function worthOf(id: string): Promise<number> {
  const { currentPeriodStart: prorationDate } = await read(id);
  const body = { priceId: small.id, prorationBehavior: 'reset', prorationDate };
  const shown = await w.shop.call('POST', `/api/v2/subscriptions/${id}/preview-change`, body);
  expect([shown.status, shown.text]).toEqual([200, shown.text]);
  return shown.body.creditCents;
}

describe('paid late, a renewal is worth what was paid for it', () => {
  test.each([
    ['all of the credit is there', 0, 2_000],
    ['one cent of it is spent', 1, 1_999],
    ['most of it is spent', 800, 1_200],
    ['all of it is spent', 833, 1_167],
  ])('%s: what is left is taken, and no more counts', async (name, spent, worth) => {
    const { id, customerId, latestInvoiceId } = await lapse(name);
    if (spent > 0) await adjust(customerId, -spent);
    await w.payInvoice(latestInvoiceId);
    expect(await read(id)).toMatchObject({ status: 'active', hasAccess: true });
    expect(await readInvoice(w.shop, latestInvoiceId)).toMatchObject({
      ...{ status: 'paid', creditAppliedCents: 833, amountPaidCents: 1_167, waivedCents: 0 },
    });
    expect([await creditOf(customerId), await worthOf(id)]).toEqual([0, worth]);
    await expectSound(w.service);
  });

  test('a part that came in time, and the rest late, is worth the same', async () => {
    const { id, customerId, latestInvoiceId } = await lapse('in parts', 167);
    await adjust(customerId, -833);
    await w.payInvoice(latestInvoiceId, 1_000);
    expect((await read(id)).status).toBe('active');
    expect([await creditOf(customerId), await worthOf(id)]).toEqual([0, 1_167]);
    await expectSound(w.service);
  });

  test('refunded in full, it is worth the credit that was taken again', async () => {
    const { id, customerId, latestInvoiceId } = await lapse('refunded');
    await adjust(customerId, -533);
    await w.payInvoice(latestInvoiceId);
    const refund = await w.shop.call('POST', '/api/v2/refunds', {
      ...{ invoiceId: latestInvoiceId, reason: 'other' },
    });
    expect([refund.status, refund.body.amountCents]).toEqual([201, 1_167]);
    expect(await worthOf(id)).toBe(300);
  });

  test('what a change gave of it is not refunded besides, whatever credit the invoice had once', async () => {
    const { id, customerId, latestInvoiceId } = await lapse('downgraded');
    await adjust(customerId, -833);
    await w.payInvoice(latestInvoiceId);
    const changed = await w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, {
      ...{ priceId: small.id, prorationBehavior: 'reset' },
    });
    expect([changed.status, changed.text]).toEqual([200, changed.text]);
    const credit = await creditOf(customerId);
    expect(credit).toBeGreaterThan(1_100);
    const refund = await w.shop.call('POST', '/api/v2/refunds', {
      ...{ invoiceId: latestInvoiceId, reason: 'other' },
    });
    expect([refund.status, refund.body.amountCents]).toEqual([201, 1_167 - credit]);
    await expectSound(w.service);
  });
});

describe('doctor tells', () => {
  const TAKEN = `reason = 'invoice paid after all' and invoice_id = $1`;

  test.each([
    ['reversal-mirrors', 'credit is left that could have been taken', `cents_after = 1 where ${TAKEN}`],
    ['reversal-mirrors', 'more is taken than came back', `delta_cents = -834 where ${TAKEN}`],
    [
      'invoice-credit-is-posted',
      'more is taken than the invoice took off',
      `delta_cents = -834 where ${TAKEN}`,
    ],
    [
      'invoice-credit-is-posted',
      'less is taken although nothing came back',
      `delta_cents = -1 where ${TAKEN.replace('invoice paid after all', 'invoice not paid')}`,
    ],
  ])('%s: %s', async (name, _, fault) => {
    const { customerId, latestInvoiceId } = await lapse(`fault in ${_} ${name}`);
    await adjust(customerId, -33);
    await w.payInvoice(latestInvoiceId);
    await expectSound(w.service);
    const seen = await w.service.db
      .transaction(async (tx) => {
        await tx.query('alter table postings disable trigger postings_stay');
        await tx.query(`update postings set ${fault}`, [latestInvoiceId]);
        const broken = await brokenInvariants({ ...w.service, db: { ...w.service.db, ...tx } });
        throw Object.assign(new Error('rolled back'), { broken });
      })
      .catch((error: { broken?: string[] }) => error.broken);
    expect(seen).toContain(name);
  });
});

test('the books call credit that was not there any more by its name: nobody waived it', async () => {
  const { customerId, latestInvoiceId } = await lapse('in the books');
  await adjust(customerId, -833 + 100);
  const before = balances(await readJournal(w.shop));
  await w.payInvoice(latestInvoiceId);
  const after = balances(await readJournal(w.shop));
  const moved = Object.entries(after)
    .map(([account, cents]) => [account, cents - (before[account] ?? 0)] as const)
    .filter(([, cents]) => cents !== 0);
  expect(Object.fromEntries(moved)).toEqual({
    ...{ 'USDC wallet': 1_167, 'Account credit': 100, 'Credit spent elsewhere': 733, Sales: -2_000 },
  });
  await expectBooksAgree(w.service.db, w.shop);
});
