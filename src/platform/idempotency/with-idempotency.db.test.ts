import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { untilBlocked } from '../../../test/support/database.ts';
import {
  moveTo,
  newAddress,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { pruneKeys } from './prune-keys.ts';

let service: TestService;
/** A second process's worth of service on the same database: it shares no memory with the first. */
let twin: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  twin = await testService({}, service.db);
  shop = await service.createMerchant();
});

const PATH = '/api/merchants/intents';
const create = (body: unknown, key: string, through = service) =>
  fetch(through.url + PATH, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  }).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }));

const countOrder = async (orderId: string) =>
  (await service.db.query('select from payment_intents where order_id = $1', [orderId])).length;

describe('an Idempotency-Key', () => {
  test('same body in any order of keys: same bytes, marked as replayed', async () => {
    const key = randomUUID();
    const first = await create({ amountCents: 5, orderId: 'i1' }, key);
    const again = await create({ orderId: 'i1', amountCents: 5 }, key.toUpperCase());
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('400 when it is sent twice, even with the same key; nothing is made', async () => {
    const { port } = new URL(service.url);
    const key = randomUUID();
    for (const keys of [
      [key, randomUUID()],
      [key, key],
    ])
      for (const path of [PATH, '/api/v2/projects']) {
        const status = await new Promise((resolve, reject) => {
          const headers = {
            authorization: `Bearer ${shop.key}`,
            'content-type': 'application/json',
            'idempotency-key': keys,
          };
          const sent = request({ port, path, method: 'POST', headers }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          });
          sent.on('error', reject);
          sent.end(JSON.stringify(path === PATH ? { amountCents: 5, orderId: 'two' } : { name: 'Two' }));
        });
        expect([path, status]).toEqual([path, 400]);
      }
    expect(await countOrder('two')).toBe(0);
  });

  test('409 when the same key carries another body', async () => {
    const key = randomUUID();
    await create({ amountCents: 5, orderId: 'i2' }, key);
    for (const body of [
      { amountCents: 6, orderId: 'i2' },
      { amountCents: 5, orderId: 'i2', terminalId: null },
    ]) {
      const answer = await create(body, key);
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    }
    expect(await countOrder('i2')).toBe(1);
  });

  test('belongs to one merchant and one operation', async () => {
    const key = randomUUID();
    const other = await service.createMerchant();
    await create({ amountCents: 5, orderId: 'i3' }, key);
    const theirs = await other.call(
      'POST',
      PATH,
      { amountCents: 9, orderId: 'i3' },
      { 'idempotency-key': key },
    );
    const terminal = await shop.call('POST', '/api/b2b/merchants/terminals', {}, { 'idempotency-key': key });
    expect([theirs.status, terminal.status]).toEqual([200, 200]);
  });

  test.each([
    ['an intent', PATH, () => ({ amountCents: 5, orderId: 'week' })],
    ['a project', '/api/v2/projects', () => ({ name: 'Week' })],
    ['an API key', '/api/b2b/merchants/generate-key', () => ({ name: 'week' })],
  ])('counts for 7 days and not longer, pruned or not: %s', async (_what, path, body) => {
    const key = randomUUID();
    const send = (fields: object) => shop.call('POST', path, fields, { 'idempotency-key': key });
    const first = await send(body());
    expect(first.status).toBeLessThan(300);
    const age = (days: number) =>
      service.db.query('update idempotency_keys set created_at = $2 where key = $1', [
        key,
        new Date(service.clock.now().getTime() - days * 86_400_000),
      ]);
    await age(6.9);
    const other = { ...body(), name: 'other', orderId: undefined };
    expect((await send(path === PATH ? { ...body(), amountCents: 6 } : other)).status).toBe(409);
    await age(7.1);
    const again = await send(body());
    expect(again.status).toBe(first.status);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(again.body.id).not.toBe(first.body.id);
  });

  test('an error is not stored: the same key works once the cause is gone', async () => {
    const key = randomUUID();
    const merchant = await service.createMerchant('Late', null);
    const attempt = () =>
      merchant.call('POST', PATH, { amountCents: 5, orderId: 'i4' }, { 'idempotency-key': key });
    expect((await attempt()).status).toBe(409);
    await moveTo(service.db, merchant.id, newAddress());
    service.app.authenticator.forget(merchant.id);
    expect((await attempt()).status).toBe(200);
  });

  test('a retry is answered as before even when its order has been paid since', async () => {
    const key = randomUUID();
    const first = await create({ amountCents: 5, orderId: 'i5' }, key);
    await service.db.query(
      `update payment_intents set status = 'succeeded', received_base_units = 50000, succeeded_at = now() where order_id = 'i5'`,
    );
    expect((await create({ amountCents: 5, orderId: 'i5' }, key)).text).toBe(first.text);
    expect((await create({ amountCents: 5, orderId: 'i5' }, randomUUID())).status).toBe(409);
  });

  test('10,000 concurrent retries through two processes: one effect, every 2xx byte-equal, anything else in progress', async () => {
    const key = randomUUID();
    const answers: { status: number; text: string }[] = [];
    const worker = async (i: number) => {
      for (let n = 0; n < 50; n++)
        answers.push(await create({ amountCents: 7, orderId: 'storm' }, key, i % 2 ? service : twin));
    };
    await Promise.all(Array.from({ length: 200 }, (_, i) => worker(i)));
    const good = answers.filter((answer) => answer.status === 200);
    const rest = answers.filter((answer) => answer.status !== 200);
    expect(answers).toHaveLength(10_000);
    expect(new Set(good.map((answer) => answer.text)).size).toBe(1);
    expect(rest.filter((answer) => !answer.text.includes('IDEMPOTENCY_IN_PROGRESS'))).toEqual([]);
    expect(await countOrder('storm')).toBe(1);
  });

  test('two requests with one key inside one batch make one intent', async () => {
    const keys = Array.from({ length: 20 }, () => randomUUID());
    // Both services write; each key is requested four times, crosswise, among many others.
    const calls = keys.flatMap((key, i) =>
      [service, twin, service, twin].map((through) =>
        create({ amountCents: 1, orderId: `batch-${i}` }, key, through),
      ),
    );
    const answers = await Promise.all(calls);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    for (const [i] of keys.entries()) expect(await countOrder(`batch-${i}`)).toBe(1);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(20);
  });

  test('409 IDEMPOTENCY_IN_PROGRESS with Retry-After while another transaction holds the key, neighbours unharmed', async () => {
    const key = randomUUID();
    await service.db.withConnection(async (client) => {
      await client.query('begin');
      await client.query(
        `insert into idempotency_keys (merchant_id, operation, key, fingerprint, created_at)
         values ($1, 'createIntent', $2, sha256('x'), now())`,
        [shop.id, key],
      );
      const held = create({ amountCents: 1, orderId: 'held' }, key);
      const neighbours = await Promise.all(
        Array.from({ length: 10 }, (_, i) => create({ amountCents: 1, orderId: `near-${i}` }, randomUUID())),
      );
      expect(neighbours.every((answer) => answer.status === 200)).toBe(true);
      const answer = await held;
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '1']);
      expect(answer.text).toContain('IDEMPOTENCY_IN_PROGRESS');
      await client.query('rollback');
    });
    expect((await create({ amountCents: 1, orderId: 'held' }, key)).status).toBe(200);
  });
});

