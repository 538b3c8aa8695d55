import { beforeAll, describe, expect, test } from 'vitest';
import { expectSound as expectAllSound, newProject } from '../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import { eventually, type Receiver, startReceiver, startWorker } from '../../test/support/webhooks.ts';
import { checkInvariants } from '../platform/db/invariant.ts';
import { webhookInvariants } from './invariants.ts';
import { signatureHeader } from './sign.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
  startWorker(service);
});

const V2 = '/api/v2/webhook-endpoints';
async function open(shop: TestMerchant, receiver: Receiver, fields: object = {}) {
  const answer = await shop.call('POST', V2, { url: receiver.url, ...fields });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body as { id: string; webhookSecret: string };
}
async function expectSound(): Promise<void> {
  const results = await checkInvariants(service.db, webhookInvariants);
  expect(results.flatMap(({ violations }) => violations)).toEqual([]);
}
const namesAt = (receiver: Receiver) => receiver.received.map(({ body }) => JSON.parse(body).event);
const arrived = (receiver: Receiver, event: string) => eventually(() => namesAt(receiver).includes(event));

describe('/api/v2/webhook-endpoints', () => {
  const path = '/api/v2/webhook-endpoints';

  test('201 with a secret that is shown once; read, changed and deleted again', async () => {
    const shop = await service.createMerchant();
    const made = await shop.call('POST', path, { url: 'https://books.example/hook', name: 'Books' });
    expect(made.status).toBe(201);
    const { webhookSecret, ...view } = made.body;
    expect(webhookSecret).toMatch(/^whsec_[0-9A-Za-z]{40}$/);
    expect(view).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Books',
      url: 'https://books.example/hook',
      eventTypes: null,
      isActive: true,
      isFirst: false,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect((await shop.call('GET', `${path}/${view.id}`)).body).toEqual(view);
    const changed = await shop.call('PATCH', `${path}/${view.id}`, {
      eventTypes: ['invoice.paid', 'customer.created', 'invoice.paid'],
      isActive: false,
    });
    expect(changed.body).toEqual({
      ...view,
      eventTypes: ['customer.created', 'invoice.paid'],
      isActive: false,
    });
    expect((await shop.call('GET', path)).body.data).toEqual([changed.body]);
    expect((await shop.call('DELETE', `${path}/${view.id}`)).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        (await shop.call(method, `${path}/${view.id}`, method === 'PATCH' ? {} : undefined)).status,
      ).toBe(404);
    const audit = (await shop.call('GET', '/api/dashboard/audit-log')).body?.data ?? [];
    expect(JSON.stringify(audit)).not.toContain(webhookSecret);
  });

  test('400 for what is no URL, no event, or empty, the field first; nothing is written', async () => {
    const shop = await service.createMerchant();
    for (const [body, field] of [
      [{}, 'url'],
      [{ url: 'ftp://books.example' }, 'url'],
      [{ url: 'https://user:pass@books.example' }, 'url'],
      [{ url: 'https://books.example', eventTypes: [] }, 'eventTypes'],
      [{ url: 'https://books.example', eventTypes: ['invoice.payd'] }, 'eventTypes.0'],
      [{ url: 'https://books.example', name: '' }, 'name'],
      [{ url: 'https://books.example', secret: 'x' }, 'secret'],
    ] as [object, string][]) {
      const answer = await shop.call('POST', path, body);
      expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
    }
    expect((await shop.call('GET', path)).body.data).toEqual([]);
  });
});

test('the interface’s webhookUrl is the first one: set, chosen for, removed, and set again as new', async () => {
  const shop = await service.createMerchant();
  const url = 'https://shop.example/hook';
  const webhook = '/api/b2b/merchants/webhook';
  await shop.call('PATCH', webhook, { webhookUrl: url });
  const [first] = (await shop.call('GET', V2)).body.data;
  expect(first).toMatchObject({ id: shop.id, url, isFirst: true, eventTypes: null, isActive: true });
  const moved = { url: 'https://shop.example/new', eventTypes: ['invoice.paid'] };
  expect((await shop.call('PATCH', `${V2}/${shop.id}`, moved)).body).toMatchObject(moved);
  expect((await shop.call('GET', '/api/b2b/merchants/me')).body.webhookUrl).toBe(moved.url);
  const { webhookSecret } = (await shop.call('POST', `${V2}/${shop.id}/generate-secret`)).body;
  expect((await shop.call('GET', '/api/b2b/merchants/me')).body.webhookSecret).toBe(webhookSecret);
  expect((await shop.call('DELETE', webhook)).status).toBe(204);
  expect((await shop.call('GET', `${V2}/${shop.id}`)).status).toBe(404);
  await shop.call('PATCH', webhook, { webhookUrl: url });
  expect((await shop.call('GET', `${V2}/${shop.id}`)).body).toEqual(first);
});

