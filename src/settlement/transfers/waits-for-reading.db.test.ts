import { expect, test } from 'vitest';
import { newPlan, readSubscription } from '../../../test/support/billing.ts';
import { subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { waitsForReading } from './waits-for-reading.ts';

test('an unpaid renewal waits for the chain from the moment its period ends, and no earlier', async () => {
  const w = await subscriptionWorld();
  const plan = await newPlan(w.shop, w.projectId);
  const sub = await w.subscribe(plan.id, 'renews');
  const endMs = new Date(sub.currentPeriodEnd).getTime();
  await w.moveTo(new Date(endMs - 3_600_000));
  expect((await readSubscription(w.shop, sub.id)).status).toBe('active');
  const [account] = await w.service.db.query<{ destination: string }>(
    `select i.destination_address as destination from payment_intents i
       join checkout_sessions s on s.payment_intent_id = i.id
       join invoices v on v.checkout_session_id = s.id
       join subscriptions b on b.renewal_invoice_id = v.id where b.id = $1`,
    [sub.id],
  );
  const waits = (offsetMs: number) =>
    waitsForReading(w.service.db, account!.destination, new Date(endMs + offsetMs));
  expect([await waits(-1), await waits(0), await waits(30_000)]).toEqual([false, true, true]);
});
