import { expect, test } from 'vitest';
import { eventNames, expectSound, newPlan, readSubscription } from '../../../test/support/billing.ts';
import { days, invoicesOf, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { createLog } from '../../platform/lib/log.ts';
import { runDueRenewals } from './run-due-renewals.ts';

test('many in one transaction: each has its events in order, and account credit lowers the amount due', async () => {
  const w = await subscriptionWorld();
  const plan = await newPlan(w.shop, w.projectId);
  const subs = [];
  for (let n = 0; n < 6; n++) subs.push(await w.subscribe(plan.id, `many ${n}`));
  const path = `/api/v2/customers/${subs[2].customerId}/balance-adjustments`;
  expect((await w.shop.call('POST', path, { deltaCents: 300, reason: 'x' })).status).toBe(201);
  w.service.clock.setOffsetMs(days(subs.at(-1).currentPeriodEnd, -1).getTime() - Date.now());
  let transactions = 0;
  const db: typeof w.parts.db = {
    ...w.parts.db,
    transaction(work) {
      transactions++;
      return w.parts.db.transaction(work);
    },
  };
  expect(await runDueRenewals({ ...w.parts, db }, w.service.clock.now())).toBe(6);
  expect(transactions).toBe(2);
  for (const [i, sub] of subs.entries()) {
    const [, renewal] = await invoicesOf(w.shop, sub.id);
    const told = (await eventNames(w.service, w.shop.id, sub.id)).filter(
      (name) => !name.startsWith('customer.'),
    );
    expect([i, renewal.totalCents, told.slice(-3)]).toEqual([
      i,
      i === 2 ? 700 : 1_000,
      ['invoice.created', 'checkout.session.created', 'subscription.renewal_due'],
    ]);
    expect(await readSubscription(w.shop, sub.id)).toMatchObject({
      latestInvoiceId: renewal.id,
      renewalCheckoutUrl: expect.stringMatching(/cs_/),
      graceEndsAt: expect.any(String),
    });
  }
  await expectSound(w.service);
});

test('a batch that fails while each renewal alone succeeds is logged once, without customer data', async () => {
  const w = await subscriptionWorld();
  const plan = await newPlan(w.shop, w.projectId);
  const subs = [];
  for (let n = 0; n < 4; n++) subs.push(await w.subscribe(plan.id, `batch ${n}`));
  w.service.clock.setOffsetMs(days(subs.at(-1).currentPeriodEnd, -1).getTime() - Date.now());
  await w.service.db.query(
    `create function refuse() returns trigger language plpgsql as $$ begin
       if (select count(*) from fresh) > 1 then raise 'one at a time' using detail = 'ann@example.com'; end if;
       return null;
     end $$`,
  );
  await w.service.db.query(
    `create trigger refuse after insert on checkout_sessions referencing new table as fresh
       for each statement execute function refuse()`,
  );
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  expect(await runDueRenewals({ ...w.parts, log }, w.service.clock.now())).toBe(4);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 'warn', subscriptions: 4, reason: 'one at a time', code: 'P0001' }),
  ]);
  expect(lines.join()).not.toContain('ann@example.com');
  await expectSound(w.service);
});
