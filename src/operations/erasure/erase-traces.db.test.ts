import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  listEvents,
  newCustomer,
  newPlan,
  newSession,
  readInvoice,
  readSession,
} from '../../../test/support/billing.ts';
import { newAddress } from '../../../test/support/service.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { Metrics } from '../../platform/lib/metrics.ts';
import { erasureGauges } from './erasure-gauges.ts';

/** Erasing reaches more than the customer's own rows, and it also covers what is written afterwards. */
let w: SubscriptionWorld;

beforeAll(async () => {
  w = await subscriptionWorld();
});

const must = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
  const answer = await w.shop.call(method, `/api/v2${path}`, body, headers);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.body;
};
async function erase(id: string): Promise<void> {
  await must('DELETE', `/customers/${id}?discardBalance=true`);
  await finish(id);
}
/** One run gives each customer a time slice, which may be too short on a busy machine. */
async function finish(id: string): Promise<void> {
  do await w.runDue();
  while ((await must('GET', `/customers/${id}/erasure`)).status !== 'erased');
}
const bodiesWith = async (word: string) =>
  (await listEvents(w.service, w.shop.id)).filter(({ body }) => JSON.stringify(body).includes(word)).length;

async function unmatched(baseUnits: bigint) {
  const signature = await arrive(w.service, w.shop.id, { baseUnits });
  return (await must('GET', `/exceptions?txSignature=${signature}`)).data[0];
}

describe('notes of exceptions', () => {
  test('on money that became their account credit are erased, also from events', async () => {
    const { id: customerId } = await newCustomer(w.shop, w.projectId, { name: 'Ada' });
    const { id } = await unmatched(4_200_000n);
    await must('POST', `/exceptions/${id}/credit`, { customerId, note: 'Ada called' });
    expect(await bodiesWith('Ada called')).toBe(1);
    await erase(customerId);
    expect((await must('GET', `/exceptions?exceptionId=${id}`)).data[0]).toMatchObject({
      status: 'credited',
      note: null,
    });
    expect(await bodiesWith('Ada called')).toBe(0);
    await expectSound(w.service);
  });

  test('on money that was their account credit for a while are erased from events; another customer’s note stays', async () => {
    const { id: customerId } = await newCustomer(w.shop, w.projectId, { name: 'Bea' });
    const { id: other } = await newCustomer(w.shop, w.projectId, { name: 'Cleo' });
    const { id } = await unmatched(5_100_000n);
    const key = { 'idempotency-key': 'credit Bea' };
    await must('POST', `/exceptions/${id}/credit`, { customerId, note: 'Bea called' }, key);
    await must('POST', `/exceptions/${id}/reopen`);
    await must('POST', `/exceptions/${id}/credit`, { customerId: other, note: 'Cleo wrote' });
    expect(await bodiesWith('Bea called')).toBe(1);
    await erase(customerId);
    expect(await bodiesWith('Bea called')).toBe(0);
    const keys = await w.service.db.query(
      `select from idempotency_keys where strpos(answer, 'Bea called') > 0`,
    );
    expect(keys.length).toBe(0);
    expect((await must('GET', `/exceptions?exceptionId=${id}`)).data[0].note).toBe('Cleo wrote');
    await expectSound(w.service);
  });
});

test('a line that contains the reference is replaced; other lines of paid invoices stay', async () => {
  const externalCustomerId = 'lines';
  const fields = { externalCustomerId, amountCents: 700, merchantReference: 'Ada’s wedding' };
  const session = await newSession(w.shop, w.projectId, fields);
  const lineItems = [{ name: 'Payment for the hall', unitAmountCents: 900 }];
  const { id: named } = await must('POST', '/checkout-sessions', {
    ...{ projectId: w.projectId, mode: 'one_time', externalCustomerId, lineItems },
  });
  const other = await readSession(w.shop, named);
  for (const { invoiceId } of [session, other]) await w.payInvoice(invoiceId);
  const descriptionOf = async (id: string) => (await readInvoice(w.shop, id)).lines[0].description;
  expect(await descriptionOf(session.invoiceId)).toBe('Payment for Ada’s wedding');
  await erase(session.customerId);
  expect(await descriptionOf(session.invoiceId)).toBe('Payment');
  expect(await descriptionOf(other.invoiceId)).toBe('Payment for the hall');
  expect(await bodiesWith('wedding')).toBe(0);
});

