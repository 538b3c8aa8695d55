import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { expectSound, newCustomer, newPrice, newProject, newSession } from '../../../test/support/billing.ts';
import type { TestChain } from '../../../test/support/chain.ts';
import { png } from '../../../test/support/images.ts';
import { startMailServer } from '../../../test/support/mail.ts';
import { newMember, newOwner, signInAs } from '../../../test/support/members.ts';
import { at, close, exported, imported, NEW_URL, twoInstallations } from '../../../test/support/moving.ts';
import { logIn, newLinkToken, visit } from '../../../test/support/portal.ts';
import { paidSession } from '../../../test/support/refund-journey.ts';
import { newRefund, paidIntent, readRefund, sendRefund } from '../../../test/support/refunds.ts';
import { call, type TestMerchant } from '../../../test/support/service.ts';
import { pairedTill } from '../../../test/support/till.ts';
import { dispatchAll, eventually, startReceiver, startWorker } from '../../../test/support/webhooks.ts';
import { createMailer } from '../../email/mailer.ts';
import { sendDueEmails } from '../../email/send-due-emails.ts';
import { DAY_MS, realNow } from '../../platform/lib/clock.ts';
import { createLog } from '../../platform/lib/log.ts';

let source: TestChain;
let target: TestChain;
/** The target, with the merchant that has moved there. */
let there: TestChain;
let shop: TestMerchant;
let had: Awaited<ReturnType<typeof prepare>>;

beforeAll(async () => {
  ({ source, target } = await twoInstallations());
  had = await prepare();
  await close(source);
  await imported(target, await exported(source));
  shop = at(target, source.shop);
  there = { ...target, shop, merchant: source.merchant };
});

async function prepare() {
  const { service, shop: old } = source;
  const settings = { usageCredits: { calls: 2 } };
  const { id: projectId } = await newProject(old, { settings });
  const ada = await newCustomer(old, projectId, { externalCustomerId: 'ada', email: 'ada@example.com' });
  return {
    ...{ projectId, customerId: ada.id as string },
    ...(await prepareShop(projectId, ada.id)),
    ...(await prepareRefunds(projectId)),
    till: await pairedTill(service, old),
    linkToken: await newLinkToken(old, projectId, ada.id),
    visitor: await visit(service, old, projectId, ada.id),
    ...(await prepareMembers()),
    ...(await prepareIntegration()),
  };
}

/** A code with one redemption left, a paywall, a logo, and credits that are being used. */
async function prepareShop(projectId: string, customerId: string) {
  const { shop: old } = source;
  const limited = { projectId, name: 'Sale', percentOff: 10, maxRedemptions: 2 };
  const { body: discount } = await old.call('POST', '/api/v2/discounts', limited);
  await old.call('POST', '/api/v2/promotion-codes', { discountId: discount.id, code: 'LESS' });
  await newSession(old, projectId, { promotionCode: 'LESS' });
  const { id: priceId } = await newPrice(old, projectId);
  const wall = { projectId, priceId, description: 'An article' };
  const { body: paywall } = await old.call('POST', '/api/v2/x402/paywalls', wall);
  const { body: brand } = await old.call('PUT', '/api/b2b/merchants/brand/logo', png());
  const credits = { deltaCredits: 100, reason: 'a gift' };
  await old.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, credits);
  const usage = { projectId, customerId, metric: 'calls', quantity: 5, idempotencyKey: randomUUID() };
  expect((await old.call('POST', '/api/v2/usage', usage)).status).toBe(200);
  return { discountId: discount.id, paywallPath: new URL(paywall.url).pathname, brand, usage };
}

/** One that waits for the customer's address, with its e-mail not sent yet, one to be sent, and one under way. */
async function prepareRefunds(projectId: string) {
  const [ready, sent] = [await paidIntent(source), await paidIntent(source)];
  const { paymentIntentId } = await paidSession(source, projectId, { externalCustomerId: 'ada' });
  source.service.db.queuesEmails = true;
  const waiting = await newRefund(source, { paymentIntentId });
  source.service.db.queuesEmails = false;
  const { address } = source.customer;
  const refunds = {
    waiting,
    ready: await newRefund(source, { paymentIntentId: ready.id, address }),
    sent: await newRefund(source, { paymentIntentId: sent.id, address }),
  };
  await sendRefund(source, refunds.sent);
  source.chain.advanceSlots(3);
  await source.look();
  expect((await readRefund(source, refunds.sent)).status).toBe('processing');
  return { refunds };
}

async function prepareMembers() {
  const owner = await newOwner(source.service, source.shop);
  const viewer = await newMember(source.service, owner, 'viewer');
  const view = { list: 'invoices', name: 'Late', query: 'status=open', isShared: true };
  expect((await owner.call('POST', '/api/dashboard/saved-views', view)).status).toBe(201);
  return { owner, viewer };
}

