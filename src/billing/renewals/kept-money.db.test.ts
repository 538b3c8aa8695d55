import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  newPrice,
  newSession,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { untilBlocked } from '../../../test/support/database.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { MINT } from '../../../test/support/transfers.ts';
import { createRefund } from '../../payments/refunds/create-refund.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let [yearly, monthly, basic, pro, weekly]: any[] = [];

beforeAll(async () => {
  w = await subscriptionWorld();
  const thirty = { recurringInterval: 'day', recurringIntervalCount: 30 };
  yearly = await newPlan(w.shop, w.projectId, { unitAmountCents: 120_000, recurringInterval: 'year' });
  monthly = await newPlan(w.shop, w.projectId, { unitAmountCents: 1_000 });
  basic = await newPlan(w.shop, w.projectId, { ...thirty, unitAmountCents: 3_000 });
  pro = await newPlan(w.shop, w.projectId, { ...thirty, unitAmountCents: 6_000 });
  weekly = await newPlan(w.shop, w.projectId, { unitAmountCents: 400, recurringInterval: 'week' });
});

type Fields = Record<string, unknown>;
const preview = async (id: string, body: Fields) => {
  const shown = await w.shop.call('POST', `/api/v2/subscriptions/${id}/preview-change`, body);
  expect([shown.status, shown.text]).toEqual([200, shown.text]);
  return shown.body;
};
const patch = (id: string, body: Fields) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);
const creditOf = async (customerId: string) => (await readCustomer(w.shop, customerId)).accountCreditCents;
const giveCredit = (customerId: string, deltaCents: number) =>
  w.shop.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, { deltaCents, reason: 'gift' });

