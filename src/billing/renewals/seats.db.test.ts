import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  newSession,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import {
  days,
  invoicesOf,
  type SubscriptionWorld,
  subscriptionWorld,
} from '../../../test/support/subscriptions.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import { MAX_INT64 } from '../../platform/lib/money.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let [basic, pro, yearly]: any[] = [];

beforeAll(async () => {
  w = await subscriptionWorld();
  basic = await newPlan(w.shop, w.projectId, {
    unitAmountCents: 1_000,
    recurringInterval: 'day',
    recurringIntervalCount: 30,
  });
  pro = await newPlan(w.shop, w.projectId, {
    unitAmountCents: 2_500,
    recurringInterval: 'day',
    recurringIntervalCount: 30,
  });
  yearly = await newPlan(w.shop, w.projectId, { unitAmountCents: 9_000, recurringInterval: 'year' });
});

type Fields = Record<string, unknown>;
const preview = (id: string, body: Fields) =>
  w.shop.call('POST', `/api/v2/subscriptions/${id}/preview-change`, body);
const patch = (id: string, body: Fields) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);

async function subscribe(quantity: number, externalCustomerId: string) {
  const lineItems = [{ priceId: basic.id, quantity }];
  const session = await newSession(w.shop, w.projectId, {
    amountCents: undefined,
    mode: 'subscription',
    lineItems,
    externalCustomerId,
  });
  await w.payInvoice(session.invoiceId);
  return readSubscription(w.shop, session.subscriptionId);
}

test('every renewal is for the seats there are, with and without credit', async () => {
  const sub = await subscribe(5, 'renews');
  await w.moveTo(days(sub.currentPeriodEnd, -1));
  const asked = await readSubscription(w.shop, sub.id);
  const renewal = await readInvoice(w.shop, asked.latestInvoiceId);
  expect(renewal).toMatchObject({
    totalCents: 5_000,
    lines: [{ quantity: 5, unitAmountCents: 1_000, amountCents: 5_000 }],
  });
  await w.payInvoice(renewal.id);
  await w.moveTo(days(sub.currentPeriodEnd, 1));
  expect(await readSubscription(w.shop, sub.id)).toMatchObject({ quantity: 5, status: 'active' });
  const path = `/api/v2/customers/${sub.customerId}/balance-adjustments`;
  await w.shop.call('POST', path, { deltaCents: 5_000, reason: 'gift' });
  await w.moveTo(days(sub.currentPeriodEnd, 31));
  const [, , third] = await invoicesOf(w.shop, sub.id);
  expect(third).toMatchObject({ status: 'paid', creditAppliedCents: 5_000, totalCents: 0 });
  await expectSound(w.service);
});

test('more seats are charged for the rest of the period, exactly as previewed', async () => {
  const sub = await subscribe(2, 'more');
  const { body: shown, status } = await preview(sub.id, { quantity: 7 });
  expect([status, shown]).toMatchObject([
    200,
    {
      currentPriceId: basic.id,
      newPriceId: basic.id,
      currentQuantity: 2,
      newQuantity: 7,
      prorationBehavior: 'charge_now',
      nextInvoice: { amountCents: 7_000 },
    },
  ]);
  expect(shown.lines.map(({ description }: Fields) => description)).toEqual([
    'Unused time: 2 × Coffee',
    'Remaining time: 7 × Coffee',
  ]);
  expect(shown.amountDueCents).toBe(shown.chargeCents - shown.creditCents);
  const { body: changed } = await patch(sub.id, { quantity: 7, previewToken: shown.previewToken });
  expect(changed).toMatchObject({ quantity: 2, pendingChange: { priceId: basic.id, quantity: 7 } });
  const invoice = await readInvoice(w.shop, changed.pendingChange.invoiceId);
  expect(invoice).toMatchObject({ lines: shown.lines, totalCents: shown.amountDueCents });
  await w.payInvoice(invoice.id);
  expect(await readSubscription(w.shop, sub.id)).toMatchObject({ quantity: 7, pendingChange: null });
  await expectSound(w.service);
});

test('fewer seats start with the next period, and are what it bills', async () => {
  const sub = await subscribe(9, 'fewer');
  const { body } = await patch(sub.id, { quantity: 3 });
  expect(body).toMatchObject({
    quantity: 9,
    pendingChange: {
      priceId: basic.id,
      quantity: 3,
      prorationBehavior: 'next_period',
      effectiveAt: sub.currentPeriodEnd,
    },
  });
  await w.moveTo(days(sub.currentPeriodEnd, -1));
  const renewal = await readInvoice(w.shop, (await readSubscription(w.shop, sub.id)).latestInvoiceId);
  expect(renewal).toMatchObject({ totalCents: 3_000, lines: [{ quantity: 3 }] });
  await w.payInvoice(renewal.id);
  expect(await readSubscription(w.shop, sub.id)).toMatchObject({
    quantity: 9,
    pendingChange: { quantity: 3 },
  });
  await w.moveTo(days(sub.currentPeriodEnd, 1));
  expect(await readSubscription(w.shop, sub.id)).toMatchObject({ quantity: 3, pendingChange: null });
  await expectSound(w.service);
});

