import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newCustomer,
  newLink,
  newPlan,
  newProject,
  newSession,
  newTopUp,
  paySession,
  readInvoice,
  readSession,
  subscribe,
} from '../../test/support/billing.ts';
import { type TestChain, testChain } from '../../test/support/chain.ts';
import { png } from '../../test/support/images.ts';
import { newIntent, payIntent, readIntent } from '../../test/support/payments.ts';
import { newRefund, sendRefund } from '../../test/support/refunds.ts';
import { call, type TestMerchant, testService } from '../../test/support/service.ts';
import { pairedTill } from '../../test/support/till.ts';
import { createWallet } from '../../test/support/wallet.ts';
import { chainNodes } from '../chain/nodes/chain-node.ts';
import { USDC_MINTS } from '../chain/solana/network.ts';
import { createRpc } from '../chain/solana/rpc.ts';
import { reconcile } from '../payments/reconcile/reconcile.ts';
import { settleTransfer } from '../payments/transfers/settle-transfer.ts';
import { fetchTransaction } from '../payments/watcher/read-account.ts';
import { verifyAudit } from '../platform/audit/verify-audit.ts';
import { CATALOG_TABLES, HISTORY_TABLES } from './reset-queries.ts';

const PATH = '/api/v2/sandbox/reset';

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

const reset = (shop: TestMerchant, more: object = {}) =>
  shop.call('POST', PATH, { confirmMerchantId: shop.id, ...more });

/** Counts rows except requests, which are written down a moment after they were answered. */
async function countsOf(merchantId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesOfMerchants()) {
    if (table === 'request_logs') continue;
    const [row] = await t.service.db.query<{ count: number }>(
      `select count(*)::integer as count from ${table} where merchant_id = $1`,
      [merchantId],
    );
    counts[table] = row!.count;
  }
  return counts;
}

async function tablesOfMerchants(): Promise<string[]> {
  const rows = await t.service.db.query<{ name: string }>(
    `select table_name::text as name from information_schema.columns
      where table_schema = 'public' and column_name = 'merchant_id' order by table_name`,
  );
  return rows.map(({ name }) => name);
}

