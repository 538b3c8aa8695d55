import { beforeAll, describe, expect, test } from 'vitest';
import { expectSound, newPlan, readSubscription } from '../../../test/support/billing.ts';
import {
  days,
  invoicesOf,
  type SubscriptionWorld,
  subscriptionWorld,
} from '../../../test/support/subscriptions.ts';
import { runDueRenewals } from './run-due-renewals.ts';

let w: SubscriptionWorld;
let plan: { id: string };

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
});

const read = (id: string) => readSubscription(w.shop, id);
const sleepUntil = (to: Date) => w.service.clock.setOffsetMs(to.getTime() - Date.now());

test('eight schedulers on the same due ones: one invoice for each, none left out', async () => {
  const subs = [];
  for (let n = 0; n < 20; n++) subs.push(await w.subscribe(plan.id, `eight ${n}`));
  sleepUntil(days(subs[0].currentPeriodEnd, -1));
  const now = w.service.clock.now();
  await w.readPast(now);
  const taken = await Promise.all(Array.from({ length: 8 }, () => runDueRenewals(w.parts, now)));
  expect(taken.reduce((sum, count) => sum + count, 0)).toBe(20);
  for (const sub of subs) {
    const invoices = await invoicesOf(w.shop, sub.id);
    expect(invoices.map((invoice) => invoice.status)).toEqual(['paid', 'open']);
    expect(invoices[1].periodStart).toBe(sub.currentPeriodEnd);
  }
  await expectSound(w.service);
});

test('schedulers, payments and cancellations of the same subscriptions at once', async () => {
  const subs = [];
  for (let n = 0; n < 12; n++) subs.push(await w.subscribe(plan.id, `mixed ${n}`));
  sleepUntil(days(subs[0].currentPeriodEnd, -1));
  await w.runDue();
  const invoiceIds = await Promise.all(subs.map(async ({ id }) => (await read(id)).latestInvoiceId));
  sleepUntil(days(subs.at(-1).currentPeriodEnd, 1));
  const now = w.service.clock.now();
  await w.readPast(now);
  const cancel = (id: string) =>
    w.shop.call('POST', `/api/v2/subscriptions/${id}/cancel`, { atPeriodEnd: false });
  await Promise.all([
    ...Array.from({ length: 4 }, () => runDueRenewals(w.parts, now)),
    ...invoiceIds.map((id) => w.payInvoice(id)),
    ...subs.filter((_, i) => i % 3 === 0).map(({ id }) => cancel(id)),
  ]);
  await w.runDue();
  for (const [i, { id }] of subs.entries()) {
    const { status, hasAccess } = await read(id);
    expect([i, status, hasAccess]).toEqual([i, i % 3 === 0 ? 'canceled' : 'active', i % 3 !== 0]);
  }
  await expectSound(w.service);
});

describe('one step breaks', () => {
  test('it is logged and retried later, and delays no other subscription', async () => {
    const broken = await w.subscribe(plan.id, 'broken');
    const others = [await w.subscribe(plan.id, 'other 1'), await w.subscribe(plan.id, 'other 2')];
    sleepUntil(days(others[1].currentPeriodEnd, -1));
    const now = w.service.clock.now();
    await w.readPast(now);
    await w.service.db.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$`,
    );
    await w.service.db.query(
      `create trigger refuse before update on subscriptions for each row when (new.id = '${broken.id}') execute function refuse()`,
    );
    await runDueRenewals(w.parts, now);
    const [aside] = await w.service.db.query('select item_id, reason from set_aside_work');
    expect(aside).toEqual({ itemId: broken.id, reason: 'not this one' });
    for (const { id } of others) expect((await read(id)).renewalCheckoutUrl).toMatch(/cs_/);
    expect(await invoicesOf(w.shop, broken.id)).toHaveLength(1);
    await w.service.db.query('drop trigger refuse on subscriptions');
    await runDueRenewals(w.parts, new Date(now.getTime() + 11_000));
    expect(await w.service.db.query('select from set_aside_work')).toHaveLength(0);
    expect((await read(broken.id)).renewalCheckoutUrl).toMatch(/cs_/);
    await expectSound(w.service);
  });

  test('its connection is killed in the middle: nothing of it stays, and the next run does it whole', async () => {
    const sub = await w.subscribe(plan.id, 'killed');
    sleepUntil(days(sub.currentPeriodEnd, -1));
    const now = w.service.clock.now();
    await w.readPast(now);
    const { db } = w.service;
    await db.query(
      `create function die() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`,
    );
    await db.query(
      `create trigger die before update on subscriptions for each row when (new.id = '${sub.id}') execute function die()`,
    );
    await expect(runDueRenewals(w.parts, now)).rejects.toThrow();
    expect(await invoicesOf(w.shop, sub.id)).toHaveLength(1);
    await db.query('drop trigger die on subscriptions');
    await runDueRenewals(w.parts, now);
    expect(await invoicesOf(w.shop, sub.id)).toHaveLength(2);
    await expectSound(w.service);
  });
});
