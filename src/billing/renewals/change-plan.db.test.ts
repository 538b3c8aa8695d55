import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { untilBlocked } from '../../../test/support/database.ts';
import {
  days,
  invoicesOf,
  type SubscriptionWorld,
  subscriptionWorld,
} from '../../../test/support/subscriptions.ts';
import { post } from '../ledger/post.ts';

let w: SubscriptionWorld;
let small: { id: string };
let large: { id: string };
let huge: { id: string };
let weekly: { id: string };

beforeAll(async () => {
  w = await subscriptionWorld();
  [small, large, huge, weekly] = await Promise.all([
    newPlan(w.shop, w.projectId, { unitAmountCents: 1_000 }),
    newPlan(w.shop, w.projectId, { unitAmountCents: 2_000 }),
    newPlan(w.shop, w.projectId, { unitAmountCents: 5_000 }),
    newPlan(w.shop, w.projectId, { unitAmountCents: 400, recurringInterval: 'week' }),
  ]);
});

const read = (id: string) => readSubscription(w.shop, id);
const patch = (id: string, body: object) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);
const preview = (id: string, body: object) =>
  w.shop.call('POST', `/api/v2/subscriptions/${id}/preview-change`, body);
const creditOf = async (customerId: string) => (await readCustomer(w.shop, customerId)).accountCreditCents;
const giveCredit = (customerId: string, deltaCents: number) =>
  w.shop.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, { deltaCents, reason: 'gift' });
const unappliedOf = async (signature: string) =>
  w.service.db.query(`select kind from payment_exceptions where signature = $1`, [signature]);

