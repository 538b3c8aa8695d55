import { beforeAll, describe, expect, test } from 'vitest';
import { pruneAbandonedSessions } from '../../src/payments/transfers/prune-abandoned-sessions.ts';
import { revertDroppedTransfer } from '../../src/payments/transfers/revert-dropped-transfer.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import {
  advance,
  bring,
  eventNames,
  expectSound,
  newLink,
  newProject,
  newSession,
  readCustomer,
  readInvoice,
  readPast,
  readSession,
  readSubscription,
  runDue,
} from '../support/billing.ts';
import { call, PAYOUT, type TestMerchant, type TestService, testService } from '../support/service.ts';

/** A stranger's checkout leaves nothing that lasts until its money comes, and nothing at all if it never does. */
let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const MODES = {
  one_time: { billingMode: 'one_time' },
  balance_top_up: { billingMode: 'balance_top_up', creditAmount: 70 },
  subscription: { billingMode: 'subscription', recurringInterval: 'month' },
};
type Mode = keyof typeof MODES;
const ALL_MODES = Object.keys(MODES) as Mode[];

async function linkOf(mode: Mode, projectId: string) {
  const { paymentLink } = await newLink(shop, projectId, MODES[mode]);
  return paymentLink as { id: string; publicToken: string };
}

async function checkOut(link: { publicToken: string }, body: object = {}) {
  const answer = await call(`${service.url}/api/v2/payment-links/${link.publicToken}/checkout`, 'POST', body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return readSession(shop, answer.body.sessionId);
}

const TABLES = [
  'checkout_sessions',
  'invoices',
  'payment_intents',
  'customers',
  'subscriptions',
  'events',
  'undispatched_events',
  'webhook_deliveries',
  'emails',
  'submitted_signatures',
];

async function countRows(): Promise<Record<string, bigint>> {
  const rows = await service.db.query<{ name: string; count: bigint }>(
    TABLES.map((name) => `select '${name}' as name, count(*) from ${name}`).join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const lastNumber = async (projectId: string) =>
  (
    await service.db.query<{ last: bigint }>(
      'select last_invoice_number as last from projects where id = $1',
      [projectId],
    )
  )[0]!.last;

const cents = (intent: { paymentIntentId: string }, amount: number, more = {}) =>
  bring(service, shop, intent, amount, more);

describe.each(ALL_MODES)('a checkout by link, %s', (mode) => {
  test('has no number, no customer and no subscription, and says only that it was opened', async () => {
    const projectId = (await newProject(shop)).id;
    const before = await countRows();
    const session = await checkOut(await linkOf(mode, projectId), { customerEmail: 'a@example.com' });
    expect(session).toMatchObject({ customerId: null, subscriptionId: null, customerEmail: 'a@example.com' });
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({
      number: null,
      customerId: null,
      subscriptionId: null,
      status: 'open',
      totalCents: 500,
    });
    const after = await countRows();
    expect([after.customers, after.subscriptions]).toEqual([before.customers, before.subscriptions]);
    expect(await lastNumber(projectId)).toBe(0n);
    const events = await service.db.query<{ event: string }>(
      'select event from events where object_id = any($1)',
      [[session.id, session.invoiceId, session.paymentIntentId]],
    );
    expect(events).toEqual([{ event: 'checkout.session.created' }]);
    // Nobody who only opened a page is somebody who owes.
    const overview = await shop.call('GET', `/api/v2/billing/overview?projectId=${projectId}`);
    expect(overview.body).toMatchObject({ openInvoicesCount: 0, openInvoicesCents: 0 });
    const page = await fetch(`${service.url}${new URL(session.checkoutUrl).pathname}`);
    expect([page.status, (await page.text()).includes('null')]).toEqual([200, false]);
    const pdf = await shop.call('GET', `/api/v2/invoices/${session.invoiceId}/pdf`);
    expect([pdf.status, pdf.headers.get('content-disposition')]).toEqual([
      200,
      'inline; filename="Draft.pdf"',
    ]);
    const csv = await shop.call('GET', `/api/v2/invoices?projectId=${projectId}`, undefined, {
      accept: 'text/csv',
    });
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(2);
    expect((await shop.call('GET', '/api/v2/search?q=5.00')).status).toBe(200);
    expect((await shop.call('DELETE', `/api/v2/projects/${projectId}`)).status).toBe(204);
    await expectSound(service);
  });

  test('gets all of it with the first final cent, and not with what may vanish', async () => {
    const projectId = (await newProject(shop)).id;
    const link = await linkOf(mode, projectId);
    const opened = await checkOut(link, { customerEmail: 'b@example.com', customerName: 'Bea' });
    const signature = await cents(opened, 500, { isFinal: false });
    expect(await readSession(shop, opened.id)).toMatchObject({
      paymentStatus: 'processing',
      customerId: null,
    });
    await service.db.transaction((tx) => revertDroppedTransfer(tx, signature, PAYOUT, service.clock.now()));
    expect((await readInvoice(shop, opened.invoiceId)).number).toBeNull();
    await cents(opened, 1);
    const session = await readSession(shop, opened.id);
    expect(session).toMatchObject({ paymentStatus: 'underpaid', amountReceivedCents: 1 });
    expect(await readCustomer(shop, session.customerId)).toMatchObject({
      email: 'b@example.com',
      name: 'Bea',
    });
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({
      number: 'INV-000001',
      customerId: session.customerId,
      subscriptionId: session.subscriptionId,
      amountPaidCents: 1,
    });
    const isSubscription = mode === 'subscription';
    const orderingKey = session.subscriptionId ?? session.id;
    if (isSubscription) {
      expect(await readSubscription(shop, session.subscriptionId)).toMatchObject({
        status: 'incomplete',
        customerId: session.customerId,
        latestInvoiceId: session.invoiceId,
      });
    } else expect(session.subscriptionId).toBeNull();
    expect(await eventNames(service, shop.id, orderingKey)).toEqual([
      'checkout.session.created',
      'payment_intent.updated',
      'checkout.session.processing',
      'payment_intent.updated',
      'checkout.session.updated',
      'payment_intent.underpaid',
      'invoice.created',
      'invoice.underpaid',
      'checkout.session.updated',
      ...(isSubscription ? ['subscription.created'] : []),
    ]);
    await expectSound(service);
    await cents(session, 499);
    expect(await readSession(shop, session.id)).toMatchObject({ status: 'complete' });
    if (mode === 'balance_top_up') {
      expect((await readCustomer(shop, session.customerId)).creditBalance).toBe(70);
    }
    if (isSubscription) {
      expect((await readSubscription(shop, session.subscriptionId)).status).toBe('active');
    }
    await expectSound(service);
  });

  test('paid at once it is complete at once; the customer is made even of somebody who said nothing', async () => {
    const projectId = (await newProject(shop)).id;
    const session = await checkOut(await linkOf(mode, projectId));
    await cents(session, 500);
    const paid = await readSession(shop, session.id);
    expect(paid.status).toBe('complete');
    expect(paid.customerId === null).toBe(mode === 'one_time');
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({
      number: 'INV-000001',
      status: 'paid',
    });
    const receipt = await fetch(`${service.url}${new URL(session.checkoutUrl).pathname}/receipt.pdf`);
    expect([receipt.status, receipt.headers.get('content-disposition')]).toEqual([
      200,
      'inline; filename="INV-000001.pdf"',
    ]);
    await expectSound(service);
  });

  test('expired, it is taken up again by late money, and counts from then on', async () => {
    const projectId = (await newProject(shop)).id;
    const link = await linkOf(mode, projectId);
    const [first, second] = [await checkOut(link), await checkOut(link)];
    await advance(service, 1.5);
    await runDue(service);
    expect(await readInvoice(shop, first.invoiceId)).toMatchObject({ status: 'uncollectible', number: null });
    await cents(first, 100);
    const part = await readSession(shop, first.id);
    expect(part).toMatchObject({ status: 'expired', paymentStatus: 'underpaid' });
    expect(await readInvoice(shop, first.invoiceId)).toMatchObject({ number: 'INV-000001' });
    if (mode === 'subscription') {
      expect((await readSubscription(shop, part.subscriptionId)).status).toBe('incomplete_expired');
    }
    await cents(second, 500);
    expect((await readSession(shop, second.id)).status).toBe('complete');
    await cents(first, 400);
    const complete = await readSession(shop, first.id);
    expect(complete.status).toBe('complete');
    if (mode === 'subscription') {
      expect((await readSubscription(shop, complete.subscriptionId)).status).toBe('active');
    }
    expect(await lastNumber(projectId)).toBe(2n);
    await expectSound(service);
  });

  test('canceled, its invoice is void without a number, and money for it is listed', async () => {
    const projectId = (await newProject(shop)).id;
    const session = await checkOut(await linkOf(mode, projectId));
    const canceled = await shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
    expect(canceled.body).toMatchObject({ status: 'canceled', subscriptionId: null });
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({ status: 'void', number: null });
    const txSignature = await cents(session, 500);
    const { body } = await shop.call('GET', `/api/v2/exceptions?txSignature=${txSignature}`);
    expect(body.data).toMatchObject([{ kind: 'canceled', amountCents: 500 }]);
    await advance(service, 40);
    await pruneAbandonedSessions(service.db, service.clock.now());
    // An exception names it: it stays.
    expect((await readSession(shop, session.id)).status).toBe('canceled');
    await expectSound(service);
  });

  test('abandoned, nothing of it is left 30 days after its deadline, and not a moment earlier', async () => {
    const projectId = (await newProject(shop)).id;
    const link = await linkOf(mode, projectId);
    await pruneAbandonedSessions(service.db, service.clock.now());
    const before = await countRows();
    const [expired, canceled, dusty] = [
      await checkOut(link, { customerEmail: 'c@example.com', idempotencyKey: 'once' }),
      await checkOut(link),
      await checkOut(link),
    ];
    await service.db.query(
      `insert into submitted_signatures (merchant_id, intent_id, signature, submitted_at) values ($1, $2, 'x', now())`,
      [shop.id, expired.paymentIntentId],
    );
    await shop.call('POST', `/api/v2/checkout-sessions/${canceled.id}/cancel`);
    const speck = await cents(dusty, 0, { baseUnits: 1n });
    await advance(service, 1.1);
    await runDue(service);
    await advance(service, 29.8);
    const prune = () => pruneAbandonedSessions(service.db, service.clock.now());
    expect(await prune()).toBe(0);
    await advance(service, 0.2, { isRead: false });
    // Nobody has read the chain that far: late money may still be there.
    expect(await prune()).toBe(0);
    await readPast(service, service.clock.now());
    expect(await prune()).toBe(2);
    expect((await shop.call('GET', `/api/v2/checkout-sessions/${expired.id}`)).status).toBe(404);
    expect((await shop.call('GET', `/api/v2/invoices/${expired.invoiceId}`)).status).toBe(404);
    expect((await readSession(shop, dusty.id)).status).toBe('expired');
    await service.db.query('delete from payment_allocations where intent_id = $1', [dusty.paymentIntentId]);
    await service.db.query('delete from incoming_transfers where signature = $1', [speck]);
    await service.db.query('update payment_intents set received_base_units = 0 where id = $1', [
      dusty.paymentIntentId,
    ]);
    expect(await prune()).toBe(1);
    expect(await countRows()).toEqual(before);
    await expectSound(service);
  });
});

test('numbers have no gap, in any order of payment: by key at opening, by link with the money', async () => {
  const projectId = (await newProject(shop)).id;
  const link = await linkOf('one_time', projectId);
  const anonymous = await Promise.all(Array.from({ length: 12 }, () => checkOut(link)));
  const work = anonymous.flatMap((session, i) => [
    ...(i % 3 === 0 ? [] : [() => cents(session, 500)]),
    () => newSession(shop, projectId, { amountCents: 5 }),
  ]);
  await Promise.all(work.map((one) => one()));
  expect(await lastNumber(projectId)).toBe(20n);
  await expectSound(service);
});

test('sessions made with a key keep number, customer and subscription from the start', async () => {
  const projectId = (await newProject(shop)).id;
  const session = await newSession(shop, projectId, { customerEmail: 'k@example.com' });
  expect(session.customerId).not.toBeNull();
  expect((await readInvoice(shop, session.invoiceId)).number).toBe('INV-000001');
  await advance(service, 40);
  await runDue(service);
  await pruneAbandonedSessions(service.db, service.clock.now());
  expect((await readSession(shop, session.id)).status).toBe('expired');
});

test('thousands of abandoned checkouts are gone in slices, by index alone', async () => {
  const projectId = (await newProject(shop)).id;
  const link = await linkOf('one_time', projectId);
  const kept = await checkOut(link);
  const before = await countRows();
  const made = 2_300;
  await insertAbandoned(projectId, link.id, made);
  expect((await countRows()).checkout_sessions).toBe(before.checkout_sessions! + BigInt(made));
  expect(await pruneAbandonedSessions(service.db, service.clock.now())).toBe(made);
  expect(await countRows()).toEqual(before);
  expect((await readSession(shop, kept.id)).status).toBe('open');
  await expectSound(service);
});

/** Abandoned long ago, as a script would have left them. */
async function insertAbandoned(projectId: string, linkId: string, count: number): Promise<void> {
  const { db } = service;
  const now = service.clock.now();
  const at = new Date(now.getTime() - 40 * 86_400_000);
  const ids = Array.from({ length: count }, () => [newId(at), newId(at), newId(at)]);
  const columns = [0, 1, 2].map((n) => ids.map((row) => row[n]));
  await db.query(
    `insert into payment_intents (merchant_id, id, expected_amount_cents, reference_address, destination_address,
                                  status, status_without_payment, sequence, session_ordering_key, created_at, expires_at)
     select $1, i.id, 500, 'r' || i.id, $2, 'expired', 'expired', 1, i.session, $3, $3::timestamptz + interval '1 day'
       from unnest($4::uuid[], $5::uuid[]) as i(id, session)`,
    [shop.id, PAYOUT, at, columns[0], columns[1]],
  );
  await db.query(
    `insert into checkout_sessions (merchant_id, id, project_id, mode, origin, status, amount_cents, payment_link_id,
                                    payment_intent_id, token, checkout_url, sequence, created_at, expires_at)
     select $1, s.id, $2, 'one_time', 'link', 'expired', 500, $3, s.intent, 't' || s.id, 'u', 2, $4,
            $4::timestamptz + interval '1 day'
       from unnest($5::uuid[], $6::uuid[]) as s(id, intent)`,
    [shop.id, projectId, linkId, at, columns[1], columns[0]],
  );
  await db.query(
    `insert into invoices (merchant_id, id, project_id, checkout_session_id, status, billing_reason, lines,
                           subtotal_cents, total_cents, created_at)
     select $1, v.id, $2, v.session, 'uncollectible', 'one_time', '[{"amountCents": 500}]', 500, 500, $3
       from unnest($4::uuid[], $5::uuid[]) as v(id, session)`,
    [shop.id, projectId, at, columns[2], columns[1]],
  );
  for (const [objects, type, sequence, status, previous] of [
    [columns[0], 'payment_intent', 1, 'expired', 'pending'],
    [columns[1], 'checkout_session', 1, 'open', null],
    [columns[1], 'checkout_session', 2, 'expired', 'open'],
  ] as const) {
    await db.query(
      `insert into events (merchant_id, id, event, object_type, object_id, sequence, status, previous_status, ordering_key, body,
                           created_at)
       select $1, gen_random_uuid(), 'x', $3, o.id, $4, $5, $6, o.id, '{}', $7 from unnest($2::uuid[]) as o(id)`,
      [shop.id, objects, type, sequence, status, previous, at],
    );
  }
}
