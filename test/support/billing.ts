import { type Address, address } from '@solana/kit';
import { expect } from 'vitest';
import { watchKeeper } from '../../src/chain/solana/watched-account.ts';
import { invariants } from '../../src/operations/doctor/doctor.ts';
import { dueWork, runDueWork } from '../../src/operations/due-work/run-due-work.ts';
import { checkInvariants } from '../../src/platform/db/invariant.ts';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import type { TestChain } from './chain.ts';
import type { TestMerchant, TestService } from './service.ts';
import { expectTold } from './told.ts';
import { arrive, MINT, type TransferOptions } from './transfers.ts';
import { type Payment, pay } from './wallet.ts';

type Fields = Record<string, unknown>;

/** A create that must work; answers what was made. */
async function create(shop: TestMerchant, path: string, body: Fields) {
  const answer = await shop.call('POST', `/api/v2${path}`, body);
  expect([path, answer.status, answer.text]).toEqual([path, 201, answer.text]);
  return answer.body;
}

export const newProject = (shop: TestMerchant, fields: Fields = {}) =>
  create(shop, '/projects', { name: 'Project', ...fields });
export const newCustomer = (shop: TestMerchant, projectId: string, fields: Fields = {}) =>
  create(shop, '/customers', { projectId, ...fields });
export const newSession = (shop: TestMerchant, projectId: string, fields: Fields = {}) =>
  create(shop, '/checkout-sessions', {
    projectId,
    mode: 'one_time',
    ...(fields.priceId ? {} : { amountCents: 500 }),
    ...fields,
  });

/** A price with a product of its own. */
export async function newPrice(shop: TestMerchant, projectId: string, fields: Fields = {}) {
  const product = await create(shop, '/products', { projectId, name: 'Coffee' });
  return create(shop, '/prices', {
    projectId,
    productId: product.id,
    unitAmountCents: 500,
    billingMode: 'one_time',
    ...fields,
  });
}

export const newTopUp = (shop: TestMerchant, projectId: string, fields: Fields = {}) =>
  newPrice(shop, projectId, { billingMode: 'balance_top_up', creditAmount: 1000, ...fields });

export const newLink = (shop: TestMerchant, projectId: string, fields: Fields = {}) =>
  create(shop, '/payment-links/setup', {
    projectId,
    productName: 'Course',
    billingMode: 'one_time',
    unitAmountCents: 500,
    ...fields,
  });

export const readSession = async (shop: TestMerchant, id: string) =>
  (await shop.call('GET', `/api/v2/checkout-sessions/${id}`)).body;
export const readInvoice = async (shop: TestMerchant, id: string) =>
  (await shop.call('GET', `/api/v2/invoices/${id}`)).body;
export const readCustomer = async (shop: TestMerchant, id: string) =>
  (await shop.call('GET', `/api/v2/customers/${id}`)).body;

/** The reference a payment of a session must carry. */
export async function referenceOf(
  shop: TestMerchant,
  session: { paymentIntentId: string },
): Promise<Address> {
  const { body } = await shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
  return address(body.referenceAddress);
}

/** Pays a session on chain, exactly unless told otherwise. */
export async function paySession(
  t: TestChain,
  session: { paymentIntentId: string; amountCents: number },
  cents: number = session.amountCents,
  more: Partial<Payment> = {},
) {
  return pay({
    rpcUrl: t.chain.rpcUrl,
    from: t.customer.signer,
    destinationOwner: t.merchant.address,
    amountBaseUnits: centsToBaseUnits(BigInt(cents)),
    references: [await referenceOf(t.shop, session)],
    ...more,
  });
}

/** Everything told about a merchant's things so far, oldest first. */
export async function listEvents(service: TestService, merchantId: string) {
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into events freely.
  const rows = await service.db.query<{ event: string; orderingKey: string; body: any }>(
    'select event, ordering_key as "orderingKey", body::json as body from events where merchant_id = $1 order by ordinal',
    [merchantId],
  );
  return rows;
}

export const eventNames = async (service: TestService, merchantId: string, orderingKey?: string) =>
  (await listEvents(service, merchantId))
    .filter((event) => orderingKey === undefined || event.orderingKey === orderingKey)
    .map(({ event }) => event);

export async function expectSound(service: TestService): Promise<void> {
  const broken = (await checkInvariants(service.db, invariants)).filter(
    (result) => result.violations.length > 0,
  );
  expect(broken).toEqual([]);
  await expectTold(service);
}

export const newPlan = (shop: TestMerchant, projectId: string, fields: Fields = {}) =>
  newPrice(shop, projectId, {
    billingMode: 'subscription',
    unitAmountCents: 1000,
    recurringInterval: 'month',
    ...fields,
  });

export const readSubscription = async (shop: TestMerchant, id: string) =>
  (await shop.call('GET', `/api/v2/subscriptions/${id}`)).body;

/** Moves the sandbox's time; everything that becomes due on the way has run when it answers. */
export async function moveTo(t: TestChain, to: Date): Promise<void> {
  const answer = await t.shop.call('POST', '/api/v2/sandbox/clock', { to: to.toISOString() });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
}

/** The session behind an invoice, as it is now. */
export async function sessionOfInvoice(shop: TestMerchant, invoiceId: string) {
  const invoice = await readInvoice(shop, invoiceId);
  return readSession(shop, invoice.checkoutSessionId);
}

/** A subscription whose first period is paid. */
export async function subscribe(
  t: TestChain,
  projectId: string,
  priceId: string,
  externalCustomerId: string,
) {
  const session = await newSession(t.shop, projectId, { mode: 'subscription', priceId, externalCustomerId });
  await paySession(t, session);
  await t.finalize();
  return readSubscription(t.shop, session.subscriptionId);
}

/** Money for a session, straight to settlement: the merchant must be paid to PAYOUT. */
export async function bring(
  service: TestService,
  shop: TestMerchant,
  session: { paymentIntentId: string },
  cents: number | bigint,
  more: TransferOptions = {},
): Promise<string> {
  const references = [await referenceOf(shop, session)];
  return arrive(service, shop.id, { references, baseUnits: centsToBaseUnits(BigInt(cents)), ...more });
}

/** Moves the service's time forward; where told, the chain counts as read up to it. */
export async function advance(
  service: TestService,
  days: number,
  { isRead = true }: { isRead?: boolean } = {},
): Promise<void> {
  service.clock.setOffsetMs(service.clock.now().getTime() - Date.now() + days * DAY_MS);
  if (isRead) await readPast(service, service.clock.now());
}

/** Pretends that the watcher has read every account's history up to `time`. */
export async function readPast(service: TestService, time: Date): Promise<void> {
  await service.db.query('update watched_accounts set read_through = $1', [time]);
}

/** Runs all that the time has made due but renewals, so that what earlier tests subscribed to stays as it is. */
export async function runDue(service: TestService): Promise<void> {
  const { db, clock } = service;
  const parts = {
    db,
    log: createLog('silent'),
    ensureWatched: watchKeeper(db, clock, MINT),
    mint: MINT,
    publicUrl: () => 'http://127.0.0.1',
  };
  const work = dueWork.filter(({ name }) => name !== 'renew subscriptions');
  await runDueWork(parts, clock.now(), work);
}
