import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  listEvents,
  newPlan,
  newSession,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
let plan: { id: string };

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
});

const read = (id: string) => readSubscription(w.shop, id);

/** The invoice, its lines, its event and the subscription all have the same period. */
async function expectOnePeriod(subscriptionId: string, invoiceId: string): Promise<void> {
  const { currentPeriodStart: periodStart, currentPeriodEnd: periodEnd } = await read(subscriptionId);
  const invoice = await readInvoice(w.shop, invoiceId);
  expect(invoice).toMatchObject({ status: 'paid', periodStart, periodEnd });
  expect(invoice.lines.at(-1)).toMatchObject({ periodStart, periodEnd });
  const told = (await listEvents(w.service, w.shop.id)).find(
    ({ event, body }) => event === 'invoice.paid' && body.data.invoice.id === invoiceId,
  );
  expect(told!.body.data.invoice).toMatchObject({ periodStart, periodEnd, lines: invoice.lines });
  const listed = await w.shop.call('GET', `/api/v2/invoices?subscriptionId=${subscriptionId}`);
  expect(listed.body.data.find(({ id }: { id: string }) => id === invoiceId)).toEqual(invoice);
}

const begin = (customerName: string) =>
  newSession(w.shop, w.projectId, { mode: 'subscription', priceId: plan.id, customerName });

test('the first period begins with the payment', async () => {
  const session = await begin('first');
  await w.payInvoice(session.invoiceId);
  await expectOnePeriod(session.subscriptionId, session.invoiceId);
});

test('paid after its deadline: the period begins with that payment', async () => {
  const session = await begin('late');
  await w.moveTo(days(session.expiresAt, 3));
  expect((await read(session.subscriptionId)).status).toBe('incomplete_expired');
  await w.payInvoice(session.invoiceId);
  await expectOnePeriod(session.subscriptionId, session.invoiceId);
});

test('overdue, then paid: the period stays the one that was billed', async () => {
  const sub = await w.subscribe(plan.id, 'overdue');
  await w.moveTo(days(sub.currentPeriodEnd, 2));
  const { latestInvoiceId, status } = await read(sub.id);
  expect(status).toBe('past_due');
  await w.payInvoice(latestInvoiceId);
  expect((await read(sub.id)).currentPeriodStart).toBe(sub.currentPeriodEnd);
  await expectOnePeriod(sub.id, latestInvoiceId);
});

test('brought back: invoice and lines move to the period that begins with the payment', async () => {
  const sub = await w.subscribe(plan.id, 'back');
  await w.moveTo(days(sub.currentPeriodEnd, 20));
  const { latestInvoiceId, status } = await read(sub.id);
  expect(status).toBe('canceled');
  await w.payInvoice(latestInvoiceId);
  expect(await read(sub.id)).toMatchObject({ status: 'active' });
  await expectOnePeriod(sub.id, latestInvoiceId);
});

test('restarted by another interval: the new period', async () => {
  const yearly = await newPlan(w.shop, w.projectId, { recurringInterval: 'year', unitAmountCents: 9_000 });
  const sub = await w.subscribe(plan.id, 'reset');
  await w.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, { priceId: yearly.id });
  const { pendingChange } = await read(sub.id);
  await w.payInvoice(pendingChange.invoiceId);
  expect((await read(sub.id)).priceId).toBe(yearly.id);
  await expectOnePeriod(sub.id, pendingChange.invoiceId);
  await expectSound(w.service);
});