/** A bit of everything that can happen to a merchant. */
async function sellEverything() {
  const { shop } = t;
  const project = await newProject(shop, { name: randomUUID() });
  const plan = await newPlan(shop, project.id);
  const topUp = await newTopUp(shop, project.id);
  const link = await newLink(shop, project.id);
  const paid = await newSession(shop, project.id, { externalCustomerId: 'ada' });
  await paySession(t, paid);
  const vat = { projectId: project.id, name: 'VAT', percent: 19, country: 'DE' };
  expect((await shop.call('POST', '/api/v2/tax-rates', vat)).status).toBe(201);
  const sale = { projectId: project.id, name: 'Sale', percentOff: 25, maxRedemptions: 1 };
  const discount = (await shop.call('POST', '/api/v2/discounts', sale)).body;
  await newSession(shop, project.id, { externalCustomerId: 'ada', discountId: discount.id });
  const subscription = await subscribe(t, project.id, plan.id, 'grace');
  const tried = { mode: 'subscription', priceId: plan.id, externalCustomerId: 'ada', trialDays: 14 };
  await newSession(shop, project.id, tried);
  const credits = await newSession(shop, project.id, {
    mode: 'balance_top_up',
    priceId: topUp.id,
    externalCustomerId: 'ada',
  });
  await paySession(t, credits);
  const terminal = (await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Till' })).body;
  const atTill = await shop.call('POST', '/api/merchants/intents', {
    amountCents: 100,
    orderId: 'till',
    terminalId: terminal.id,
  });
  expect(atTill.status).toBe(200);
  const till = await pairedTill(t.service, shop, { terminalId: terminal.id, projectId: project.id });
  const { body: sold } = await till.call('POST', '/sales', { amountCents: 100 });
  const { body: due } = await shop.call('GET', `/api/merchants/intents/${sold.id}`);
  const atCounter = { id: sold.id, reference: due.referenceAddress };
  await payIntent(t, atCounter, { amountBaseUnits: 1_000_000n });
  // Fits nothing: an exception.
  await payIntent(t, await newIntent(shop), { references: [] });
  const { customerId } = await readSession(shop, paid.id);
  await shop.call('DELETE', `/api/v2/customers/${customerId}/credit-token`);
  await shop.call('POST', '/api/v2/usage', {
    projectId: project.id,
    customerId,
    metric: 'images',
    quantity: 3,
    idempotencyKey: randomUUID(),
  });
  await shop.call('POST', '/api/v2/portal-sessions', { projectId: project.id, customerId });
  await shop.call('POST', '/api/v2/notes', { customerId, text: 'Pays late' });
  const leaving = await newCustomer(shop, project.id, { name: 'Bea' });
  expect((await shop.call('DELETE', `/api/v2/customers/${leaving.id}`)).status).toBe(202);
  await t.finalize();
  expect((await till.call('POST', `/sales/${sold.id}/refund-request`, {})).status).toBe(201);
  const { body: unmatched } = await shop.call('GET', '/api/v2/exceptions?status=open&kind=unmatched');
  const credit = await shop.call('POST', `/api/v2/exceptions/${unmatched.data[0].id}/credit`, { customerId });
  expect([credit.status, credit.text]).toEqual([200, credit.text]);
  const { address } = await createWallet(t.chain);
  const refund = await newRefund(t, { invoiceId: paid.invoiceId, amountCents: 100, address });
  // Twice: an exception that another's address is named in.
  for (const _ of [1, 2]) await sendRefund(t, refund);
  await t.finalize();
  return { project, plan, link, terminal, paid, subscription };
}

async function expectAllWell(): Promise<void> {
  await expectSound(t.service);
  for await (const report of verifyAudit(t.service.db)) expect(report).toMatchObject({ faults: [] });
  const rpc = createRpc({ urls: [t.chain.rpcUrl], maxPerSecond: 100_000 });
  const report = await reconcile({ db: t.service.db, node: chainNodes(rpc)[0]!, mint: USDC_MINTS.sandbox });
  expect([report.differences, report.unreadable]).toEqual([[], []]);
}

/** Tables that a reset always keeps. */
const KEPT_TABLES = [
  'api_keys',
  'audit_entries',
  'audit_heads',
  'dashboard_sessions',
  'event_counters',
  'known_devices',
  'logos',
  'member_links',
  'members',
  'passkey_challenges',
  'passkeys',
  'payout_addresses',
  'payout_challenges',
  'payout_changes',
  'projects',
  'request_logs',
  'saved_views',
  'watched_accounts',
  'webhook_endpoints',
];

test('every table of a merchant is kept, part of the catalog, or deleted', async () => {
  expect([...HISTORY_TABLES, ...CATALOG_TABLES, ...KEPT_TABLES].sort()).toEqual(await tablesOfMerchants());
});

describe('POST /api/v2/sandbox/reset', () => {
  test('200: everything that happened is gone, what was set up stays, and everything can start over', async () => {
    const other = await t.service.createMerchant('Other');
    const otherProject = await newProject(other);
    await newSession(other, otherProject.id, { externalCustomerId: 'bob' });
    const othersBefore = await countsOf(other.id);
    const { project } = await sellEverything();
    await t.service.db.query(
      `insert into stuck_renewals (merchant_id, subscription_id, reason, since, retry_at)
       select merchant_id, id, 'too large', now(), now() from subscriptions where merchant_id = $1`,
      [t.shop.id],
    );
    await t.service.db.query(
      `insert into set_aside_work (merchant_id, work, item_id, reason, failures, since, retry_at)
       values ($1, 'expire intents', gen_random_uuid(), 'x', 1, now(), now())`,
      [t.shop.id],
    );
    await t.service.db.query(
      `insert into portal_sign_ins (merchant_id, id, project_id, email, language, created_at)
       values ($1, gen_random_uuid(), $2, 'ada@example.com', 'en', now())`,
      [t.shop.id, project.id],
    );
    await t.service.db.query(
      `insert into portal_email_changes (merchant_id, id, project_id, customer_id, email, is_by_email, token_hash,
                                         asked_from_hash, created_at, expires_at)
       select merchant_id, gen_random_uuid(), project_id, id, 'ada@example.com', false, sha256('a'), sha256('b'),
              now(), now() + interval '1 hour' from customers where merchant_id = $1 limit 1`,
      [t.shop.id],
    );
    await t.service.db.query(
      `insert into reserved_amounts (merchant_id, intent_id, destination, base_units, reserved_at)
       select merchant_id, id, destination_address, 10001, now() from payment_intents where merchant_id = $1 limit 1`,
      [t.shop.id],
    );
    const { nextCursor } = (await t.shop.call('GET', '/api/v2/events?after=latest')).body;
    const before = await countsOf(t.shop.id);
    for (const table of HISTORY_TABLES)
      if (
        ![
          'emails',
          'submitted_signatures',
          'payment_claims',
          'sponsored_transactions',
          'order_keys',
          'paywalls',
          'idempotency_keys',
          'webhook_deliveries',
          'project_months',
          'revenue_totals',
          'revenue_standings',
          'revenue_ranges',
        ].includes(table)
      )
        expect([table, before[table]! > 0]).toEqual([table, true]);

    const answer = await reset(t.shop);
    expect([answer.status, answer.body.deleted]).toMatchObject([
      200,
      { customers: 3, subscriptions: 2, exceptions: 2, terminals: 1 },
    ]);
    const after = await countsOf(t.shop.id);
    for (const table of [...HISTORY_TABLES, ...CATALOG_TABLES])
      expect([table, after[table]]).toEqual([table, 0]);
    for (const table of KEPT_TABLES)
      if (!/^(audit_|event_counters)/.test(table))
        expect([table, after[table]]).toEqual([table, before[table]]);
    expect(await countsOf(other.id)).toEqual(othersBefore);
    expect((await t.service.db.query('select from incoming_transfers')).length).toBe(0);
    await t.finalize();
    await t.rescan();
    expect((await t.shop.call('GET', '/api/v2/exceptions')).body.data).toEqual([]);
    const follow = await t.shop.call('GET', `/api/v2/events?after=${nextCursor}`);
    expect([follow.status, follow.body.data]).toEqual([200, []]);
    await expectAllWell();

    const again = await newSession(t.shop, project.id, { externalCustomerId: 'ada' });
    await paySession(t, again);
    await t.finalize();
    const session = await readSession(t.shop, again.id);
    expect(session.status).toBe('complete');
    expect((await readInvoice(t.shop, session.invoiceId)).number).toMatch(/0*1$/);
    await expectAllWell();
  });

  test('200 and audited: who, when, and how much went', async () => {
    const { body } = await reset(t.shop);
    const [entry] = await t.service.db.query<{ actor: string; action: string; detail: object }>(
      `select actor, action, detail from audit_entries where merchant_id = $1 order by sequence desc limit 1`,
      [t.shop.id],
    );
    expect(entry).toMatchObject({ action: 'sandbox.reset', detail: { keepCatalog: false } });
    expect(entry!.actor).toMatch(/^key:/);
    expect(Date.parse(body.resetAt)).toBeLessThanOrEqual(t.service.clock.now().getTime());
  });

  test('200 with keepCatalog: products, prices, links and terminals stay and work', async () => {
    const { project, plan, link, terminal } = await sellEverything();
    const url = `/api/v2/products/${plan.productId}/image`;
    await t.shop.call('PUT', url, png(), { 'content-type': 'image/png' });
    const before = await countsOf(t.shop.id);
    expect((await reset(t.shop, { keepCatalog: true })).status).toBe(200);
    expect((await countsOf(t.shop.id)).logos).toBe(1);
    const after = await countsOf(t.shop.id);
    for (const table of CATALOG_TABLES) expect([table, after[table]]).toEqual([table, before[table]]);
    for (const table of HISTORY_TABLES) expect([table, after[table]]).toEqual([table, 0]);
    await expectAllWell();
    await subscribe(t, project.id, plan.id, 'grace');
    expect((await t.shop.call('GET', `/api/v2/payment-links/${link.paymentLink.id}`)).status).toBe(200);
    const intent = { amountCents: 100, orderId: 'till', terminalId: terminal.id };
    expect((await t.shop.call('POST', '/api/merchants/intents', intent)).status).toBe(200);
    await expectAllWell();
    await reset(t.shop);
    expect((await countsOf(t.shop.id)).logos).toBe(0);
  });

  test('a watcher that read a payment before the reset does not book it afterwards', async () => {
    await reset(t.shop);
    const intent = await newIntent(t.shop);
    await payIntent(t, intent);
    await t.finalize();
    expect((await readIntent(t.shop, intent)).status).toBe('succeeded');
    await reset(t.shop);
    const rows = await t.service.db.query('select from incoming_transfers');
    expect(rows.length).toBe(0);
    // The watcher would settle with the account as it read it before the reset.
    const [watched] = await t.service.db.query<{ destination: string; account: string; since: Date }>(
      'select destination, account, watch_since as since from watched_accounts where merchant_id = $1',
      [t.shop.id],
    );
    await lateSettlement(watched!);
    expect((await t.service.db.query('select from incoming_transfers')).length).toBe(0);
    expect((await t.service.db.query('select from payment_exceptions')).length).toBe(0);
    await expectAllWell();
  });

  test('a payment in the very moment is an exception, and nothing is lost', async () => {
    const intent = await newIntent(t.shop);
    const wallet = payIntent(t, intent);
    const [answer] = await Promise.all([reset(t.shop), wallet.catch(() => {})]);
    expect(answer.status).toBe(200);
    await t.finalize();
    await expectAllWell();
  });

  test('many orders and resets at once: every answer is one of ours, and the books are sound', async () => {
    const project = await newProject(t.shop, { name: randomUUID() });
    const orders = Array.from({ length: 24 }, (_, i) =>
      t.shop.call('POST', '/api/v2/checkout-sessions', {
        projectId: project.id,
        mode: 'one_time',
        amountCents: 100,
        externalCustomerId: `c${i % 3}`,
      }),
    );
    const resets = [reset(t.shop), reset(t.shop, { keepCatalog: true })];
    const statuses = (await Promise.all([...orders, ...resets])).map(({ status }) => status);
    expect(statuses.slice(-2)).toEqual([200, 200]);
    expect(statuses.filter((status) => ![200, 201].includes(status))).toEqual([]);
    await t.finalize();
    await expectAllWell();
  });

  test('400 without the right merchant, and nothing is gone', async () => {
    const other = await t.service.createMerchant('Other');
    const intent = await newIntent(t.shop);
    for (const body of [{}, { confirmMerchantId: other.id }, { confirmMerchantId: 'x' }, undefined])
      expect((await t.shop.call('POST', PATH, body)).status).toBe(400);
    expect((await readIntent(t.shop, intent)).status).toBe('pending');
  });

  test('401 without a key; 403 unless the key holds all four scopes', async () => {
    const body = { confirmMerchantId: t.shop.id };
    expect((await call(t.service.url + PATH, 'POST', body)).status).toBe(401);
    const key = await t.shop.keyWith(['billing:write', 'billing:read', 'payments:read']);
    const answer = await call(t.service.url + PATH, 'POST', body, { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(403);
  });

  test('404 elsewhere than in the sandbox; and there the database itself refuses', async () => {
    for (const FLORIN_NETWORK of ['devnet', 'mainnet']) {
      const service = await testService({ FLORIN_NETWORK, SOLANA_RPC_URLS: 'http://127.0.0.1:1' });
      const shop = await service.createMerchant();
      const answer = await shop.call('POST', PATH, { confirmMerchantId: shop.id });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
      const deleting = service.db.transaction(async (tx) => {
        await tx.query(`select set_config('florin.resetting_sandbox', 'yes', true)`);
        await tx.query('delete from postings');
      });
      await expect(deleting).rejects.toThrow(/postings only grows/);
    }
    await expect(t.service.db.query('delete from postings')).rejects.toThrow(/postings only grows/);
  });

  test('409 where the sandbox chain runs elsewhere', async () => {
    const service = await testService();
    const shop = await service.createMerchant();
    const answer = await shop.call('POST', PATH, { confirmMerchantId: shop.id });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
  });
});

async function lateSettlement(watched: { destination: string; account: string; since: Date }): Promise<void> {
  const destination = { owner: watched.destination, mint: USDC_MINTS.sandbox, account: watched.account };
  const rpc = createRpc({ urls: [t.chain.rpcUrl], maxPerSecond: 100_000 });
  const node = chainNodes(rpc)[0]!;
  const { infos } = await node.signatures(watched.account, {});
  expect(infos.length).toBeGreaterThan(0);
  for (const { signature } of infos) {
    const transaction = await fetchTransaction(node, signature, 'finalized');
    if (typeof transaction === 'string') throw new Error(transaction);
    await t.service.db.transaction((tx) =>
      settleTransfer(tx, {
        transaction,
        destination,
        merchantId: t.shop.id,
        isFinal: true,
        now: t.service.clock.now(),
      }),
    );
  }
}
