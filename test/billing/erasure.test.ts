import { beforeAll, expect, test } from 'vitest';
import { chainNodes } from '../../src/chain/nodes/chain-node.ts';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { createRpc } from '../../src/chain/solana/rpc.ts';
import { reconcile } from '../../src/payments/reconcile/reconcile.ts';
import { verifyAudit } from '../../src/platform/audit/verify-audit.ts';
import {
  expectSound,
  listEvents,
  newCustomer,
  newProject,
  newSession,
  paySession,
  readInvoice,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { liveThrough, Markers, openShop, sendEmails } from '../support/erasure.ts';
import { startMailServer } from '../support/mail.ts';
import { changedRows, findMarkers, readRows } from '../support/marked-rows.ts';
import { refunded } from '../support/refund-journey.ts';
import { eventually, setUrl, startReceiver, startWorker } from '../support/webhooks.ts';

let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  t.service.db.queuesEmails = true;
  projectId = (await newProject(t.shop)).id;
});

const get = async (path: string) => (await t.shop.call('GET', path)).body;

async function expectAllWell(): Promise<void> {
  await expectSound(t.service);
  for await (const report of verifyAudit(t.service.db)) expect(report).toMatchObject({ faults: [] });
  const rpc = createRpc({ urls: [t.chain.rpcUrl], maxPerSecond: 100_000 });
  const report = await reconcile({ db: t.service.db, node: chainNodes(rpc)[0]!, mint: USDC_MINTS.sandbox });
  expect([report.differences, report.unreadable]).toEqual([[], []]);
}

/** Nothing is being sent any more. */
const settled = () =>
  eventually(async () => {
    const open = await t.service.db.query(
      `select from undispatched_events union all select from webhook_deliveries where lease_id is not null`,
    );
    return open.length === 0;
  });

test('a deleted customer is nowhere in the database but on their tax documents; everybody else is as before', async () => {
  const { db } = t.service;
  const mail = await startMailServer();
  // The receiver repeats what it gets, and refuses invoices now and then, so that there are retries.
  const receiver = await startReceiver((response, { body }, count) => {
    response.statusCode = count % 5 === 0 && body.includes('"event":"invoice.') ? 500 : 200;
    response.end(body);
  });
  await setUrl(db, t.shop.id, receiver.url);
  const worker = startWorker(t.service);
  const shop = await openShop(t, projectId);
  const [ada, bob] = [new Markers('ada'), new Markers('bob')];
  const bobs = await liveThrough(t, projectId, shop, bob);
  const adas = await liveThrough(t, projectId, shop, ada);
  const { customerId } = adas;
  const person = await get(`/api/v2/customers/${customerId}`);
  const other = await t.service.createMerchant('Other');
  const otherProject = await newProject(other);
  const { externalCustomerId, email, name } = person;
  const twin = await newCustomer(other, otherProject.id, { externalCustomerId, email, name });
  await newSession(other, otherProject.id, { externalCustomerId });
  await sendEmails(t, mail);
  await settled();
  const { data: sent } = await get('/api/v2/webhook-deliveries?limit=100&status=succeeded');
  for (const { id } of sent.slice(0, 20))
    await t.shop.call('POST', `/api/v2/webhook-deliveries/${id}/resend`);
  await settled();
  await worker.stop();
  await expectAllWell();

  // Each marker must be stored somewhere, or this test proves nothing.
  for (const [marker, places] of await findMarkers(db, ada.all))
    expect([marker, places.length > 0]).toEqual([marker, true]);
  const before = await readRows(db);
  const numbers = await Promise.all(adas.numbers.map((id) => readInvoice(t.shop, id)));
  const stats = await get('/api/b2b/merchants/stats');

  const path = `/api/v2/customers/${customerId}`;
  const refused = await t.shop.call('DELETE', path);
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: 'INVALID_STATE', message: expect.stringContaining('1005 credits and 0 cents') },
  ]);
  expect(
    changedRows(before, await readRows(db)).filter((row) => !/^(api_keys|project_months) /.test(row)),
  ).toEqual([]);
  const answer = await t.shop.call('DELETE', `${path}?discardBalance=true`);
  expect([answer.status, answer.body]).toMatchObject([
    202,
    { customerId, status: 'erasing', done: 0, total: null, discardedCredits: 1005, discardedCents: 0 },
  ]);

  // Purchases by a link belong to another customer until the mailbox proves that it is the same person: that one is
  // deleted as well.
  const { data: typed } = await get(`/api/v2/customers?email=${email}`);
  expect(typed).toHaveLength(1);
  expect((await t.shop.call('DELETE', `/api/v2/customers/${typed[0].id}`)).status).toBe(202);

  // Gone at once.
  for (const gone of [path, `${path}/balance-entries`])
    expect((await t.shop.call('GET', gone)).status).toBe(404);
  expect((await t.shop.call('PATCH', path, { name: 'Eve' })).status).toBe(404);
  const listed = await get(`/api/v2/customers?limit=100`);
  expect(listed.data.map(({ id }: { id: string }) => id)).not.toContain(customerId);
  expect((await get(`/api/v2/customers?email=${email}`)).data).toEqual([]);
  const hits = async (text: string) => (await get(`/api/v2/search?q=${encodeURIComponent(text)}`)).data;
  for (const text of [email, name, customerId])
    expect((await hits(text)).filter(({ type }: { type: string }) => type === 'customer')).toEqual([]);
  const portal = { projectId, customerId };
  expect((await t.shop.call('POST', '/api/v2/portal-sessions', portal)).status).toBe(400);
  expect((await db.query('select from portal_sessions where customer_id = $1', [customerId])).length).toBe(0);
  const usage = { ...portal, metric: 'images', quantity: 1, idempotencyKey: 'late' };
  expect((await t.shop.call('POST', '/api/v2/usage', usage)).status).toBe(400);

  await t.expire();
  expect(t.log).toEqual([]);
  const erasure = await get(`${path}/erasure`);
  expect(erasure).toMatchObject({ status: 'erased', total: erasure.done, discardedCredits: 1005 });
  expect(erasure.done).toBeGreaterThan(50);
  expect((await t.shop.call('DELETE', path)).body).toEqual(erasure);

  const kept = ['newname', 'street', 'floor', 'city'].map((field) => `zqada${field}qz`);
  const documents = ['credit_notes.tax', 'invoices.tax'];
  const twins = ['zqadaexternalqz', 'zqadamailqz', 'zqadanewnameqz', 'zqadaportalnameqz'];
  await other.call('PATCH', `/api/v2/customers/${twin.id}`, { email: null, name: null });
  for (const [marker, places] of await findMarkers(db, ada.all)) {
    const allowed = kept.includes(marker) ? documents : [];
    const rest = places.filter((place) => !allowed.includes(place));
    // The other merchant knows the same person.
    if (!twins.includes(marker)) expect([marker, rest]).toEqual([marker, []]);
  }

  // No other row has changed, and the other merchant still has all of theirs.
  const changed = changedRows(before, await readRows(db));
  expect(changed.filter((row) => row.includes('zqbob') || row.includes(bobs.customerId))).toEqual([]);
  await expectAllWell();
  expect(await get('/api/b2b/merchants/stats')).toEqual(stats);
  const invoices = await Promise.all(adas.numbers.map((id) => readInvoice(t.shop, id)));
  for (const [i, invoice] of invoices.entries()) {
    const { buyer } = numbers[i];
    expect(invoice).toEqual({
      ...numbers[i],
      ...{ merchantReference: null, clientReferenceId: null, metadata: {}, memo: null },
      buyer: buyer && { ...buyer, email: null },
    });
    expect((await t.shop.call('GET', `/api/v2/invoices/${invoice.id}/pdf`)).status).toBe(200);
  }

  // Messages that were still waiting to be sent no longer name them.
  receiver.received.length = 0;
  startWorker(t.service);
  await eventually(() => receiver.received.some(({ body }) => body.includes('customer.deleted')));
  expect(receiver.received.filter(({ body }) => body.includes('zqada'))).toEqual([]);

  // The same address and id make somebody new.
  const again = await newCustomer(t.shop, projectId, { externalCustomerId, email, name });
  expect(again.id).not.toBe(customerId);
  const [deleted] = await db.query<{ body: string }>(
    `select body from events where merchant_id = $1 and event = 'customer.deleted'`,
    [t.shop.id],
  );
  expect(JSON.parse(deleted!.body).data).toEqual({
    projectId,
    status: 'deleted',
    previousStatus: 'active',
    customerId,
  });
}, 120_000);

