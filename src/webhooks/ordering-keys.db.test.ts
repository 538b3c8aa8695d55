import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testService } from '../../test/support/service.ts';
import { emitEvents, eventually, setUrl, startReceiver, startWorker } from '../../test/support/webhooks.ts';
import type { Database } from '../platform/db/database.ts';
import { realNow } from '../platform/lib/clock.ts';

const ORDERING_HOLD_MS = 60_000;

/** Until no worker has one in its hands: a lease that ran out by a jump of the clock would be taken by another. */
const allRecorded = (db: Database) =>
  eventually(async () => {
    const [row] = await db.query<{ count: number }>(
      'select count(*)::int as count from webhook_deliveries where lease_id is not null',
    );
    return row!.count === 0;
  });

test('a failing event holds its own ordering key for a minute and no longer; every other ordering key continues', async () => {
  const service = await testService();
  const { id: merchantId } = await service.createMerchant();
  const [failing, ...others] = Array.from({ length: 6 }, () => randomUUID());
  const receiver = await startReceiver((response, { body }) => {
    const { orderingKey, place } = JSON.parse(body).data;
    response.writeHead(orderingKey === failing && place === 1 ? 500 : 200).end();
  });
  const got = () =>
    receiver.received
      .filter(({ headers }) => headers['x-service-attempt'] === '1')
      .map(({ body }) => JSON.parse(body).data as { orderingKey: string; place: number });
  const ofFailing = () =>
    got()
      .filter(({ orderingKey }) => orderingKey === failing)
      .map(({ place }) => place);
  await setUrl(service.db, merchantId, receiver.url);
  const all = [failing!, ...others];
  await emitEvents(service.db, merchantId, [...all, ...all, ...all]);
  // The workers' time moves by hand alone, however long the test takes.
  const startMs = realNow().getTime();
  let nowMs = startMs;
  const workers = [1, 2].map(() => startWorker(service, { now: () => new Date(nowMs) }));
  await eventually(() => got().length > 3 * others.length);
  for (const orderingKey of others)
    expect(
      got()
        .filter((one) => one.orderingKey === orderingKey)
        .map(({ place }) => place),
    ).toEqual([1, 2, 3]);
  expect(ofFailing()).toEqual([1]);
  await allRecorded(service.db);

  // Half the minute later the first is tried again and fails again; the second still waits.
  nowMs = startMs + ORDERING_HOLD_MS / 2;
  await eventually(() => receiver.received.some(({ headers }) => headers['x-service-attempt'] === '2'));
  expect(ofFailing()).toEqual([1]);
  await allRecorded(service.db);
  nowMs = realNow().getTime() + ORDERING_HOLD_MS;
  await eventually(() => ofFailing().length === 3);
  expect(ofFailing()).toEqual([1, 2, 3]);
  await Promise.all(workers.map((worker) => worker.stop()));
});

test('where every event fails, the minute is the ordering key’s: they do not wait one each', async () => {
  const service = await testService();
  const { id: merchantId } = await service.createMerchant();
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const orderingKey = randomUUID();
  const firsts = () =>
    receiver.received
      .filter(({ headers }) => headers['x-service-attempt'] === '1')
      .map(({ body }) => JSON.parse(body).data.place);
  await setUrl(service.db, merchantId, receiver.url);
  await emitEvents(service.db, merchantId, [orderingKey, orderingKey, orderingKey, orderingKey, orderingKey]);
  // The workers' time moves by hand alone, and only once: to the end of the minute.
  const startMs = realNow().getTime();
  let nowMs = startMs;
  const workers = [1, 2].map(() => startWorker(service, { now: () => new Date(nowMs) }));
  await eventually(() => receiver.received.length > 0);
  await allRecorded(service.db);
  nowMs = realNow().getTime() + ORDERING_HOLD_MS;
  await eventually(() => firsts().length === 5);
  expect(firsts()).toEqual([1, 2, 3, 4, 5]);

  // Nor do later events, as long as an earlier one is still failing.
  await emitEvents(service.db, merchantId, [orderingKey, orderingKey]);
  await eventually(() => firsts().length === 7);
  await Promise.all(workers.map((worker) => worker.stop()));
});
