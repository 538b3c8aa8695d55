import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import { dispatchAll, EVERYTHING, emitEvents, setUrl } from '../../test/support/webhooks.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { realNow } from '../platform/lib/clock.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { dispatchEvents } from './dispatch-events.ts';

let service: TestService;
let shop: TestMerchant;

beforeEach(async () => {
  service = await testService();
  shop = await service.createMerchant();
  await setUrl(service.db, shop.id, 'https://shop.example/hook');
});

const deliveries = () =>
  service.db.query<{ eventId: string; status: string; url: string }>(
    'select event_id as "eventId", status, url from webhook_deliveries order by id',
  );

test('each event becomes one delivery, in the order they were written', async () => {
  const ids = await emitEvents(
    service.db,
    shop.id,
    Array.from({ length: 30 }, () => randomUUID()),
  );
  await dispatchAll(service.db);
  await dispatchAll(service.db);
  expect((await deliveries()).map((delivery) => delivery.eventId)).toEqual(ids);
  expect((await deliveries())[0]).toMatchObject({ status: 'pending', url: 'https://shop.example/hook' });
  expect(await service.db.query('select from undispatched_events')).toEqual([]);
});

test('without a URL the events are kept and nothing is delivered, then or later', async () => {
  await setUrl(service.db, shop.id, null);
  await emitEvents(service.db, shop.id);
  await dispatchAll(service.db);
  await setUrl(service.db, shop.id, 'https://shop.example/hook');
  const [later] = await emitEvents(service.db, shop.id);
  await dispatchAll(service.db);
  expect((await deliveries()).map((delivery) => delivery.eventId)).toEqual([later]);
  expect(await service.db.query('select from events')).toHaveLength(2);
});

test('a late commit is never skipped, and holds nobody up', async () => {
  const event = (orderingKey: string) => ({
    merchantId: shop.id,
    event: 'payment_intent.updated',
    objectType: 'test',
    objectId: randomUUID(),
    sequence: 1,
    status: 'x',
    previousStatus: null,
    orderingKey,
    data: {},
  });
  const written = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const late = service.db.transaction(async (tx) => {
    await appendEvents(tx, [event(randomUUID())], realNow());
    written.resolve();
    await held.promise;
  });
  await written.promise;
  await emitEvents(service.db, shop.id);
  await dispatchAll(service.db);
  expect(await deliveries()).toHaveLength(1);
  held.resolve();
  await late;
  await dispatchAll(service.db);
  expect(await deliveries()).toHaveLength(2);
});

test('eight dispatchers at once make one delivery of each of 2,000 events', async () => {
  for (let i = 0; i < 4; i++)
    await emitEvents(
      service.db,
      shop.id,
      Array.from({ length: 500 }, () => randomUUID()),
    );
  const dispatch = async () => {
    let taken = 0;
    while ((await service.db.query('select from undispatched_events limit 1')).length > 0)
      taken += (await dispatchEvents(service.db, EVERYTHING, 100, realNow())).taken;
    return taken;
  };
  const taken = await Promise.all(Array.from({ length: 8 }, dispatch));
  expect(taken.reduce((sum, count) => sum + count, 0)).toBe(2_000);
  expect(await deliveries()).toHaveLength(2_000);
});

test('what may start is leased at once: the first of each ordering key, up to the room there is', async () => {
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
  const ids = await emitEvents(service.db, shop.id, [a, a, b, c]);
  const rooms = { slots: 10, usual: 2, known: new Map<string, number>() };
  const { claims } = await dispatchEvents(service.db, rooms, 100, realNow());
  expect(claims.map((claim) => claim.eventId)).toEqual([ids[0], ids[2]]);
  expect(claims[0]).toMatchObject({ merchantId: shop.id, number: 1, url: 'https://shop.example/hook' });
  expect(claims[0]!.body).toContain(`"id":"${ids[0]}"`);
  // The rest waits its turn: c has a free ordering key, the second of a has not.
  const more = await claimDeliveries(service.db, EVERYTHING, realNow());
  expect(more.map((claim) => claim.eventId)).toEqual([ids[3]]);
});