test('each gets what it chose, signed with its own secret; the log and a resend know which', async () => {
  const shop = await service.createMerchant();
  const [all, some] = [await startReceiver(), await startReceiver()];
  await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: all.url });
  const { id, webhookSecret } = await open(shop, some, { eventTypes: ['customer.created'] });
  const projectId = (await newProject(shop)).id;
  const customer = (await shop.call('POST', '/api/v2/customers', { projectId })).body;
  await shop.call('PATCH', `/api/v2/customers/${customer.id}`, { name: 'Ann' });
  await arrived(all, 'customer.updated');
  await arrived(some, 'customer.created');
  expect(namesAt(some)).toEqual(['customer.created']);
  const [one] = some.received;
  const at = new Date(Number(/t=(\d+)/.exec(one!.headers['x-service-signature'] as string)![1]) * 1000);
  expect(one!.headers['x-service-signature']).toBe(
    signatureHeader([webhookSecret], at, Buffer.from(one!.body)),
  );
  const log = async (endpointId: string) =>
    (await shop.call('GET', `/api/v2/webhook-deliveries?endpointId=${endpointId}`)).body.data;
  const [delivery, ...others] = await log(id);
  expect([delivery.event, delivery.endpointId, others]).toEqual(['customer.created', id, []]);
  expect((await log(shop.id)).map(({ event }: { event: string }) => event)).toEqual([
    'customer.updated',
    'customer.created',
  ]);
  const resent = await shop.call('POST', `/api/v2/webhook-deliveries/${delivery.id}/resend`);
  expect([resent.status, resent.body.endpointId]).toEqual([202, id]);
  await eventually(() => some.received.length === 2);
  expect(namesAt(all)).toHaveLength(2);
  await shop.call('DELETE', `${V2}/${id}`);
  const late = await shop.call('POST', `/api/v2/webhook-deliveries/${delivery.id}/resend`);
  expect([late.status, late.body.error.code]).toEqual([409, 'WEBHOOK_NOT_CONFIGURED']);
  await expectSound();
});

test('one that never answers, or fails, does not delay another; each keeps its own order', async () => {
  const shop = await service.createMerchant();
  const silent = await startReceiver(() => undefined);
  const broken = await startReceiver((response) => response.writeHead(500).end());
  const healthy = await startReceiver();
  await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: silent.url });
  await open(shop, broken);
  await open(shop, healthy, { eventTypes: ['customer.created', 'customer.updated'] });
  const projectId = (await newProject(shop)).id;
  const customer = (await shop.call('POST', '/api/v2/customers', { projectId })).body;
  for (let i = 0; i < 20; i++)
    await shop.call('PATCH', `/api/v2/customers/${customer.id}`, { name: `n${i}` });
  await eventually(() => healthy.received.length === 21);
  const sequences = healthy.received.map(({ body }) => JSON.parse(body).sequence);
  expect(sequences).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
});

test('switched off, nothing is kept for it; deleted, nothing that waits is sent', async () => {
  const shop = await service.createMerchant();
  const receiver = await startReceiver((response, _, count) =>
    response.writeHead(count === 1 ? 200 : 500).end(),
  );
  const { id } = await open(shop, receiver);
  const projectId = (await newProject(shop)).id;
  const create = async () => (await shop.call('POST', '/api/v2/customers', { projectId })).body.id;
  await shop.call('PATCH', `${V2}/${id}`, { isActive: false });
  const off = await shop.call('POST', `${V2}/${id}/test`);
  expect([off.status, off.body.error.code]).toEqual([409, 'WEBHOOK_NOT_CONFIGURED']);
  const missed = await create();
  await eventually(async () => (await service.db.query('select from undispatched_events')).length === 0);
  await shop.call('PATCH', `${V2}/${id}`, { isActive: true });
  const heard = await create();
  await arrived(receiver, 'customer.created');
  const bodies = receiver.received.map(({ body }) => body);
  expect([bodies.some((body) => body.includes(heard)), bodies.some((body) => body.includes(missed))]).toEqual(
    [true, false],
  );
  await create();
  await eventually(() => receiver.received.length === 2);
  await shop.call('DELETE', `${V2}/${id}`);
  const waiting = await service.db.query(
    'select from webhook_deliveries where endpoint_id = $1 and next_attempt_at is not null',
    [id],
  );
  expect(waiting).toEqual([]);
  await expectSound();
});

