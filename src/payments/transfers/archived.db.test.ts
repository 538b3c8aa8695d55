import { beforeAll, expect, test } from 'vitest';
import {
  bring,
  expectSound,
  newLink,
  newPlan,
  newProject,
  newSession,
  readCustomer,
  readInvoice,
  readSession,
  readSubscription,
  sessionOfInvoice,
} from '../../../test/support/billing.ts';
import { call } from '../../../test/support/service.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

/** An archived project accepts nothing new and asks for nothing. */
let w: SubscriptionWorld;

beforeAll(async () => {
  w = await subscriptionWorld();
});

const archive = async (projectId: string) =>
  (await w.shop.call('DELETE', `/api/v2/projects/${projectId}`)).status;
const exceptionsOf = async (txSignature: string) =>
  (await w.shop.call('GET', `/api/v2/exceptions?txSignature=${txSignature}`)).body.data;
const customersOf = async (projectId: string) =>
  (await w.shop.call('GET', `/api/v2/customers?projectId=${projectId}`)).body.data;
const pageOf = async ({ checkoutUrl }: { checkoutUrl: string }) =>
  (await fetch(w.service.url + new URL(checkoutUrl).pathname)).text();

/** A stranger's open checkout for a subscription. */
async function ofLink() {
  const projectId: string = (await newProject(w.shop)).id;
  const { paymentLink } = await newLink(w.shop, projectId, {
    billingMode: 'subscription',
    recurringInterval: 'month',
  });
  const path = `/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
  const { body } = await call(w.service.url + path, 'POST', { customerEmail: 'b@example.com' });
  return { projectId, session: await readSession(w.shop, body.sessionId) };
}

/** A subscription that ended unpaid, and the renewal that could still be paid late. */
async function ended() {
  const projectId: string = (await newProject(w.shop)).id;
  const plan = await newPlan(w.shop, projectId);
  const fields = { mode: 'subscription', priceId: plan.id, externalCustomerId: 'ada' };
  const first = await newSession(w.shop, projectId, fields);
  await w.payInvoice(first.invoiceId);
  const { currentPeriodEnd } = await readSubscription(w.shop, first.subscriptionId);
  await w.moveTo(days(currentPeriodEnd, 10));
  const subscription = await readSubscription(w.shop, first.subscriptionId);
  expect(subscription.status).toBe('canceled');
  return { projectId, subscription, renewal: await sessionOfInvoice(w.shop, subscription.latestInvoiceId) };
}

test('open checkouts of strangers are canceled; money that comes anyway is listed and begins nothing', async () => {
  const { projectId, session } = await ofLink();
  expect(await archive(projectId)).toBe(204);
  await w.runDue();
  expect(await readSession(w.shop, session.id)).toMatchObject({
    status: 'canceled',
    paymentStatus: 'unpaid',
  });
  const signature = await bring(w.service, w.shop, session, 500);
  expect(await exceptionsOf(signature)).toMatchObject([
    { kind: 'canceled', status: 'open', amountCents: 500 },
  ]);
  expect(await customersOf(projectId)).toEqual([]);
  await expectSound(w.service);
});

test('a checkout whose only attempt failed on chain is canceled too', async () => {
  const { projectId, session } = await ofLink();
  await bring(w.service, w.shop, session, 0, { hasFailed: true });
  const intent = async () =>
    (await w.shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`)).body;
  expect((await intent()).status).toBe('failed');
  expect(await archive(projectId)).toBe(204);
  await w.runDue();
  expect((await readSession(w.shop, session.id)).status).toBe('canceled');
  expect((await intent()).status).toBe('canceled');
});

test('a page says at once that it is closed', async () => {
  const { projectId, session } = await ofLink();
  expect(await pageOf(session)).toMatch(/solana:/);
  await archive(projectId);
  expect(await pageOf(session)).not.toMatch(/solana:/);
  expect((await readSession(w.shop, session.id)).status).toBe('canceled');
});

test('money that is faster than that is refused as well', async () => {
  const { projectId, session } = await ofLink();
  await archive(projectId);
  const signature = await bring(w.service, w.shop, session, 500);
  await w.runDue();
  expect((await readSession(w.shop, session.id)).status).toBe('canceled');
  expect(await exceptionsOf(signature)).toMatchObject([{ status: 'open', amountCents: 500 }]);
  const { body } = await w.shop.call('GET', `/api/v2/subscriptions?projectId=${projectId}`);
  expect(body.data.filter(({ hasAccess }: { hasAccess: boolean }) => hasAccess)).toEqual([]);
  await expectSound(w.service);
});

test('409 PROJECT_NOT_EMPTY while money of a stranger is on its way', async () => {
  const { projectId, session } = await ofLink();
  await bring(w.service, w.shop, session, 500, { isFinal: false });
  expect(await archive(projectId)).toBe(409);
});

test.each([
  ['a moment later', true],
  ['at once', false],
])('an ended subscription does not return by a late renewal, paid %s', async (_, isLater) => {
  const { projectId, subscription, renewal } = await ended();
  expect(await archive(projectId)).toBe(204);
  if (isLater) await w.runDue();
  const signature = await bring(w.service, w.shop, renewal, renewal.amountCents);
  await w.runDue();
  const after = await readSubscription(w.shop, subscription.id);
  expect(after).toMatchObject({ status: 'canceled', hasAccess: false, renewalCheckoutUrl: null });
  expect((await readInvoice(w.shop, renewal.invoiceId)).status).toBe('void');
  expect((await readCustomer(w.shop, subscription.customerId)).accountCreditCents).toBe(1000);
  expect(await exceptionsOf(signature)).toMatchObject([{ status: 'open', amountCents: 1000 }]);
  await expectSound(w.service);
});

test('a late renewal paid in part: 409 to accept it as paid, and the part is listed', async () => {
  const { projectId, renewal } = await ended();
  const signature = await bring(w.service, w.shop, renewal, 400);
  expect(await archive(projectId)).toBe(204);
  const accepted = await w.shop.call('POST', `/api/merchants/intents/${renewal.paymentIntentId}/accept`);
  expect([accepted.status, accepted.body.error?.message]).toEqual([409, 'Its project is archived.']);
  await w.runDue();
  expect(await exceptionsOf(signature)).toMatchObject([{ kind: 'stray', amountCents: 400 }]);
  await expectSound(w.service);
});

test('409 for a change of plan, whatever state the project was left in', async () => {
  const projectId: string = (await newProject(w.shop)).id;
  const [plan, dear] = [await newPlan(w.shop, projectId), await newPlan(w.shop, projectId)];
  const fields = { mode: 'subscription', priceId: plan.id, externalCustomerId: 'eve' };
  const session = await newSession(w.shop, projectId, fields);
  await w.payInvoice(session.invoiceId);
  await w.service.db.query('update projects set archived_at = now() where id = $1', [projectId]);
  const change = await w.shop.call('PATCH', `/api/v2/subscriptions/${session.subscriptionId}`, {
    priceId: dear.id,
  });
  expect([change.status, change.body.error.message]).toEqual([409, 'This project is archived.']);
});