describe('a change that waits for money', () => {
  test('paid in time by block time applies as previewed, however late we hear of it', async () => {
    const sub = await w.subscribe(small.id, 'in time');
    const { pendingChange } = (await patch(sub.id, { priceId: large.id })).body;
    expect(new Date(pendingChange.expiresAt).getTime()).toBeLessThanOrEqual(
      days(w.service.clock.now(), 1).getTime(),
    );
    const blockTime = w.service.clock.now();
    w.service.clock.setOffsetMs(w.service.clock.now().getTime() - Date.now() + 3 * 86_400_000);
    await w.payInvoice(pendingChange.invoiceId, undefined, { blockTime });
    expect(await read(sub.id)).toMatchObject({ priceId: large.id, pendingChange: null });
    await expectSound(w.service);
  });

  test('paid too late by block time, before anybody closed it: account credit, an exception, the old plan', async () => {
    const sub = await w.subscribe(small.id, 'too late');
    const { pendingChange } = (await patch(sub.id, { priceId: large.id })).body;
    w.service.clock.setOffsetMs(days(pendingChange.expiresAt, 1).getTime() - Date.now());
    const signature = await w.payInvoice(pendingChange.invoiceId);
    expect(await read(sub.id)).toMatchObject({ priceId: small.id, pendingChange: null, status: 'active' });
    expect((await readInvoice(w.shop, pendingChange.invoiceId)).status).toBe('void');
    await w.runDue();
    expect(await creditOf(sub.customerId)).toBe(pendingChange.amountDueCents);
    expect(await unappliedOf(signature)).toEqual([{ kind: 'stray' }]);
    await w.runDue();
    expect(await creditOf(sub.customerId)).toBe(pendingChange.amountDueCents);
    await expectSound(w.service);
  });

  test('dropped at its deadline; money after that is unapplied', async () => {
    const sub = await w.subscribe(small.id, 'dropped');
    await giveCredit(sub.customerId, 100);
    const { pendingChange } = (await patch(sub.id, { priceId: large.id })).body;
    expect(await creditOf(sub.customerId)).toBe(0);
    await w.moveTo(days(pendingChange.expiresAt, 1));
    expect(await read(sub.id)).toMatchObject({ priceId: small.id, pendingChange: null });
    expect(await creditOf(sub.customerId)).toBe(100);
    await w.payInvoice(pendingChange.invoiceId);
    expect(await creditOf(sub.customerId)).toBe(100 + pendingChange.amountDueCents);
    await expectSound(w.service);
  });

  test('a newer one voids the older, and is billed as previewed with the credit that gives back', async () => {
    const sub = await w.subscribe(small.id, 'newer');
    await giveCredit(sub.customerId, 300);
    const first = (await patch(sub.id, { priceId: large.id })).body.pendingChange;
    expect(await readInvoice(w.shop, first.invoiceId)).toMatchObject({ creditAppliedCents: 300 });
    const shown = await preview(sub.id, { priceId: huge.id });
    expect(shown.body).toMatchObject({ accountCreditAppliedCents: 300 });
    const { previewToken } = shown.body;
    const second = (await patch(sub.id, { priceId: huge.id, previewToken })).body.pendingChange;
    expect(second.amountDueCents).toBe(shown.body.amountDueCents);
    expect((await readInvoice(w.shop, first.invoiceId)).status).toBe('void');
    expect(await creditOf(sub.customerId)).toBe(0);
    await w.payInvoice(first.invoiceId);
    expect(await read(sub.id)).toMatchObject({ priceId: small.id, pendingChange: { priceId: huge.id } });
    await w.payInvoice(second.invoiceId);
    expect(await read(sub.id)).toMatchObject({ priceId: huge.id, pendingChange: null });
    await expectSound(w.service);
  });

  test('waits for concurrent spending of the customer’s credit: what a preview showed is billed, or nothing', async () => {
    const sub = await w.subscribe(small.id, 'credit being spent');
    await giveCredit(sub.customerId, 300);
    const { previewToken } = (await preview(sub.id, { priceId: large.id })).body;
    const { db, clock } = w.service;
    const spent = { deltaCents: -200n, counterAccount: 'adjustment' as const, reason: 'spent' };
    let changing: ReturnType<typeof patch>;
    await db.transaction(async (tx) => {
      await post(tx, { merchantId: w.shop.id, customerId: sub.customerId, ...spent, now: clock.now() });
      changing = patch(sub.id, { priceId: large.id, previewToken });
      await untilBlocked(db, changing);
    });
    expect(await changing!).toMatchObject({ status: 409, body: { error: { code: 'PREVIEW_STALE' } } });
    expect(await creditOf(sub.customerId)).toBe(100);
  });

  test('a cancellation at once voids it; one at period end leaves it open', async () => {
    for (const atPeriodEnd of [true, false]) {
      const sub = await w.subscribe(small.id, `canceled ${atPeriodEnd}`);
      const { pendingChange } = (await patch(sub.id, { priceId: large.id })).body;
      await w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/cancel`, { atPeriodEnd });
      expect((await read(sub.id)).pendingChange).toEqual(atPeriodEnd ? pendingChange : null);
      const { status } = await readInvoice(w.shop, pendingChange.invoiceId);
      expect(status).toBe(atPeriodEnd ? 'open' : 'void');
    }
    await expectSound(w.service);
  });

  test('ends with the period where that is sooner; paid in its last seconds and settled when past due, it applies', async () => {
    for (const [name, next] of [
      ['charged', large],
      ['reset', weekly],
    ] as const) {
      const sub = await w.subscribe(small.id, `last seconds ${name}`);
      const end = new Date(sub.currentPeriodEnd);
      await w.moveTo(new Date(end.getTime() - 3_600_000));
      const asked = await read(sub.id);
      if (name === 'reset') await giveCredit(sub.customerId, 1);
      const { pendingChange } = (await patch(sub.id, { priceId: next.id })).body;
      expect(pendingChange.expiresAt).toBe(sub.currentPeriodEnd);
      const blockTime = new Date(end.getTime() - 5_000);
      const payment = { blockTime, signature: `last seconds ${name}`.replaceAll(' ', '') };
      await w.payInvoice(pendingChange.invoiceId, undefined, { ...payment, isFinal: false });
      await w.moveTo(new Date(end.getTime() + 60_000));
      expect(await read(sub.id)).toMatchObject({ status: 'past_due', priceId: small.id });
      await w.payInvoice(pendingChange.invoiceId, undefined, payment);
      expect(await read(sub.id)).toMatchObject({ status: 'active', priceId: next.id, pendingChange: null });
      expect((await readInvoice(w.shop, asked.latestInvoiceId)).status).toBe('void');
      await w.runDue();
      const again = await read(sub.id);
      expect(again.status).toBe(name === 'reset' ? 'active' : 'past_due');
      if (name === 'charged')
        expect((await readInvoice(w.shop, again.latestInvoiceId)).totalCents).toBe(2_000);
    }
    await expectSound(w.service);
  });

  test('a renewal paid meanwhile closes it: money for it is unapplied, and the prepaid period is kept', async () => {
    const sub = await w.subscribe(small.id, 'prepaid meanwhile');
    await w.moveTo(days(sub.currentPeriodEnd, -3));
    const asked = await read(sub.id);
    const { pendingChange } = (await patch(sub.id, { priceId: large.id })).body;
    await w.payInvoice(asked.latestInvoiceId);
    const prepaid = await read(sub.id);
    expect(prepaid.pendingChange).toBeNull();
    expect((await readInvoice(w.shop, pendingChange.invoiceId)).status).toBe('void');
    await w.payInvoice(pendingChange.invoiceId);
    expect(await read(sub.id)).toMatchObject({ priceId: small.id, accessUntil: prepaid.accessUntil });
    expect(await creditOf(sub.customerId)).toBeGreaterThanOrEqual(pendingChange.amountDueCents);
    await expectSound(w.service);
  });
});

describe('a change that costs nothing', () => {
  test('none: the new plan at once, also for a period that is prepaid; an unpaid renewal is requested again', async () => {
    const sub = await w.subscribe(small.id, 'none');
    await w.moveTo(days(sub.currentPeriodEnd, -3));
    const asked = await read(sub.id);
    const shown = await preview(sub.id, { priceId: large.id, prorationBehavior: 'none' });
    expect(shown.body).toMatchObject({ amountDueCents: 0, lines: [], nextInvoice: { amountCents: 2_000 } });
    expect((await patch(sub.id, { priceId: large.id, prorationBehavior: 'none' })).body.priceId).toBe(
      large.id,
    );
    expect((await readInvoice(w.shop, asked.latestInvoiceId)).status).toBe('void');
    await w.runDue();
    const again = await read(sub.id);
    expect((await readInvoice(w.shop, again.latestInvoiceId)).totalCents).toBe(2_000);
    await w.payInvoice(again.latestInvoiceId);
    expect((await patch(sub.id, { priceId: huge.id, prorationBehavior: 'none' })).body.priceId).toBe(huge.id);
    await w.moveTo(days(sub.currentPeriodEnd, 1));
    expect(await read(sub.id)).toMatchObject({ priceId: huge.id, currentPeriodStart: sub.currentPeriodEnd });
    await expectSound(w.service);
  });

  test('a token brings along how its preview was to be billed', async () => {
    const sub = await w.subscribe(small.id, 'as previewed');
    const shown = await preview(sub.id, { priceId: large.id, prorationBehavior: 'none' });
    const { previewToken } = shown.body;
    const { status, body } = await patch(sub.id, { priceId: large.id, previewToken });
    expect([status, body]).toMatchObject([200, { priceId: large.id, pendingChange: null }]);
  });

  test('prepaid: next_period means after it, charge_now and reset are 409', async () => {
    const sub = await w.subscribe(large.id, 'prepaid');
    await w.moveTo(days(sub.currentPeriodEnd, -3));
    await w.payInvoice((await read(sub.id)).latestInvoiceId);
    const { accessUntil } = await read(sub.id);
    for (const body of [{ priceId: huge.id }, { priceId: weekly.id }]) {
      const answer = await patch(sub.id, body);
      expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
    }
    const later = await patch(sub.id, { priceId: small.id });
    expect(later.body.pendingChange).toMatchObject({
      effectiveAt: accessUntil,
      prorationBehavior: 'next_period',
    });
    await w.moveTo(days(sub.currentPeriodEnd, 1));
    expect((await read(sub.id)).priceId).toBe(large.id);
    await w.moveTo(days(accessUntil, -1));
    const asked = await read(sub.id);
    expect((await readInvoice(w.shop, asked.latestInvoiceId)).totalCents).toBe(1_000);
    await w.payInvoice(asked.latestInvoiceId);
    expect((await read(sub.id)).pendingChange).toMatchObject({ priceId: small.id, effectiveAt: accessUntil });
    await w.moveTo(days(accessUntil, 1));
    expect(await read(sub.id)).toMatchObject({ priceId: small.id, pendingChange: null });
    await expectSound(w.service);
  });

  test('reset worth less than what is left: a new period at once, the rest as account credit', async () => {
    const sub = await w.subscribe(huge.id, 'surplus');
    const shown = (await preview(sub.id, { priceId: weekly.id })).body;
    const { previewToken } = shown;
    const after = (await patch(sub.id, { priceId: weekly.id, previewToken })).body;
    expect(after).toMatchObject({ priceId: weekly.id, currentPeriodStart: shown.prorationDate });
    expect(await creditOf(sub.customerId)).toBe(shown.creditCents - shown.chargeCents);
    const invoices = await invoicesOf(w.shop, sub.id);
    expect(invoices.at(-1)).toMatchObject({ totalCents: 0, status: 'paid', checkoutSessionId: null });
    await expectSound(w.service);
  });
});