test('a test goes to its endpoint alone, whatever that one chose', async () => {
  const shop = await service.createMerchant();
  const [first, second] = [await startReceiver(), await startReceiver()];
  await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: first.url });
  const { id } = await open(shop, second, { eventTypes: ['invoice.paid'] });
  for (const sequence of [1, 2]) {
    const { status, body } = await shop.call('POST', `${V2}/${id}/test`);
    expect([status, Object.keys(body)]).toEqual([202, ['eventId']]);
    await eventually(() => second.received.length === sequence);
    expect(JSON.parse(second.received.at(-1)!.body)).toMatchObject({
      id: body.eventId,
      event: 'webhook_endpoint.test',
      sequence,
    });
  }
  expect(first.received).toEqual([]);
});

test('payment_intent.created is written only for a merchant with an endpoint that names it', async () => {
  const shop = await service.createMerchant();
  const receiver = await startReceiver();
  await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: 'https://shop.example/hook' });
  const terminalId = (await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'till' })).body.id;
  const projectId = (await newProject(shop)).id;
  let orders = 0;
  const createAll = async () => {
    const intent = (more: object = {}, key?: string) =>
      shop.call(
        'POST',
        '/api/merchants/intents',
        { amountCents: 500, orderId: `order-${++orders}`, ...more },
        key ? { 'Idempotency-Key': key } : {},
      );
    const made = [await intent(), await intent({}, crypto.randomUUID()), await intent({ terminalId })];
    const session = { projectId, mode: 'one_time', amountCents: 500 };
    const opened = await Promise.all(
      [1, 2, 3].map(() => shop.call('POST', '/api/v2/checkout-sessions', session)),
    );
    return [...made.map(({ body }) => body.id), ...opened.map(({ body }) => body.paymentIntentId)];
  };
  const told = async () =>
    (
      await service.db.query<{ id: string; sequence: number }>(
        `select object_id as id, sequence from events where merchant_id = $1 and event = 'payment_intent.created'`,
        [shop.id],
      )
    ).map(({ id, sequence }) => [id, sequence]);
  await createAll();
  expect(await told()).toEqual([]);
  const { id } = await open(shop, receiver, { eventTypes: ['payment_intent.created'] });
  const made = await createAll();
  expect((await told()).sort()).toEqual(made.map((intentId) => [intentId, 1]).sort());
  const key = crypto.randomUUID();
  const again = () =>
    shop.call(
      'POST',
      '/api/merchants/intents',
      { amountCents: 500, orderId: 'repeated' },
      { 'Idempotency-Key': key },
    );
  const [one, two] = [await again(), await again()];
  expect([one.status, two.text]).toEqual([200, one.text]);
  await shop.call('POST', `/api/merchants/intents/${one.body.id}/cancel`);
  await eventually(() => receiver.received.length === made.length + 1);
  const [canceled] = await service.db.query<{ sequence: number }>(
    `select sequence from events where object_id = $1 and event = 'payment_intent.updated'`,
    [one.body.id],
  );
  expect(canceled!.sequence).toBe(2);
  await shop.call('PATCH', `${V2}/${id}`, { isActive: false });
  const before = (await told()).length;
  await createAll();
  expect((await told()).length).toBe(before);
  const { body } = await shop.call('GET', `/api/merchants/intents/${one.body.id}/history`);
  expect(body.entries.map(({ event, status }: HistoryEntry) => [event, status])).toEqual([
    ['payment_intent.created', 'pending'],
    ['payment_intent.updated', 'canceled'],
  ]);
  await expectAllSound(service);
});

interface HistoryEntry {
  event: string | null;
  status: string;
}

test('409 beyond 16', async () => {
  const shop = await service.createMerchant();
  const create = () => shop.call('POST', V2, { url: 'https://books.example/hook' });
  for (let i = 0; i < 15; i++) expect((await create()).status).toBe(201);
  const answer = await create();
  expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
});
