import { createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { untilBlocked } from '../../test/support/database.ts';
import { type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import {
  emitEvents,
  eventually,
  type Received,
  setUrl,
  startReceiver,
  startWorker,
} from '../../test/support/webhooks.ts';
import { checkInvariants } from '../platform/db/invariant.ts';
import { realNow } from '../platform/lib/clock.ts';
import { Metrics } from '../platform/lib/metrics.ts';
import { webhookInvariants } from './invariants.ts';

let service: TestService;
let shop: TestMerchant;

beforeEach(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

/** A receiver's own check: any v1 that fits will do. */
function isGenuine({ headers, body }: Received, secret: string): boolean {
  const [time, ...signatures] = String(headers['x-service-signature']).split(',');
  const wanted = createHmac('sha256', secret)
    .update(`${time!.slice(2)}${body}`)
    .digest('hex');
  return signatures.includes(`v1=${wanted}`);
}

const isDone = (count: number) => async () =>
  (await service.db.query(`select from webhook_deliveries where next_attempt_at is null`)).length >= count;

async function expectSound(): Promise<void> {
  const results = await checkInvariants(service.db, webhookInvariants);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
}

describe('a delivery', () => {
  test('carries the stored bytes, signed, with every header, and is recorded', async () => {
    const receiver = await startReceiver((response) => response.writeHead(201).end('thanks'));
    await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: `${receiver.url}/hook?x=1` });
    const { body: intent } = await shop.call(
      'POST',
      '/api/merchants/intents',
      '{"amountCents": 9223372036854775807, "orderId": "größe"}',
    );
    await shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`);
    const startedAt = Math.floor(Date.now() / 1000);
    startWorker(service);
    await eventually(isDone(1));
    const [got, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(got!.path).toBe('/hook?x=1');
    const [event] = await service.db.query<{ id: string; body: string }>('select id, body from events');
    expect(got!.body).toBe(event!.body);
    expect(got!.body).toContain('"expectedAmountCents":9223372036854775807');
    expect(isGenuine(got!, shop.webhookSecret)).toBe(true);
    expect(isGenuine({ ...got!, body: `${got!.body} ` }, shop.webhookSecret)).toBe(false);
    expect(got!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Florin/test',
      'x-service-event-id': event!.id,
      'x-service-attempt': '1',
      'x-service-idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'content-length': String(Buffer.byteLength(event!.body)),
    });
    const time = Number(/^t=(\d+),/.exec(String(got!.headers['x-service-signature']))![1]);
    expect(time).toBeGreaterThanOrEqual(startedAt);
    expect(time).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
    const list = await shop.call('GET', '/api/v2/webhook-deliveries');
    expect(list.body.data).toMatchObject([
      {
        eventId: event!.id,
        event: 'payment_intent.updated',
        status: 'succeeded',
        httpStatus: 201,
        responseBody: 'thanks',
        requestBody: event!.body,
        attempts: [{ number: 1, httpStatus: 201, error: null }],
      },
    ]);
    await expectSound();
  });

  test('after a change of the secret it has two signatures, for a day', async () => {
    const receiver = await startReceiver();
    await setUrl(service.db, shop.id, receiver.url);
    const { body } = await shop.call('POST', '/api/b2b/merchants/generate-webhook-secret');
    startWorker(service);
    await emitEvents(service.db, shop.id);
    await eventually(isDone(1));
    await service.db.query(`update merchants set previous_webhook_secret_until = now() - interval '1 s'`);
    await emitEvents(service.db, shop.id);
    await eventually(isDone(2));
    const [during, after] = receiver.received;
    expect(String(during!.headers['x-service-signature'])).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect([isGenuine(during!, shop.webhookSecret), isGenuine(during!, body.webhookSecret)]).toEqual([
      true,
      true,
    ]);
    expect(String(after!.headers['x-service-signature'])).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect([isGenuine(after!, shop.webhookSecret), isGenuine(after!, body.webhookSecret)]).toEqual([
      false,
      true,
    ]);
  });

  test('the word in the header names is a setting', async () => {
    const receiver = await startReceiver();
    await setUrl(service.db, shop.id, receiver.url);
    startWorker(service, { headerName: 'Acme-Pay' });
    await emitEvents(service.db, shop.id);
    await eventually(isDone(1));
    const names = Object.keys(receiver.received[0]!.headers).filter((name) => name.startsWith('x-'));
    expect(names.sort()).toEqual(
      ['attempt', 'event-id', 'idempotency-key', 'signature'].map((name) => `x-acme-pay-${name}`),
    );
  });

  test('retries come with time: same event and bytes, new key and signature, the next number', async () => {
    const receiver = await startReceiver((response, _, count) => {
      if (count < 3) response.writeHead(500, { 'retry-after': '30' });
      response.end();
    });
    await setUrl(service.db, shop.id, receiver.url);
    const [eventId] = await emitEvents(service.db, shop.id);
    let offsetMs = 0;
    const metrics = new Metrics();
    const worker = startWorker(service, { metrics, now: () => new Date(Date.now() + offsetMs) });
    for (let count = 1; count <= 3; count++) {
      await eventually(() => receiver.received.length === count);
      await eventually(
        async () =>
          (await service.db.query('select from webhook_deliveries where lease_id is null')).length === 1,
      );
      offsetMs += 3_600_000;
      worker.kick();
    }
    await eventually(isDone(1));
    const { received } = receiver;
    expect(received.map((one) => one.headers['x-service-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(received.map((one) => one.headers['x-service-event-id']))).toEqual(new Set([eventId]));
    expect(new Set(received.map((one) => one.headers['x-service-idempotency-key'])).size).toBe(3);
    expect(new Set(received.map((one) => one.body)).size).toBe(1);
    expect(metrics.text()).toContain('florin_webhook_attempts_failed_total 2');
    expect(metrics.text()).toContain('florin_webhook_attempts_succeeded_total 1');
  });

  test('where private targets are not allowed it says why it was not sent', async () => {
    const receiver = await startReceiver();
    await setUrl(service.db, shop.id, receiver.url);
    const { createSender } = await import('./send.ts');
    const sender = createSender({ allowPrivate: false });
    startWorker(service, { sender });
    await emitEvents(service.db, shop.id);
    const delivery = await eventually(async () => {
      const { body } = await shop.call('GET', '/api/v2/webhook-deliveries?status=retrying');
      return body.data[0];
    });
    expect(delivery).toMatchObject({
      error: 'refused: 127.0.0.1 is a loopback address',
      httpStatus: null,
      responseBody: null,
      attempts: [{ number: 1, error: 'refused: 127.0.0.1 is a loopback address' }],
    });
    expect(receiver.connections()).toBe(0);
    await sender.close();
  });

  test('one whose secret cannot be opened is retried, and stops nobody', async () => {
    const receiver = await startReceiver();
    await setUrl(service.db, shop.id, receiver.url);
    const other = await service.createMerchant();
    await setUrl(service.db, other.id, receiver.url);
    await service.db.query('update merchants set webhook_secret = $2 where id = $1', [
      shop.id,
      Buffer.from('x'),
    ]);
    await emitEvents(service.db, shop.id);
    await emitEvents(service.db, other.id);
    startWorker(service);
    await eventually(isDone(1));
    const [row] = await eventually(async () => {
      const rows = await service.db.query<{ error: string }>(
        `select error from webhook_deliveries where status = 'retrying'`,
      );
      return rows.length === 1 && rows;
    });
    expect(row!.error).toBe('the webhook secret cannot be read');
  });
});

describe('many workers', () => {
  test.each([2, 8])(
    '%i of them deliver each of 1,000 events once, with one attempt each',
    async (workers) => {
      const receiver = await startReceiver();
      const shops = await Promise.all(Array.from({ length: 4 }, () => service.createMerchant()));
      for (const { id } of shops) await setUrl(service.db, id, receiver.url);
      const started = Array.from({ length: workers }, () => startWorker(service));
      const ids = await Promise.all(
        shops.map(({ id }) =>
          emitEvents(
            service.db,
            id,
            Array.from({ length: 250 }, () => randomUUID()),
          ),
        ),
      );
      for (const worker of started) worker.kick();
      await eventually(isDone(1_000));
      const sent = receiver.received.map((one) => one.headers['x-service-event-id']);
      expect(sent).toHaveLength(1_000);
      expect(new Set(sent)).toEqual(new Set(ids.flat()));
      expect(new Set(receiver.received.map((one) => one.headers['x-service-idempotency-key'])).size).toBe(
        1_000,
      );
      await expectSound();
    },
  );

  test('in every ordering key the receiver sees the events in order', async () => {
    const receiver = await startReceiver();
    await setUrl(service.db, shop.id, receiver.url);
    for (let i = 0; i < 3; i++) startWorker(service);
    const orderingKeys = Array.from({ length: 20 }, () => randomUUID());
    for (let i = 0; i < 5; i++) await emitEvents(service.db, shop.id, [...orderingKeys, ...orderingKeys]);
    await eventually(isDone(200));
    const bodies = receiver.received.map(
      (one) => JSON.parse(one.body) as { id: string; data: { orderingKey: string } },
    );
    const written = await service.db.query<{ id: string }>('select id from events order by ordinal');
    const place = new Map(written.map(({ id }, i) => [id, i]));
    for (const orderingKey of orderingKeys) {
      const places = bodies
        .filter((body) => body.data.orderingKey === orderingKey)
        .map((body) => place.get(body.id)!);
      expect(places).toHaveLength(10);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });
});

test('an endpoint that hangs delays only itself: 50 others get everything while it is still hanging', async () => {
  const hanging: ServerResponse[] = [];
  let isOver = false;
  const hung = await startReceiver((response) => (isOver ? response.end() : hanging.push(response)));
  const healthy = await startReceiver();
  await setUrl(service.db, shop.id, hung.url);
  for (let i = 0; i < 20; i++)
    await emitEvents(
      service.db,
      shop.id,
      Array.from({ length: 500 }, () => randomUUID()),
    );
  const others = await Promise.all(Array.from({ length: 50 }, () => service.createMerchant()));
  for (const { id } of others) {
    await setUrl(service.db, id, healthy.url);
    await emitEvents(
      service.db,
      id,
      Array.from({ length: 10 }, () => randomUUID()),
    );
  }
  const worker = startWorker(service, { timeoutMs: 600_000 });
  await eventually(() => healthy.received.length === 500);
  // Not one of the hanging ones was answered, so nobody waited for them.
  expect(hanging.length).toBeGreaterThan(0);
  expect(hanging.length).toBeLessThanOrEqual(8);
  await eventually(isDone(500));
  isOver = true;
  for (const response of hanging) response.end();
  await worker.stop();
});

test('stop waits for what is under way, records it and starts nothing more, not even what a look finds that had begun', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const receiver = await startReceiver((response) => arrived.resolve(response));
  await setUrl(service.db, shop.id, receiver.url);
  const orderingKey = randomUUID();
  await emitEvents(service.db, shop.id, [orderingKey, orderingKey]);
  // Its time stands still: what is free now was due when the look began.
  const now = realNow();
  const worker = startWorker(service, { now: () => now });
  const response = await arrived.promise;
  const isRecorded = async () =>
    (await service.db.query(`select from webhook_deliveries where status = 'succeeded'`)).length > 0;
  let stopped: Promise<void> | undefined;
  await service.db.transaction(async (tx) => {
    await tx.query('lock table undispatched_events in access exclusive mode');
    worker.kick();
    await untilBlocked(service.db, new Promise(() => {}));
    stopped = worker.stop();
    response.end('late');
    // The ordering key is free before the poll continues, which finds the second event due.
    await eventually(isRecorded);
  });
  await stopped;
  const rows = await service.db.query('select status from webhook_deliveries order by ordinal');
  expect(rows).toEqual([{ status: 'succeeded' }, { status: 'pending' }]);
  expect(receiver.received).toHaveLength(1);
});

test('a result the database refuses harms no other, and one it cannot take now is kept', async () => {
  const receiver = await startReceiver((response, received) =>
    response.end(received.body.includes('"place":2') ? 'poison' : 'ok'),
  );
  await setUrl(service.db, shop.id, receiver.url);
  await service.db.query(
    `alter table webhook_deliveries add constraint planted check (response_body is distinct from 'poison')`,
  );
  const orderingKeys = Array.from({ length: 5 }, () => randomUUID());
  await emitEvents(service.db, shop.id, [orderingKeys[0]!, orderingKeys[0]!, ...orderingKeys.slice(1)]);
  startWorker(service);
  await eventually(isDone(5));
  await eventually(() => receiver.received.length === 6);
  // The cause goes away while the worker still holds the result.
  await service.db.query('alter table webhook_deliveries drop constraint planted');
  await eventually(isDone(6));
});