test('a refund after the erasure is announced without the buyer, whom the documents still name', async () => {
  const { id } = await newProject(t.shop, {
    name: 'Taxed',
    settings: {},
    seller: {
      legalName: 'Shop GmbH',
      country: 'DE',
      address: { line1: 'Weg 1', city: 'Ulm', postalCode: '1' },
    },
  });
  const buyer = {
    name: 'Ada Buyer',
    address: { line1: 'Ring 2', city: 'Bonn', postalCode: '2' },
    country: 'DE',
  };
  const { id: customerId } = await newCustomer(t.shop, id, buyer);
  const session = await newSession(t.shop, id, { customerId, amountCents: 700 });
  await paySession(t, session);
  await t.finalize();
  expect((await readInvoice(t.shop, session.invoiceId)).buyer).toMatchObject({ name: 'Ada Buyer' });
  expect((await t.shop.call('DELETE', `/api/v2/customers/${customerId}`)).status).toBe(202);
  await t.expire();
  await refunded(t, { invoiceId: session.invoiceId, amountCents: 200 });
  await t.expire();
  expect(await readInvoice(t.shop, session.invoiceId)).toMatchObject({
    refundedCents: 200,
    buyer: { name: 'Ada Buyer' },
  });
  const events = (await listEvents(t.service, t.shop.id)).filter(({ event }) => event === 'invoice.refunded');
  const [{ body }] = events.filter(({ body }) => body.data.invoice.id === session.invoiceId) as [
    (typeof events)[number],
  ];
  expect(body.data.invoice).toMatchObject({ refundedCents: 200, buyer: null });
  expect(JSON.stringify(body)).not.toContain('Ada');
  await expectAllWell();
});

test('money for a page that was open is not lost: it is listed as an exception, and can go back', async () => {
  const session = await newSession(t.shop, projectId, { externalCustomerId: 'late', amountCents: 700 });
  const { status } = await t.shop.call('DELETE', `/api/v2/customers/${session.customerId}`);
  expect(status).toBe(202);
  await paySession(t, session);
  await t.finalize();
  await t.expire();
  const { data } = await get('/api/v2/exceptions?status=open');
  const [exception] = data.filter(
    ({ paymentIntentId }: { paymentIntentId: string }) => paymentIntentId === session.paymentIntentId,
  );
  expect(exception).toMatchObject({ kind: 'canceled', amountBaseUnits: '7000000' });
  const refund = { exceptionId: exception.id, reason: 'other', address: t.customer.address };
  expect((await t.shop.call('POST', '/api/v2/refunds', refund)).status).toBe(201);
  await expectAllWell();
});