test('another plan keeps the seats unless it is given others; a new interval starts over with them', async () => {
  const sub = await subscribe(4, 'plan');
  const shown = (await preview(sub.id, { priceId: pro.id })).body;
  expect(shown).toMatchObject({ currentQuantity: 4, newQuantity: 4, nextInvoice: { amountCents: 10_000 } });
  const fewer = (await preview(sub.id, { priceId: pro.id, quantity: 1 })).body;
  expect(fewer).toMatchObject({ prorationBehavior: 'next_period', nextInvoice: { amountCents: 2_500 } });
  const { body } = await patch(sub.id, { priceId: yearly.id, quantity: 6 });
  const invoice = await readInvoice(w.shop, body.pendingChange.invoiceId);
  expect(invoice.lines[1]).toMatchObject({ quantity: 6, unitAmountCents: 9_000, amountCents: 54_000 });
  await w.payInvoice(invoice.id);
  expect(await readSubscription(w.shop, sub.id)).toMatchObject({ priceId: yearly.id, quantity: 6 });
  await expectSound(w.service);
});

test('none changes the seats of this period and of one paid ahead, for nothing', async () => {
  const sub = await subscribe(2, 'none');
  await w.moveTo(days(sub.currentPeriodEnd, -1));
  await w.payInvoice((await readSubscription(w.shop, sub.id)).latestInvoiceId);
  const { body } = await patch(sub.id, { quantity: 8, prorationBehavior: 'none' });
  expect(body).toMatchObject({ quantity: 8, pendingChange: null });
  await w.moveTo(days(sub.currentPeriodEnd, 1));
  expect(await readSubscription(w.shop, sub.id)).toMatchObject({ quantity: 8 });
  await expectSound(w.service);
});

test('a planned number of seats is withdrawn like any change', async () => {
  const sub = await subscribe(5, 'withdrawn');
  await patch(sub.id, { quantity: 2 });
  expect((await w.shop.call('DELETE', `/api/v2/subscriptions/${sub.id}/pending-change`)).status).toBe(204);
  expect(await readSubscription(w.shop, sub.id)).toMatchObject({ quantity: 5, pendingChange: null });
  await expectSound(w.service);
});

test('400, the field first: no change, out of range, other than previewed, more than can be paid; 409 when stale', async () => {
  const sub = await subscribe(3, 'refused');
  const field = ({ status, body }: { status: number; body: Fields }) => [
    status,
    (body.error as { message: string }).message.split(' ')[0],
  ];
  for (const [body, name] of [
    [{ quantity: 3 }, 'priceId'],
    [{ quantity: 0 }, 'quantity'],
    [{ quantity: 10_001 }, 'quantity'],
    [{ quantity: null }, 'quantity'],
    [{ priceId: pro.id, quantity: -1 }, 'quantity'],
  ] as const) {
    expect([body, field(await preview(sub.id, body))]).toEqual([body, [400, name]]);
    expect([body, field(await patch(sub.id, body))]).toEqual([body, [400, name]]);
  }
  const { productId, projectId } = pro;
  const terms = { billingMode: 'subscription', recurringInterval: 'day', recurringIntervalCount: 30 };
  const wanted = stringifyJson({ projectId, productId, unitAmountCents: MAX_INT64, ...terms });
  const { body: huge } = await w.shop.call('POST', '/api/v2/prices', wanted);
  expect(field(await preview(sub.id, { priceId: huge.id }))).toEqual([400, 'quantity']);
  const { previewToken } = (await preview(sub.id, { quantity: 4 })).body;
  expect(field(await patch(sub.id, { quantity: 5, previewToken }))).toEqual([400, 'previewToken']);
  expect(field(await patch(sub.id, { quantity: 4, cancelAtPeriodEnd: true }))).toEqual([
    400,
    'cancelAtPeriodEnd',
  ]);
  await patch(sub.id, { quantity: 2 });
  const stale = await patch(sub.id, { quantity: 4, previewToken });
  expect([stale.status, stale.body.error.code]).toEqual([409, 'PREVIEW_STALE']);
  await expectSound(w.service);
});