async function refund(invoiceId: string, fields: Fields = {}) {
  const body = { invoiceId, reason: 'requested_by_customer', ...fields };
  const answer = await w.shop.call('POST', '/api/v2/refunds', body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

async function cancelRefund({ id }: { id: string }) {
  const { status, text } = await w.shop.call('POST', `/api/v2/refunds/${id}/cancel`);
  expect([status, text]).toEqual([200, text]);
}

/** A subscription whose first invoice was paid in part and accepted. */
async function accepted(priceId: string, externalCustomerId: string, cents: number) {
  const fields = { mode: 'subscription', priceId, externalCustomerId };
  const session = await newSession(w.shop, w.projectId, fields);
  await w.payInvoice(session.invoiceId, cents);
  const answer = await w.shop.call('POST', `/api/merchants/intents/${session.paymentIntentId}/accept`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return readSubscription(w.shop, session.subscriptionId);
}

/** Changes at the start of the period, of which nothing is used then. */
const asOf = ({ currentPeriodStart }: { currentPeriodStart: string }) => ({
  prorationDate: currentPeriodStart,
});

/** Changes as previewed, and pays what is due. */
async function change(id: string, body: Fields) {
  const { previewToken, ...shown } = await preview(id, body);
  const { prorationDate: _, ...wanted } = body;
  const changed = await patch(id, { ...wanted, previewToken });
  expect([changed.status, changed.text]).toEqual([200, changed.text]);
  const { pendingChange, latestInvoiceId } = changed.body;
  const invoice = await readInvoice(w.shop, pendingChange?.invoiceId ?? latestInvoiceId);
  expect(invoice).toMatchObject({ lines: shown.lines, totalCents: shown.amountDueCents });
  if (pendingChange) await w.payInvoice(invoice.id);
  return shown;
}

describe('unused time is worth what was paid for it and kept', () => {
  test('a waived amount is never credited: one cent paid is one cent', async () => {
    const sub = await accepted(yearly.id, 'waived', 1);
    const shown = await change(sub.id, { priceId: monthly.id, ...asOf(sub) });
    expect(shown).toMatchObject({ creditCents: 1, chargeCents: 1_000, accountCreditCents: 0 });
    expect(shown.amountDueCents).toBe(999);
    expect(await creditOf(sub.customerId)).toBe(0);
    expect((await readSubscription(w.shop, sub.id)).priceId).toBe(monthly.id);
    await expectSound(w.service);
  });

  test('a waived part leaves the rest, as account credit where it is more than the new plan costs', async () => {
    const sub = await accepted(yearly.id, 'partly waived', 50_000);
    const shown = await change(sub.id, { priceId: monthly.id, ...asOf(sub) });
    expect(shown).toMatchObject({ creditCents: 50_000, accountCreditCents: 49_000, amountDueCents: 0 });
    expect(await creditOf(sub.customerId)).toBe(49_000);
    const again = await preview(sub.id, { priceId: yearly.id, ...asOf(sub) });
    expect(again).toMatchObject({ creditCents: 1_000, chargeCents: 120_000 });
    await expectSound(w.service);
  });

  test('a refund in full leaves nothing, from the moment it is promised until it is canceled', async () => {
    const sub = await w.subscribe(yearly.id, 'refunded');
    const promised = await refund(sub.latestInvoiceId);
    const shown = await preview(sub.id, { priceId: monthly.id, ...asOf(sub) });
    expect(shown).toMatchObject({ creditCents: 0, accountCreditCents: 0, amountDueCents: 1_000 });
    await cancelRefund(promised);
    expect(await preview(sub.id, { priceId: monthly.id, ...asOf(sub) })).toMatchObject({
      ...{ creditCents: 120_000, accountCreditCents: 119_000, amountDueCents: 0 },
    });
    await refund(sub.latestInvoiceId);
    expect(await change(sub.id, { priceId: monthly.id, ...asOf(sub) })).toMatchObject({
      amountDueCents: 1_000,
    });
    expect(await creditOf(sub.customerId)).toBe(0);
    await expectSound(w.service);
  });

  test('a refund in part: the same share of what is left, and it counts once however often the plan changes', async () => {
    const sub = await w.subscribe(basic.id, 'refunded in part');
    await refund(sub.latestInvoiceId, { amountCents: 1_000 });
    const start = sub.currentPeriodStart;
    expect(await preview(sub.id, { priceId: weekly.id, prorationDate: start })).toMatchObject({
      ...{ creditCents: 2_000, accountCreditCents: 1_600 },
    });
    await w.moveTo(days(start, 15));
    const half = { prorationDate: days(start, 15).toISOString() };
    expect(await preview(sub.id, { priceId: weekly.id, ...half })).toMatchObject({ creditCents: 1_000 });
    expect(await preview(sub.id, { quantity: 3, ...half })).toMatchObject({
      ...{ prorationBehavior: 'charge_now', creditCents: 1_000, chargeCents: 4_500, amountDueCents: 3_500 },
    });
    expect(await change(sub.id, { priceId: pro.id, ...half })).toMatchObject({
      ...{ creditCents: 1_000, chargeCents: 3_000, amountDueCents: 2_000 },
    });
    await w.moveTo(days(start, 21));
    const later = { prorationDate: days(start, 21).toISOString() };
    expect(await preview(sub.id, { quantity: 2, ...later })).toMatchObject({
      ...{ creditCents: 1_800, chargeCents: 3_600 },
    });
    const { latestInvoiceId } = await readSubscription(w.shop, sub.id);
    await refund(latestInvoiceId);
    expect(await preview(sub.id, { quantity: 2, ...later })).toMatchObject({ creditCents: 600 });
    await expectSound(w.service);
  });

  test('account credit counts as paid, and is not refunded with the rest', async () => {
    const sub = await w.subscribe(basic.id, 'paid by credit');
    await giveCredit(sub.customerId, 2_000);
    await w.moveTo(days(sub.currentPeriodEnd, -1));
    const { latestInvoiceId } = await readSubscription(w.shop, sub.id);
    await w.payInvoice(latestInvoiceId);
    await w.moveTo(days(sub.currentPeriodEnd, 1));
    const at = { priceId: weekly.id, prorationDate: sub.currentPeriodEnd };
    expect(await preview(sub.id, at)).toMatchObject({ creditCents: 3_000 });
    await refund(latestInvoiceId);
    expect(await preview(sub.id, at)).toMatchObject({ creditCents: 2_000, accountCreditCents: 1_600 });
    await giveCredit(sub.customerId, 3_000);
    await w.moveTo(days(sub.currentPeriodEnd, 31));
    const next = { ...at, prorationDate: days(sub.currentPeriodEnd, 30).toISOString() };
    expect(await preview(sub.id, next)).toMatchObject({ creditCents: 3_000 });
    await expectSound(w.service);
  });

  test('a change that was accepted with one cent is worth that cent more', async () => {
    const sub = await w.subscribe(basic.id, 'waived change');
    const start = sub.currentPeriodStart;
    await w.moveTo(days(start, 15));
    const at = { prorationDate: days(start, 15).toISOString() };
    const { previewToken } = await preview(sub.id, { priceId: pro.id, ...at });
    const { pendingChange } = (await patch(sub.id, { priceId: pro.id, previewToken })).body;
    await w.payInvoice(pendingChange.invoiceId, 1);
    const answer = await w.shop.call('POST', `/api/v2/invoices/${pendingChange.invoiceId}/accept`);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    expect((await readSubscription(w.shop, sub.id)).priceId).toBe(pro.id);
    expect(await preview(sub.id, { quantity: 2, ...at })).toMatchObject({
      ...{ creditCents: 1_501, chargeCents: 6_000 },
    });
    await expectSound(w.service);
  });

  test('money beyond the invoice is not what paid for the period, nor is its refund', async () => {
    const sub = await w.subscribe(yearly.id, 'overpaid');
    await w.payInvoice(sub.latestInvoiceId, 700);
    const { data } = (await w.shop.call('GET', '/api/v2/exceptions?status=open')).body;
    const surplus = data.find(({ kind }: { kind: string }) => kind === 'surplus');
    await refund(sub.latestInvoiceId, { invoiceId: undefined, exceptionId: surplus.id });
    expect((await preview(sub.id, { priceId: monthly.id, ...asOf(sub) })).creditCents).toBe(120_000);
    await refund(sub.latestInvoiceId);
    expect((await preview(sub.id, { priceId: monthly.id, ...asOf(sub) })).creditCents).toBe(0);
  });

  test('a refund of an invoice with other things on it takes its share of the plan', async () => {
    const setup = await newPrice(w.shop, w.projectId, { unitAmountCents: 1_000 });
    const lineItems = [basic, setup].map(({ id }) => ({ priceId: id, quantity: 1 }));
    const sub = await w.subscribe(basic.id, 'with a setup', {
      priceId: undefined,
      amountCents: undefined,
      lineItems,
    });
    const at = { priceId: weekly.id, prorationDate: sub.currentPeriodStart };
    expect((await preview(sub.id, at)).creditCents).toBe(3_000);
    await refund(sub.latestInvoiceId, { amountCents: 1_000 });
    expect((await preview(sub.id, at)).creditCents).toBe(2_250);
    await refund(sub.latestInvoiceId);
    expect((await preview(sub.id, at)).creditCents).toBe(0);
  });
});

describe('a refund between preview and change', () => {
  test('409 PREVIEW_STALE, and nothing changes; canceled again, the preview holds', async () => {
    const sub = await w.subscribe(yearly.id, 'refund between');
    const { previewToken } = await preview(sub.id, { priceId: monthly.id, ...asOf(sub) });
    const promised = await refund(sub.latestInvoiceId);
    const body = { priceId: monthly.id, previewToken };
    expect(await patch(sub.id, body)).toMatchObject({
      ...{ status: 409, body: { error: { code: 'PREVIEW_STALE' } } },
    });
    expect(await readSubscription(w.shop, sub.id)).toEqual(sub);
    expect(await creditOf(sub.customerId)).toBe(0);
    await cancelRefund(promised);
    expect((await patch(sub.id, body)).status).toBe(200);
    expect(await creditOf(sub.customerId)).toBe(119_000);
  });

  test('a change waits for a refund that is being decided', async () => {
    const sub = await w.subscribe(yearly.id, 'refund meanwhile');
    const { previewToken } = await preview(sub.id, { priceId: monthly.id, ...asOf(sub) });
    const { db, clock } = w.service;
    let changing: ReturnType<typeof patch>;
    await db.transaction(async (tx) => {
      const [paid] = await tx.query<{ id: string }>(
        `select s.payment_intent_id as id from checkout_sessions s join invoices v on v.checkout_session_id = s.id
          where v.id = $1`,
        [sub.latestInvoiceId],
      );
      await createRefund(tx, {
        ...{ merchantId: w.shop.id, actor: 'test', paymentIntentId: paid!.id, exceptionId: null },
        ...{ amountCents: 119_500n, reason: 'other', note: null, metadata: {}, address: null },
        ...{ payerAddress: null, isAgent: false, notifyCustomer: false, revokeCredits: false },
        ...{ cancelSubscription: false, mint: MINT, publicUrl: 'http://127.0.0.1' },
        ...{ secrets: w.service.secrets, now: clock.now() },
      });
      changing = patch(sub.id, { priceId: monthly.id, previewToken });
      await untilBlocked(db, changing);
    });
    expect(await changing!).toMatchObject({ status: 409, body: { error: { code: 'PREVIEW_STALE' } } });
    expect(await creditOf(sub.customerId)).toBe(0);
    expect((await preview(sub.id, { priceId: monthly.id, ...asOf(sub) })).creditCents).toBe(500);
  });
});
