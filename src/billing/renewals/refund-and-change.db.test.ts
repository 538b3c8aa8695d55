import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { PAYOUT } from '../../../test/support/service.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { arrive, MINT } from '../../../test/support/transfers.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let [basic, pro]: any[] = [];

beforeAll(async () => {
  w = await subscriptionWorld();
  const thirty = { recurringInterval: 'day', recurringIntervalCount: 30 };
  basic = await newPlan(w.shop, w.projectId, { ...thirty, unitAmountCents: 3_000 });
  pro = await newPlan(w.shop, w.projectId, { ...thirty, unitAmountCents: 6_000 });
});

const read = (id: string) => readSubscription(w.shop, id);

async function refund(invoiceId: string, fields: object = {}) {
  const body = { invoiceId, reason: 'requested_by_customer', ...fields };
  const answer = await w.shop.call('POST', '/api/v2/refunds', body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

/** A subscription half-way through its period, with an upgrade that waits for its money. */
async function upgrading(externalCustomerId: string) {
  const sub = await w.subscribe(basic.id, externalCustomerId);
  await w.moveTo(days(sub.currentPeriodStart, 15));
  const { status, body, text } = await w.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, {
    priceId: pro.id,
  });
  expect([status, text]).toEqual([200, text]);
  return { sub, change: body.pendingChange };
}

test('a refund of the old plan withdraws an upgrade that counts on the money', async () => {
  const { sub, change } = await upgrading('refunded meanwhile');
  await refund(sub.latestInvoiceId);
  expect(await read(sub.id)).toMatchObject({ priceId: basic.id, pendingChange: null });
  expect((await readInvoice(w.shop, change.invoiceId)).status).toBe('void');
  await w.payInvoice(change.invoiceId);
  await w.runDue();
  expect((await read(sub.id)).priceId).toBe(basic.id);
  await expectSound(w.service);
});

test('so it does with one that is partly paid: what came, and what still comes, becomes account credit', async () => {
  const { sub, change } = await upgrading('partly paid');
  await w.payInvoice(change.invoiceId, 1_000);
  await refund(sub.latestInvoiceId, { amountCents: 100 });
  await w.runDue();
  expect(await read(sub.id)).toMatchObject({ priceId: basic.id, pendingChange: null });
  expect((await readInvoice(w.shop, change.invoiceId)).status).toBe('void');
  await w.payInvoice(change.invoiceId, 500);
  await w.runDue();
  expect((await readCustomer(w.shop, sub.customerId)).accountCreditCents).toBe(1_500);
  await expectSound(w.service);
});

test('a refund of the plan before the one before is counted: a period that a change began was paid with its rest', async () => {
  const yearly = await newPlan(w.shop, w.projectId, { unitAmountCents: 1_000, recurringInterval: 'year' });
  const dear = await newPlan(w.shop, w.projectId, { unitAmountCents: 3_000, recurringInterval: 'year' });
  const sub = await w.subscribe(yearly.id, 'reset');
  await w.moveTo(days(sub.currentPeriodStart, 1));
  const reset = async (priceId: string) => {
    const prorationDate = (await read(sub.id)).currentPeriodStart;
    const body = { priceId, prorationBehavior: 'reset', prorationDate };
    const answer = await w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/preview-change`, body);
    return answer.body;
  };
  const { amountDueCents, previewToken } = await reset(dear.id);
  const { body } = await w.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, {
    ...{ priceId: dear.id, previewToken },
  });
  await w.payInvoice(body.pendingChange.invoiceId);
  expect(await reset(yearly.id)).toMatchObject({ creditCents: 3_000, accountCreditCents: 2_000 });
  await refund(sub.latestInvoiceId);
  expect(await reset(yearly.id)).toMatchObject({
    creditCents: amountDueCents,
    accountCreditCents: amountDueCents - 1_000,
  });
  await expectSound(w.service);
});

test('a refund of what was paid beyond the invoice leaves the upgrade alone', async () => {
  const { sub, change } = await upgrading('overpaid');
  await w.payInvoice(sub.latestInvoiceId, 700);
  const { data } = (await w.shop.call('GET', '/api/v2/exceptions?status=open')).body;
  const surplus = data.find(({ kind }: { kind: string }) => kind === 'surplus');
  await refund(sub.latestInvoiceId, { invoiceId: undefined, exceptionId: surplus.id });
  expect((await read(sub.id)).pendingChange.invoiceId).toBe(change.invoiceId);
  await w.payInvoice(change.invoiceId);
  expect((await read(sub.id)).priceId).toBe(pro.id);
});

/** Pays several invoices by one transaction, each with its own instruction. */
async function payTogether(invoiceIds: string[]) {
  const parts = await Promise.all(invoiceIds.map(referenceOf));
  const { payoutAddress } = (await w.shop.call('GET', '/api/merchants/me')).body;
  const destination = await associatedAccount(payoutAddress ?? PAYOUT, MINT);
  await arrive(w.service, w.shop.id, {
    references: parts.map(({ reference }) => reference),
    baseUnits: parts.reduce((sum, { units }) => sum + units, 0n),
    transfers: parts.map(({ reference, units }) => ({ destination, amount: units, accounts: [reference] })),
  });
  await w.runDue();
}

test.each([
  ['renewal', 1],
  ['upgrade', 7.5],
])(
  'one transaction pays a renewal and an upgrade, the %s requested first: one of them is bought, the other becomes credit',
  async (first, daysBefore) => {
    const sub = await w.subscribe(basic.id, `both, ${first} first`);
    await w.moveTo(days(sub.currentPeriodEnd, -daysBefore));
    const { body } = await w.shop.call('PATCH', `/api/v2/subscriptions/${sub.id}`, { priceId: pro.id });
    const changeId = body.pendingChange.invoiceId;
    if (daysBefore > 7) await w.moveTo(days(sub.currentPeriodEnd, -6.9));
    const renewalId = await renewalOf(sub.id);
    const isRenewed = first === 'renewal';
    const [bought, closed] = isRenewed ? [renewalId, changeId] : [changeId, renewalId];
    const left = await readInvoice(w.shop, closed);
    await payTogether([renewalId, changeId]);
    expect((await readInvoice(w.shop, bought)).status).toBe('paid');
    expect((await readInvoice(w.shop, closed)).status).toBe('void');
    expect(await read(sub.id)).toMatchObject({ priceId: isRenewed ? basic.id : pro.id, pendingChange: null });
    await w.runDue();
    const { accountCreditCents } = await readCustomer(w.shop, sub.customerId);
    const { creditAppliedCents } = await readInvoice(w.shop, (await renewalOf(sub.id)) ?? bought);
    const total = accountCreditCents + creditAppliedCents;
    expect(total, 'kept, or used for the renewal that was requested again').toBe(left.totalCents);
    await expectSound(w.service);
  },
);

async function renewalOf(subscriptionId: string): Promise<string> {
  const [row] = await w.service.db.query<{ id: string }>(
    'select renewal_invoice_id as id from subscriptions where id = $1',
    [subscriptionId],
  );
  return row!.id;
}

async function referenceOf(invoiceId: string) {
  const [row] = await w.service.db.query<{ reference: string; units: bigint }>(
    `select i.reference_address as reference, i.expected_amount_cents * 10000 as units from invoices v
       join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
       join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
      where v.id = $1`,
    [invoiceId],
  );
  return row!;
}
