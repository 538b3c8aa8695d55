import { beforeAll, expect, test } from 'vitest';
import { newPlan, newSession, readSession, readSubscription } from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { waitsForReading } from './waits-for-reading.ts';

let w: SubscriptionWorld;

beforeAll(async () => {
  w = await subscriptionWorld();
});

/** Returns for each of these offsets from a moment if something waits for the chain. */
async function waitsAround(moment: string | Date, offsetsMs: number[]): Promise<boolean[]> {
  const { db } = w.service;
  const [merchant] = await db.query<{ address: string }>(
    'select payout_address as address from merchants where id = $1',
    [w.shop.id],
  );
  const at = new Date(moment).getTime();
  return Promise.all(
    offsetsMs.map((offset) => waitsForReading(db, merchant!.address, new Date(at + offset))),
  );
}

test('a session paid in part waits for the chain at the end of its 30 days, until what came is account credit', async () => {
  const session = await newSession(w.shop, w.projectId, { externalCustomerId: 'in part' });
  await w.payInvoice(session.invoiceId, 200);
  const { expiresAt } = await readSession(w.shop, session.id);
  await w.moveTo(days(expiresAt, 1));
  expect(await readSession(w.shop, session.id)).toMatchObject({
    status: 'expired',
    paymentStatus: 'underpaid',
  });
  expect(await waitsAround(days(expiresAt, 30), [-1, 0])).toEqual([false, true]);
  await w.moveTo(days(expiresAt, 31));
  expect(await waitsAround(days(expiresAt, 30), [0])).toEqual([false]);
});

test('an unpaid renewal waits for the chain from the moment its period ends, and no earlier', async () => {
  const plan = await newPlan(w.shop, w.projectId);
  const sub = await w.subscribe(plan.id, 'renews');
  const end = new Date(sub.currentPeriodEnd);
  await w.moveTo(new Date(end.getTime() - 3_600_000));
  expect((await readSubscription(w.shop, sub.id)).status).toBe('active');
  expect(await waitsAround(end, [-1, 0, 30_000])).toEqual([false, true, true]);
});
