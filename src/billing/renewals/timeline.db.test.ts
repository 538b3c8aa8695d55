import { beforeAll, describe, expect, test } from 'vitest';
import { eventNames, expectSound, newPlan, readSubscription } from '../../../test/support/billing.ts';
import {
  days,
  invoicesOf,
  type SubscriptionWorld,
  subscriptionWorld,
} from '../../../test/support/subscriptions.ts';
import { expireDueSessions } from '../../payments/transfers/expire-due-sessions.ts';
import { runDueRenewals } from './run-due-renewals.ts';

let w: SubscriptionWorld;
let plan: { id: string };

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
});

const read = (id: string) => readSubscription(w.shop, id);
const events = async (id: string) => (await eventNames(w.service, w.shop.id, id)).slice(7);
/** Time passes while nobody works. */
const sleepUntil = (to: Date) => w.service.clock.setOffsetMs(to.getTime() - Date.now());
const ASKED = ['invoice.created', 'checkout.session.created', 'subscription.renewal_due'];
const OVERDUE = ['invoice.overdue', 'subscription.past_due'];
const GIVEN_UP = [
  'payment_intent.expired',
  'invoice.uncollectible',
  'checkout.session.expired',
  'subscription.canceled',
];

describe('nobody works for a while', () => {
  test('a week: asked for late, with as long to pay as everybody', async () => {
    const sub = await w.subscribe(plan.id, 'a week');
    sleepUntil(days(sub.currentPeriodEnd, 1));
    await w.runDue();
    const late = await read(sub.id);
    expect(late).toMatchObject({ status: 'past_due', hasAccess: true });
    const [, renewal] = await invoicesOf(w.shop, sub.id);
    expect(new Date(late.graceEndsAt)).toEqual(days(renewal.createdAt, 14));
    expect(await events(sub.id)).toEqual([...ASKED, ...OVERDUE]);
    await w.payInvoice(renewal.id);
    expect(await read(sub.id)).toMatchObject({ status: 'active', currentPeriodStart: sub.currentPeriodEnd });
    await expectSound(w.service);
  });

  test('two months: every period is billed once and in order, and nobody is canceled for an invoice they never saw', async () => {
    const sub = await w.subscribe(plan.id, 'two months');
    sleepUntil(days(sub.currentPeriodEnd, 62));
    for (let month = 1; month <= 3; month++) {
      await w.runDue();
      await w.runDue();
      const now = await read(sub.id);
      expect(['active', 'past_due']).toContain(now.status);
      const invoices = await invoicesOf(w.shop, sub.id);
      expect(invoices).toHaveLength(month + 1);
      expect(invoices.at(-1).periodStart).toBe(invoices.at(-2).periodEnd);
      await w.payInvoice(now.latestInvoiceId);
    }
    const caughtUp = await read(sub.id);
    expect(caughtUp.status).toBe('active');
    expect(new Date(caughtUp.accessUntil) > w.service.clock.now()).toBe(true);
    await expectSound(w.service);
  });

  test('from before the end until after the grace: past due first, whichever job runs first', async () => {
    const sub = await w.subscribe(plan.id, 'past the grace');
    await w.moveTo(days(sub.currentPeriodEnd, -6));
    sleepUntil(days(sub.currentPeriodEnd, 9));
    const now = w.service.clock.now();
    await w.readPast(now);
    await expireDueSessions(w.service.db, now);
    await w.runDue();
    expect(await events(sub.id)).toEqual([...ASKED, 'invoice.upcoming', ...OVERDUE, ...GIVEN_UP]);
    expect(await read(sub.id)).toMatchObject({ status: 'canceled', cancelReason: 'payment_overdue' });
    await expectSound(w.service);
  });
});

describe('the chain is read late', () => {
  test('nobody is past due or canceled who paid in time', async () => {
    const sub = await w.subscribe(plan.id, 'outage');
    await w.moveTo(days(sub.currentPeriodEnd, -2));
    const { latestInvoiceId } = await read(sub.id);
    await w.readPast(w.service.clock.now());
    const blockTime = days(sub.currentPeriodEnd, -1);
    sleepUntil(days(sub.currentPeriodEnd, 30));
    const now = w.service.clock.now();
    for (let look = 0; look < 3; look++) {
      await runDueRenewals(w.parts, new Date(now.getTime() + look * 60_000));
      await expireDueSessions(w.service.db, now);
    }
    expect(await read(sub.id)).toMatchObject({ status: 'active', hasAccess: true });
    await w.payInvoice(latestInvoiceId, undefined, { blockTime });
    expect(await read(sub.id)).toMatchObject({ status: 'active', currentPeriodStart: sub.currentPeriodEnd });
    expect(await events(sub.id)).not.toContain('subscription.past_due');
    await expectSound(w.service);
  });

  test.each([
    ['a day before the last moment', -1],
    ['in the last moment', 0],
  ])('canceled although paid %s by block time: given back as if it had never been', async (when, offset) => {
    const sub = await w.subscribe(plan.id, `undone ${when}`);
    await w.moveTo(days(sub.currentPeriodEnd, 2));
    const { latestInvoiceId, graceEndsAt } = await read(sub.id);
    await w.moveTo(days(graceEndsAt, 1));
    expect((await read(sub.id)).status).toBe('canceled');
    await w.payInvoice(latestInvoiceId, undefined, { blockTime: days(graceEndsAt, offset) });
    expect(await read(sub.id)).toMatchObject({
      status: 'active',
      currentPeriodStart: sub.currentPeriodEnd,
      hasAccess: true,
    });
    await expectSound(w.service);
  });
});

describe('the clock of one host is wrong', () => {
  test('a payment is counted although it is behind: past due becomes active', async () => {
    const sub = await w.subscribe(plan.id, 'behind');
    sleepUntil(days(sub.currentPeriodEnd, -8));
    const ahead = days(sub.currentPeriodEnd, 1);
    await w.readPast(ahead);
    await runDueRenewals(w.parts, ahead);
    const pastDue = await read(sub.id);
    expect(pastDue.status).toBe('past_due');
    await w.payInvoice(pastDue.latestInvoiceId, undefined, { blockTime: ahead });
    expect(await read(sub.id)).toMatchObject({ status: 'active', currentPeriodStart: sub.currentPeriodEnd });
    await expectSound(w.service);
  });

  test('ahead by a week, it puts no step off that waits for the chain', async () => {
    const sub = await w.subscribe(plan.id, 'ahead');
    await w.moveTo(days(sub.currentPeriodEnd, -1));
    const ahead = days(w.service.clock.now(), 8);
    await runDueRenewals(w.parts, ahead);
    expect((await read(sub.id)).status).toBe('active');
    await w.moveTo(days(sub.currentPeriodEnd, 1));
    expect((await read(sub.id)).status).toBe('past_due');
    await expectSound(w.service);
  });

  test('back and forth by hours: each step once', async () => {
    const sub = await w.subscribe(plan.id, 'back and forth');
    const end = new Date(sub.currentPeriodEnd).getTime();
    sleepUntil(new Date(end - 8 * 86_400_000));
    for (let hour = -8 * 24; hour <= 4; hour += 4) {
      for (const jump of [0, 3, -3, 1, -1]) {
        const now = new Date(end + (hour + jump) * 3_600_000);
        await w.readPast(now);
        await runDueRenewals(w.parts, now);
      }
    }
    expect(await events(sub.id)).toEqual([...ASKED, 'invoice.upcoming', 'invoice.upcoming', ...OVERDUE]);
    sleepUntil(days(sub.currentPeriodEnd, 1));
    await expectSound(w.service);
  });
});