/** An answer to be repeated, a request in the log, and an endpoint that failed. */
async function prepareIntegration() {
  const { shop: old, service } = source;
  const key = { 'idempotency-key': randomUUID() };
  const order = { amountCents: 700, orderId: 'once' };
  const created = await old.call('POST', '/api/merchants/intents', order, key);
  const requestId = created.headers.get('x-request-id')!;
  await eventually(async () => (await old.call('GET', `/api/v2/request-logs/${requestId}`)).status === 200);
  const receiver = await startReceiver((response, { headers }) =>
    response.writeHead(headers['x-service-attempt'] === '1' ? 500 : 200).end(),
  );
  // The new endpoint must not get earlier events.
  await dispatchAll(service.db);
  const url = { url: receiver.url, eventTypes: ['customer.created'] };
  expect((await old.call('POST', '/api/v2/webhook-endpoints', url)).status).toBe(201);
  await newCustomer(old, (await newProject(old)).id);
  await dispatchAll(service.db);
  const worker = startWorker(service);
  await eventually(() => receiver.received.length === 1);
  await worker.stop();
  return { key, order, created, requestId, receiver };
}

test('refunds: a link opens, one is sent from there, and one that was under way arrives', async () => {
  const { waiting, ready, sent } = had.refunds;
  await target.finalize();
  expect((await readRefund(there, sent)).status).toBe('succeeded');
  await sendRefund(there, ready);
  await target.finalize();
  expect((await readRefund(there, ready)).status).toBe('succeeded');

  const server = await startMailServer();
  const mailer = createMailer(server.settings, { name: '', address: 'billing@florin.example' });
  const { db, secrets } = target.service;
  await sendDueEmails({ db, secrets, mailer, publicUrl: () => NEW_URL, log: createLog('silent') });
  const [asked] = server.received;
  const [link, path] = /(?<=\s)http\S+(\/refunds\/\S+)/.exec(asked!.text)!;
  expect([asked!.to, link]).toEqual([['ada@example.com'], NEW_URL + path]);
  const { body } = await call(`${target.service.url}/api/public${path}`, 'GET');
  expect(body.number).toBe(waiting.number);
});

test('the till sells, and the customer is in their portal, by the link and by the visit they had', async () => {
  const { till, visitor, linkToken } = had;
  const url = target.service.url;
  const { cookie } = till;
  const { body } = await call(`${url}/api/till`, 'GET', undefined, { cookie });
  const headers = { cookie, 'x-csrf-token': body.csrfToken };
  const sale = await call(`${url}/api/till/sales`, 'POST', { amountCents: 300 }, headers);
  expect([sale.status, sale.text]).toEqual([201, sale.text]);

  const seen = await call(`${url}/api/portal/refunds`, 'GET', undefined, { cookie: visitor.cookie });
  expect(seen.status).toBe(200);
  const login = await logIn(target.service, linkToken);
  expect([login.status, login.text]).toEqual([200, login.text]);
});

test('what is sold: the code counts on, the paywall asks for money, credits are spent, the logo is shown', async () => {
  const { projectId, usage, discountId, customerId } = had;
  await newSession(shop, projectId, { promotionCode: 'LESS' });
  const code = { projectId, mode: 'one_time', amountCents: 500, promotionCode: 'LESS' };
  expect((await shop.call('POST', '/api/v2/checkout-sessions', code)).status).toBe(409);
  expect((await shop.call('GET', `/api/v2/discounts/${discountId}`)).body.redemptionsCount).toBe(2);

  const offer = await fetch(target.service.url + had.paywallPath, {
    headers: { accept: 'application/json' },
  });
  expect([offer.status, JSON.stringify(await offer.json())]).toEqual([
    402,
    expect.stringContaining('An article'),
  ]);

  const credits = async () => (await shop.call('GET', `/api/v2/customers/${customerId}`)).body.creditBalance;
  expect((await shop.call('POST', '/api/v2/usage', usage)).status).toBe(200);
  expect(await credits()).toBe(90);
  await shop.call('POST', '/api/v2/usage', { ...usage, idempotencyKey: randomUUID() });
  expect(await credits()).toBe(80);

  const logo = await fetch(target.service.url + new URL(had.brand.logoUrl).pathname);
  expect(Buffer.from(await logo.arrayBuffer())).toEqual(png());
});

test('members sign in with their password, their roles and the views they shared', async () => {
  const { owner, viewer } = had;
  const entered = await signInAs(target.service, viewer.email);
  expect([entered.status, entered.body.member?.role]).toEqual([200, 'viewer']);
  expect((await signInAs(target.service, owner.email)).body.member.role).toBe('owner');
  const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!;
  const views = await call(`${target.service.url}/api/dashboard/saved-views`, 'GET', undefined, { cookie });
  expect(views.body).toMatchObject([{ name: 'Late', isShared: true, isOwn: false }]);
});

test('programs: a repeated request gets its old answer, the log is kept, and a failed webhook is tried again', async () => {
  const { key, order, created, requestId, receiver } = had;
  const again = await shop.call('POST', '/api/merchants/intents', order, key);
  expect([again.status, again.text]).toEqual([created.status, created.text]);
  const other = await shop.call('POST', '/api/merchants/intents', { ...order, amountCents: 1 }, key);
  expect(other.status).toBe(409);
  expect((await shop.call('GET', `/api/v2/request-logs/${requestId}`)).status).toBe(200);

  startWorker(target.service, { now: () => new Date(realNow().getTime() + DAY_MS) });
  await eventually(() => receiver.received.length === 2);
  const [first, second] = receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]);
  expect(second).toEqual(first);
  await expectSound(target.service);
});