test('an ordering key that is under way elsewhere is not started a second time', async () => {
  const orderingKey = randomUUID();
  await emitEvents(service.db, shop.id, [orderingKey]);
  expect((await dispatchEvents(service.db, EVERYTHING, 100, realNow())).claims).toHaveLength(1);
  await emitEvents(service.db, shop.id, [orderingKey, randomUUID()]);
  const { claims } = await dispatchEvents(service.db, EVERYTHING, 100, realNow());
  expect(claims).toHaveLength(1);
  expect(claims[0]!.body).not.toContain(orderingKey);
});

test('nothing new overtakes what already waits for room', async () => {
  await emitEvents(service.db, shop.id, [randomUUID(), randomUUID()]);
  await dispatchAll(service.db);
  await emitEvents(service.db, shop.id);
  const { taken, claims } = await dispatchEvents(service.db, EVERYTHING, 100, realNow());
  expect([taken, claims]).toEqual([1, []]);
});

test('within an ordering key the order is that of the commits, even where transaction ids say otherwise', async () => {
  const intent = (await shop.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'o' })).body
    .id;
  const started = Promise.withResolvers<void>();
  const mayLock = Promise.withResolvers<void>();
  const append = (sequence: number) => ({
    merchantId: shop.id,
    event: 'payment_intent.updated',
    objectType: 'test',
    objectId: intent,
    sequence,
    status: 'x',
    previousStatus: null,
    orderingKey: intent,
    data: {},
  });
  const lock = 'select from payment_intents where id = $1 for no key update';
  // Gets the lower transaction id, and the row later.
  const second = service.db.transaction(async (tx) => {
    await tx.query('select pg_current_xact_id()');
    started.resolve();
    await mayLock.promise;
    await tx.query(lock, [intent]);
    await appendEvents(tx, [append(2)], realNow());
  });
  await started.promise;
  await service.db.transaction(async (tx) => {
    await tx.query(lock, [intent]);
    await appendEvents(tx, [append(1)], realNow());
  });
  mayLock.resolve();
  await second;
  const { claims } = await dispatchEvents(service.db, EVERYTHING, 100, realNow());
  expect(claims.map((claim) => JSON.parse(claim.body!).sequence)).toEqual([1]);
  const inOrder = await service.db.query<{ sequence: number }>(
    `select sequence from events e join event_positions p on p.merchant_id = e.merchant_id and p.event_id = e.id
      where object_id = $1 order by position`,
    [intent],
  );
  expect(inOrder.map((row) => row.sequence)).toEqual([1, 2]);
});

test('a merchant whose events cannot be numbered keeps nobody else’s waiting, and comes again', async () => {
  const { db } = service;
  const other = await service.createMerchant('Other');
  await setUrl(db, other.id, 'https://other.example/hook');
  await db.query('insert into event_counters (merchant_id, last_position) values ($1, $2)', [
    other.id,
    2n ** 63n - 1n,
  ]);
  const [theirs] = await emitEvents(db, other.id);
  const [ours] = await emitEvents(db, shop.id);
  const now = realNow();
  const { claims } = await dispatchEvents(db, EVERYTHING, 100, now);
  expect(claims.map(({ eventId }) => eventId)).toEqual([ours]);
  const setAside = () => db.query('select merchant_id as id, work from set_aside_work');
  expect(await setAside()).toEqual([{ id: other.id, work: 'dispatch events' }]);
  const [next] = await emitEvents(db, shop.id);
  expect((await dispatchEvents(db, EVERYTHING, 100, now)).taken).toBe(1);
  await db.query('update event_counters set last_position = 0 where merchant_id = $1', [other.id]);
  await dispatchEvents(db, EVERYTHING, 100, new Date(now.getTime() + 60_000));
  expect(await setAside()).toEqual([]);
  expect((await deliveries()).map(({ eventId }) => eventId).sort()).toEqual([ours, next, theirs].sort());
});
