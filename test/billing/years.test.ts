import { expect, test } from 'vitest';
import { INTERVALS } from '../../src/billing/catalog/price.ts';
import { runDueRenewals } from '../../src/billing/renewals/run-due-renewals.ts';
import { periodAt } from '../../src/billing/subscriptions/period.ts';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import { expectSound, newPlan, newSession } from '../support/billing.ts';
import { subscriptionWorld } from '../support/subscriptions.ts';
import { arrive } from '../support/transfers.ts';

const COUNT = Number(process.env.SUBSCRIPTIONS ?? 24);
const MONTHS = 24;

/**
 * Many subscriptions through two years on the real service: asked for, paid early, paid late, and compared at the end with what
 * the calendar alone says. SUBSCRIPTIONS=200 makes it a longer run.
 */
test(
  `${COUNT} subscriptions for ${MONTHS} months: every period once, none left out, none twice`,
  async () => {
    const w = await subscriptionWorld();
    const { db, clock } = w.service;
    const recurrences = [1, 3].flatMap((count) => INTERVALS.map((interval) => ({ interval, count })));
    const monthly = recurrences.filter(({ interval }) => interval === 'month' || interval === 'year');
    const plans = await Promise.all(
      monthly.map(({ interval, count }) =>
        newPlan(w.shop, w.projectId, { recurringInterval: interval, recurringIntervalCount: count }),
      ),
    );
    for (let n = 0; n < COUNT; n++) {
      // Each begins a day after the other, so that every day of a month is somebody's.
      clock.setOffsetMs(clock.now().getTime() - Date.now() + 86_400_000);
      const priceId = plans[n % plans.length]!.id;
      const session = await newSession(w.shop, w.projectId, {
        mode: 'subscription',
        priceId,
        customerName: 'x',
      });
      await w.payInvoice(session.invoiceId);
    }
    const end = new Date(clock.now());
    end.setUTCMonth(end.getUTCMonth() + MONTHS);
    while (clock.now() < end) {
      clock.setOffsetMs(clock.now().getTime() - Date.now() + 3 * 86_400_000);
      const now = clock.now();
      await w.readPast(now);
      await runDueRenewals(w.parts, now);
      await payOpen(now);
    }

    const subscriptions = await db.query<{ id: string; anchor: Date; interval: 'month'; count: number }>(
      `select b.id, b.anchor_at as anchor, p.recurring_interval as interval, p.recurring_interval_count as count
         from subscriptions b join prices p on p.merchant_id = b.merchant_id and p.id = b.price_id where b.status = 'active'`,
    );
    expect(subscriptions).toHaveLength(COUNT);
    for (const { id, anchor, interval, count } of subscriptions) {
      const invoices = await db.query<{ start: Date; end: Date }>(
        `select period_start as start, period_end as end from invoices
          where subscription_id = $1 and status <> 'void' order by period_start`,
        [id],
      );
      const wanted = invoices.map((_, n) => periodAt(anchor, { interval, count }, n));
      expect(invoices).toEqual(wanted);
      expect(invoices.at(-1)!.end > end).toBe(true);
    }
    await expectSound(w.service);

    /** Half pay at once, half when they are late. */
    async function payOpen(now: Date): Promise<void> {
      const open = await db.query<{ reference: string; due: bigint }>(
        `select i.reference_address as reference, i.expected_amount_cents as due
           from invoices v
           join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
           join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
          where v.status = 'open' and (v.number % 2 = 0 or v.due_at <= $1)`,
        [now],
      );
      for (const { reference, due } of open)
        await arrive(w.service, w.shop.id, { references: [reference], baseUnits: centsToBaseUnits(due) });
    }
  },
  Math.max(120_000, COUNT * 10_000),
);