test('409: their objects accept no more metadata, and nothing changes', async () => {
  const plan = await newPlan(w.shop, w.projectId);
  const sub = await w.subscribe(plan.id, 'noted');
  const { customerId } = sub;
  const session = await newSession(w.shop, w.projectId, { customerId, amountCents: 400 });
  await w.payInvoice(session.invoiceId);
  const part = { invoiceId: session.invoiceId, amountCents: 100, reason: 'other', address: newAddress() };
  const refund = await must('POST', '/refunds', part);
  await must('POST', `/refunds/${refund.id}/cancel`);
  await must('POST', `/subscriptions/${sub.id}/cancel`, { atPeriodEnd: false });
  const paths = [
    `/api/v2/checkout-sessions/${session.id}`,
    `/api/v2/invoices/${session.invoiceId}`,
    `/api/v2/subscriptions/${sub.id}`,
    `/api/v2/refunds/${refund.id}`,
    `/api/merchants/intents/${session.paymentIntentId}`,
  ];
  const note = { metadata: { person: 'Ada' } };
  for (const path of paths)
    expect([path, (await w.shop.call('PATCH', path, note)).status]).toEqual([path, 200]);
  await must('DELETE', `/customers/${customerId}`);
  // Both while it is being erased and afterwards.
  for (let round = 0; round < 2; round++) {
    for (const path of paths) {
      const { status, body } = await w.shop.call('PATCH', path, note);
      expect([path, status, body.error?.message]).toEqual([
        ...[path, 409, 'Its customer was deleted, so it can no longer be changed.'],
      ]);
    }
    await finish(customerId);
  }
  for (const path of paths) expect((await w.shop.call('GET', path)).body.metadata).toEqual({});
  expect(await bodiesWith('Ada')).toBe(0);
  await expectSound(w.service);
});

test('409 for the same idempotent request after the erasure, with the reason; nobody is created again', async () => {
  const path = '/api/v2/customers';
  const person = { projectId: w.projectId, externalCustomerId: 'again', name: 'Ada' };
  const key = { 'idempotency-key': 'create Ada' };
  const { body } = await w.shop.call('POST', path, person, key);
  await erase(body.id);
  const again = await w.shop.call('POST', path, person, key);
  expect([again.status, again.body.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  expect(again.body.error.message).toContain('its response was erased because the customer was deleted');
  const other = await w.shop.call('POST', path, { ...person, name: 'Eve' }, key);
  expect(other.body.error.message).not.toContain('erased');
  expect((await must('GET', '/customers?externalCustomerId=again')).data).toEqual([]);
});

test('hundreds of checkouts are closed at once, each with its events in order and its credit given back', async () => {
  const externalCustomerId = 'window shopper';
  const { id: customerId } = await newCustomer(w.shop, w.projectId, { externalCustomerId });
  await must('POST', `/customers/${customerId}/balance-adjustments`, { deltaCents: 150, reason: 'gift' });
  const plan = await newPlan(w.shop, w.projectId);
  const started = await newSession(w.shop, w.projectId, {
    ...{ externalCustomerId, mode: 'subscription', priceId: plan.id },
  });
  for (let n = 0; n < 300; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, () => newSession(w.shop, w.projectId, { externalCustomerId })),
    );
  await must('DELETE', `/customers/${customerId}?discardBalance=true`);
  const left = await w.service.db.query<{ status: string; intent: string; invoice: string; count: number }>(
    `select s.status, i.status as intent, v.status as invoice, count(*)::integer as count
       from checkout_sessions s join payment_intents i on i.id = s.payment_intent_id
       join invoices v on v.checkout_session_id = s.id
      where s.customer_id = $1 group by 1, 2, 3`,
    [customerId],
  );
  expect(left).toEqual([{ status: 'canceled', intent: 'canceled', invoice: 'void', count: 301 }]);
  const events = (await listEvents(w.service, w.shop.id))
    .filter(({ orderingKey }) => orderingKey === started.subscriptionId)
    .map(({ event }) => event);
  expect(events.slice(-4)).toEqual([
    'payment_intent.updated',
    'invoice.voided',
    'checkout.session.canceled',
    'subscription.canceled',
  ]);
  await finish(customerId);
  await expectSound(w.service);
});

test('one that has not moved for ten minutes is stuck: the answer and the metrics say so', async () => {
  const { db } = w.service;
  const metrics = new Metrics();
  const count = erasureGauges(db, metrics);
  const figures = async () => {
    await count();
    return [...metrics.text().matchAll(/^florin_\w+_erasures (\d+)$/gm)].map(([, n]) => Number(n));
  };
  expect(await figures()).toEqual([0, 0]);
  const { id } = await newCustomer(w.shop, w.projectId, { name: 'Ada' });
  expect((await must('DELETE', `/customers/${id}`)).isStuck).toBe(false);
  expect(await figures()).toEqual([1, 0]);
  await db.query(
    `update customer_erasures set advanced_at = now() - interval '11 minutes' where customer_id = $1`,
    [id],
  );
  expect((await must('GET', `/customers/${id}/erasure`)).isStuck).toBe(true);
  expect(await figures()).toEqual([1, 1]);
  await finish(id);
  expect(await must('GET', `/customers/${id}/erasure`)).toMatchObject({ status: 'erased', isStuck: false });
  expect(await figures()).toEqual([0, 0]);
});
