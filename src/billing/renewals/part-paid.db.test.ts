import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newPlan,
  readCustomer,
  readInvoice,
  readSubscription,
} from '../../../test/support/billing.ts';
import { visit } from '../../../test/support/portal.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { MINT } from '../../../test/support/transfers.ts';
import { postUnappliedParts } from '../../payments/transfers/post-unapplied-parts.ts';
import { runDueRenewals } from './run-due-renewals.ts';

let w: SubscriptionWorld;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let plan: any, pricier: any, priciest: any;

beforeAll(async () => {
  w = await subscriptionWorld();
  plan = await newPlan(w.shop, w.projectId);
  pricier = await newPlan(w.shop, w.projectId, { unitAmountCents: 3_000 });
  priciest = await newPlan(w.shop, w.projectId, { unitAmountCents: 6_000 });
});

const read = (id: string) => readSubscription(w.shop, id);
const patch = (id: string, body: object) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, body);
const cancel = (id: string) => w.shop.call('POST', `/api/v2/subscriptions/${id}/cancel`, {});
const runScheduler = () => runDueRenewals(w.parts, w.service.clock.now());
const postMoney = () => postUnappliedParts(w.service.db, MINT, w.service.clock.now());

/** A subscription whose open renewal of 10.00 has received 4.00. */
async function partPaid(name: string, more: { isFinal?: boolean } = {}) {
  const sub = await w.subscribe(plan.id, name);
  await w.moveTo(days(sub.currentPeriodEnd, -2));
  return payPart(sub, more);
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
async function payPart(sub: any, more: { isFinal?: boolean } = {}) {
  const { latestInvoiceId: invoiceId } = await read(sub.id);
  const signature = await w.payInvoice(invoiceId, 400, more);
  return { sub, invoiceId, signature };
}

/** The renewal is withdrawn and wanted again. */
async function reopen(id: string) {
  await cancel(id);
  expect((await patch(id, { cancelAtPeriodEnd: false })).status).toBe(200);
}

async function expectRestAsked(id: string, before: string, rest: number) {
  const { latestInvoiceId, renewalCheckoutUrl } = await read(id);
  expect(latestInvoiceId).not.toBe(before);
  expect(renewalCheckoutUrl).toMatch(/cs_/);
  expect(await readInvoice(w.shop, latestInvoiceId)).toMatchObject({
    status: 'open',
    creditAppliedCents: 400,
    totalCents: rest,
    amountDueCents: rest,
  });
  return latestInvoiceId;
}

test('a renewal paid in part and reopened waits for that part, and asks only for the rest', async () => {
  const { sub, invoiceId } = await partPaid('one by one');
  await reopen(sub.id);
  await runScheduler();
  expect(await read(sub.id)).toMatchObject({ latestInvoiceId: invoiceId, renewalCheckoutUrl: null });
  await postMoney();
  await runScheduler();
  const rest = await expectRestAsked(sub.id, invoiceId, 600);
  await w.payInvoice(rest);
  expect(await read(sub.id)).toMatchObject({ status: 'active', renewalCheckoutUrl: null });
  expect((await readInvoice(w.shop, rest)).status).toBe('paid');
  expect((await readCustomer(w.shop, sub.customerId)).accountCreditCents).toBe(0);
  await expectSound(w.service);
});

test('many are opened together: those with a part to settle wait, the others do not', async () => {
  const subs = [];
  for (const name of ['batch 1', 'batch 2', 'batch 3']) subs.push(await w.subscribe(plan.id, name));
  await w.moveTo(days(subs[0].currentPeriodEnd, -2));
  const [one, other] = [await payPart(subs[0]), await payPart(subs[1])];
  const unpaid = (await read(subs[2].id)).latestInvoiceId;
  for (const { id } of subs) await reopen(id);
  await runScheduler();
  expect((await read(subs[2].id)).latestInvoiceId).not.toBe(unpaid);
  for (const { sub, invoiceId } of [one, other]) expect((await read(sub.id)).latestInvoiceId).toBe(invoiceId);
  await postMoney();
  await runScheduler();
  for (const { sub, invoiceId } of [one, other]) await expectRestAsked(sub.id, invoiceId, 600);
  await expectSound(w.service);
});

test('a part that is seen and not final yet is waited for too', async () => {
  const seen = await partPaid('seen', { isFinal: false });
  await reopen(seen.sub.id);
  await runScheduler();
  await postMoney();
  await runScheduler();
  expect((await read(seen.sub.id)).latestInvoiceId).toBe(seen.invoiceId);
  await w.payInvoice(seen.invoiceId, 400, { signature: seen.signature });
  await postMoney();
  await runScheduler();
  await expectRestAsked(seen.sub.id, seen.invoiceId, 600);
  await expectSound(w.service);
});

test('409 for paying ahead and for another plan until the part is settled', async () => {
  const { sub } = await partPaid('in a hurry');
  await reopen(sub.id);
  const visitor = await visit(w.service, w.shop, w.projectId, sub.customerId);
  const ahead = await visitor.call('POST', `/subscriptions/${sub.id}/renew`);
  expect([ahead.status, ahead.body.error.code]).toEqual([409, 'INVALID_STATE']);
  const preview = `/api/v2/subscriptions/${sub.id}/preview-change`;
  for (const answer of [
    await patch(sub.id, { priceId: pricier.id }),
    await w.shop.call('POST', preview, { priceId: pricier.id }),
  ]) {
    expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(answer.body.error.message).toBe('A payment is being settled; try again in a moment.');
  }
  await postMoney();
  const renewed = await visitor.call('POST', `/subscriptions/${sub.id}/renew`);
  expect(renewed.status).toBe(200);
  expect(await readInvoice(w.shop, (await read(sub.id)).latestInvoiceId)).toMatchObject({ totalCents: 600 });
  await expectSound(w.service);
});

test('409 for a newer plan while a part of the change that waits is paid; withdrawn, it is credit for the next', async () => {
  const sub = await w.subscribe(plan.id, 'part of a change');
  const { pendingChange } = (await patch(sub.id, { priceId: pricier.id })).body;
  await w.payInvoice(pendingChange.invoiceId, 300);
  const refused = await patch(sub.id, { priceId: priciest.id });
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'The pending change is partly paid; let the customer pay the rest, or withdraw the change first.',
  ]);
  expect((await read(sub.id)).pendingChange).toMatchObject({ invoiceId: pendingChange.invoiceId });
  await w.shop.call('DELETE', `/api/v2/subscriptions/${sub.id}/pending-change`);
  await postMoney();
  const next = (await patch(sub.id, { priceId: priciest.id })).body.pendingChange;
  expect(await readInvoice(w.shop, next.invoiceId)).toMatchObject({ creditAppliedCents: 300 });
  await expectSound(w.service);
});