test.each([
  [
    'an intent',
    '/api/merchants/intents',
    () => ({ amountCents: 5, orderId: 'behind a lock' }),
    'payment_intents',
  ],
  ['a project', '/api/v2/projects', () => ({ name: 'Behind a lock' }), 'projects'],
])('503 with Retry-After while %s waits for a lock that is not its key', async (_what, path, body, table) => {
  const send = () => shop.call('POST', path, body(), { 'idempotency-key': randomUUID() });
  await service.db.withConnection(async (client) => {
    await client.query(`begin; lock table ${table} in share mode`);
    const answer = await send();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(answer.body.error.code).toBe('SERVICE_UNAVAILABLE');
    await client.query('rollback');
  });
  expect((await send()).status).toBeLessThan(300);
});

test('one bad row in a coalesced batch harms no neighbour', async () => {
  // The database refuses this order where the service cannot know: the whole statement fails, then each is tried alone.
  await service.db.query(`alter table payment_intents add constraint planted check (order_id <> 'bad')`);
  const answers: TestAnswer[] = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      shop.call('POST', PATH, { amountCents: 1, orderId: i === 30 ? 'bad' : `good-${i}` }),
    ),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(59);
  expect(answers[30]!.status).toBe(500);
  expect(answers[30]!.text).not.toContain('planted');
  await service.db.query('alter table payment_intents drop constraint planted');
});

test('keys are forgotten after seven days, not before', async () => {
  const key = randomUUID();
  await create({ amountCents: 5, orderId: 'old' }, key);
  const day = 86_400_000;
  const now = service.clock.now().getTime();
  await pruneKeys(service.db, new Date(now + 7 * day - 60_000));
  expect((await create({ amountCents: 5, orderId: 'old' }, key)).headers.get('idempotent-replayed')).toBe(
    'true',
  );
  expect(await pruneKeys(service.db, new Date(now + 7 * day + 60_000))).toBeGreaterThan(0);
  expect(
    (await create({ amountCents: 5, orderId: 'old' }, key)).headers.get('idempotent-replayed'),
  ).toBeNull();
});

test('pruning passes over a key that somebody holds, and does not wait for them', async () => {
  const [held, old] = [randomUUID(), randomUUID()];
  for (const key of [held, old]) await create({ amountCents: 5, orderId: key }, key);
  const { db } = service;
  await db.transaction(async (tx) => {
    await tx.query('select from idempotency_keys where key = $1 for update', [held]);
    const pruning = pruneKeys(db, new Date(service.clock.now().getTime() + 8 * 86_400_000));
    await untilBlocked(db, pruning);
    expect(await Promise.race([pruning, 'it waits'])).toBeGreaterThan(0);
  });
  const left = await db.query('select key from idempotency_keys where key in ($1, $2)', [held, old]);
  expect(left).toEqual([{ key: held }]);
});
