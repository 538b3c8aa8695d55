import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { expectBooksAgree } from '../../../test/support/journal.ts';
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

const takenAgain = (invoiceId: string) =>
  w.service.db.query(`select id from postings where invoice_id = $1 and reason = 'invoice paid after all'`, [
    invoiceId,
  ]);

/** Worth of the period just begun, all of it unused. */
async function worthOf(id: string): Promise<number> {
  const { currentPeriodStart: prorationDate } = await read(id);
  const body = { priceId: small.id, prorationBehavior: 'reset', prorationDate };
  const shown = await w.shop.call('POST', `/api/v2/subscriptions/${id}/preview-change`, body);
  expect([shown.status, shown.text]).toEqual([200, shown.text]);
  return shown.body.creditCents;
}

describe('paid late', () => {
  test('the credit is taken again where all of it is there, and the period is worth all that was paid', async () => {
    const { id, customerId, latestInvoiceId } = await lapse('all there');
    await w.payInvoice(latestInvoiceId);
    expect(await read(id)).toMatchObject({ status: 'active', hasAccess: true });
    expect(await readInvoice(w.shop, latestInvoiceId)).toMatchObject({
      ...{ status: 'paid', creditAppliedCents: 833, amountPaidCents: 1_167, waivedCents: 0 },
    });
    expect([await creditOf(customerId), await worthOf(id)]).toEqual([0, 2_000]);
    await expectSound(w.service);
  });

  test.each([
    ['one cent of it is spent', 1, 0],
    ['most of it is spent', 800, 0],
    ['all of it is spent', 833, 0],
    ['some of it is spent, and a part came in time', 100, 167],
  ])('the rest alone buys nothing where %s', async (name, spent, paidInTime) => {
    const { id, customerId, latestInvoiceId } = await lapse(name, paidInTime);
    await adjust(customerId, -spent);
    const before = await creditOf(customerId);
    await w.payInvoice(latestInvoiceId, 1_167 - paidInTime);
    expect(await read(id)).toMatchObject({ status: 'canceled', hasAccess: false, renewalCheckoutUrl: null });
    expect(await readInvoice(w.shop, latestInvoiceId)).toMatchObject({ status: 'void', waivedCents: 0 });
    await w.runDue();
    expect(await creditOf(customerId)).toBe(before + 1_167);
    expect(await takenAgain(latestInvoiceId)).toEqual([]);
    await expectSound(w.service);
    await expectBooksAgree(w.service.db, w.shop);
  });

  test('more than the rest is listed once, and becomes credit once', async () => {
    const { customerId, latestInvoiceId } = await lapse('too much');
    await adjust(customerId, -833);
    await w.payInvoice(latestInvoiceId, 1_667);
    const listed = () => w.shop.call('GET', '/api/v2/exceptions?status=open&limit=1');
    expect((await listed()).body.data[0]?.kind).not.toBe('surplus');
    await w.runDue();
    expect((await listed()).body.data[0]).toMatchObject({ kind: 'stray', amountCents: 1_667 });
    expect(await creditOf(customerId)).toBe(1_667);
    await expectSound(w.service);
    await expectBooksAgree(w.service.db, w.shop);
  });

  test('a page that is opened when the credit is spent asks for no money', async () => {
    const { id, customerId } = await lapse('looked at');
    const { renewalCheckoutUrl } = await read(id);
    const page = async () => (await w.service.app.inject(new URL(renewalCheckoutUrl).pathname)).body;
    expect(await page()).toContain('$11.67');
    await adjust(customerId, -1);
    expect(await page()).not.toContain('to restart your subscription');
    expect(await read(id)).toMatchObject({ status: 'canceled', renewalCheckoutUrl: null });
    expect(await creditOf(customerId)).toBe(832);
    await expectSound(w.service);
  });

  test('less than the price cannot be accepted as paid where the credit is spent', async () => {
    const { customerId, latestInvoiceId } = await lapse('accepted', 167);
    await adjust(customerId, -1);
    const accepted = await w.shop.call('POST', `/api/v2/invoices/${latestInvoiceId}/accept`);
    expect([accepted.status, accepted.text]).toEqual([409, expect.stringContaining('been spent')]);
    await expectSound(w.service);
  });

  test('refunded in full, it is worth the credit that was taken again', async () => {
    const { id, latestInvoiceId } = await lapse('refunded');
    await w.payInvoice(latestInvoiceId);
    const refund = await w.shop.call('POST', '/api/v2/refunds', {
      ...{ invoiceId: latestInvoiceId, reason: 'other' },
    });
    expect([refund.status, refund.body.amountCents]).toEqual([201, 1_167]);
    expect(await worthOf(id)).toBe(833);
  });
});

describe('doctor tells', () => {
  const TAKEN = `reason = 'invoice paid after all' and invoice_id = $1`;

  test.each([
    ['reversal-mirrors', 'more is taken than came back', `delta_cents = -834 where ${TAKEN}`],
    ['reversal-mirrors', 'less is taken than came back', `delta_cents = -832 where ${TAKEN}`],
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
    const { latestInvoiceId } = await lapse(`fault in ${_} ${name}`);
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
