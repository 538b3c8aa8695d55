import { beforeAll, expect, test } from 'vitest';
import { expectSound, newPlan, readSubscription } from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { brokenInvariants } from '../../../test/support/usage.ts';

let w: SubscriptionWorld;
let id: string;

beforeAll(async () => {
  w = await subscriptionWorld();
  const sub = await w.subscribe((await newPlan(w.shop, w.projectId)).id, 'sound');
  id = sub.id;
  const adjust = { deltaCents: 300, reason: 'gift' };
  await w.shop.call('POST', `/api/v2/customers/${sub.customerId}/balance-adjustments`, adjust);
  await w.moveTo(days(sub.currentPeriodEnd, -1));
  await w.payInvoice((await readSubscription(w.shop, id)).latestInvoiceId);
  await w.moveTo(days(sub.currentPeriodEnd, 1));
  await expectSound(w.service);
});

const ONE_LATER = `interval '1 second'`;

test.each([
  ['subscription-legal-moves', `update subscriptions set sequence = sequence + 1 where id = $1`],
  [
    'subscription-legal-moves',
    `update subscriptions set status = 'canceled', canceled_at = now(), cancel_reason = 'requested', next_step_at = null
      where id = $1`,
  ],
  [
    'one-invoice-per-period',
    `update invoices v set period_start = (select min(period_start) from invoices w where w.subscription_id = $1)
      where v.subscription_id = $1`,
  ],
  [
    'periods-abut',
    `update invoices set period_start = period_start - ${ONE_LATER} where subscription_id = $1 and billing_reason = 'subscription_cycle'`,
  ],
  [
    'periods-abut',
    `update invoices set period_end = period_end - ${ONE_LATER} where subscription_id = $1 and billing_reason = 'subscription_create'`,
  ],
  [
    'subscription-is-what-was-paid',
    `update subscriptions set paid_through = paid_through + ${ONE_LATER} where id = $1`,
  ],
  ['subscription-is-what-was-paid', `update subscriptions set next_step_at = null where id = $1`],
  [
    'subscription-is-what-was-paid',
    `update invoices set status = 'open', paid_at = null where subscription_id = $1 and billing_reason = 'subscription_cycle'`,
  ],
  [
    'invoice-credit-is-posted',
    `update invoices set subtotal_cents = subtotal_cents + 1, credit_applied_cents = credit_applied_cents + 1
      where subscription_id = $1 and billing_reason = 'subscription_cycle'`,
  ],
])('%s is broken by a planted fault', async (name, fault) => {
  const seen = w.service.db
    .transaction(async (tx) => {
      // The database itself would refuse one of them.
      await tx.query('drop index invoices_once_per_period');
      await tx.query(fault, [id]);
      throw Object.assign(new Error('rolled back'), {
        broken: await brokenInvariants({ ...w.service, db: { ...w.service.db, ...tx } }),
      });
    })
    .catch((error: { broken?: string[] }) => error.broken);
  expect(await seen).toContain(name);
  await expectSound(w.service);
});
