import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { emitEvents, eventually } from '../../../test/support/webhooks.ts';
import type { Database, Queryable } from '../db/database.ts';
import { DAY_MS, realNow } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { appendEvents } from './append-events.ts';
import { claimEvents } from './claim-events.ts';
import type { NewEvent } from './event.ts';
import { pruneEvents } from './prune-events.ts';
import { pullEvents } from './pull-events.ts';
import {
  findLastEventAt,
  findLastPosition,
  findPlace,
  listEventsAfter,
  numberQueuedEvents,
} from './queries.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

const idsOf = (body: { data: { id: string }[] }) => body.data.map((event) => event.id);
const many = (count: number) => Array.from({ length: count }, () => randomUUID());

function sampleOf({ id: merchantId }: TestMerchant): NewEvent {
  const objectId = randomUUID();
  const what = { event: 'payment_intent.updated', objectType: 'test', status: 'x', previousStatus: null };
  return { merchantId, ...what, objectId, sequence: 1, orderingKey: objectId, data: {} };
}

/** Everything there is, page by page, as a receiver would. */
async function pullAll(shop: TestMerchant, path: string, wanted: number, limit = 7): Promise<string[]> {
  const got: string[] = [];
  let after = 'earliest';
  await eventually(async () => {
    const { body } = await shop.call('GET', `${path}?limit=${limit}&after=${after}`);
    got.push(...idsOf(body));
    after = body.nextCursor;
    return got.length >= wanted;
  });
  return got;
}

/** An event whose transaction is still open. */
async function heldEvent(shop: TestMerchant) {
  const written = Promise.withResolvers<string>();
  const held = Promise.withResolvers<void>();
  const late = service.db.transaction(async (tx) => {
    const [id] = await appendEvents(tx, [sampleOf(shop)], realNow());
    written.resolve(id!);
    await held.promise;
  });
  return { late, lateId: await written.promise, finish: () => held.resolve() };
}

/** Deletes everything after this position, as if an older backup had been restored. */
async function rewind(merchantId: string, position: bigint): Promise<void> {
  await service.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    const gone = 'select event_id from event_positions where merchant_id = $1 and position > $2';
    await tx.query(`delete from undispatched_events where event_id in (${gone})`, [merchantId, position]);
    await tx.query(`delete from events where id in (${gone})`, [merchantId, position]);
    await tx.query('delete from event_positions where merchant_id = $1 and position > $2', [
      merchantId,
      position,
    ]);
    await tx.query('update event_counters set last_position = $2 where merchant_id = $1', [
      merchantId,
      position,
    ]);
  });
}

describe.each(['/api/v2/events', '/api/events'])('GET %s?after=', (path) => {
  test('200 in order, page by page, each once, whether a URL is set or not', async () => {
    const shop = await service.createMerchant();
    const ids = await emitEvents(service.db, shop.id, many(30));
    ids.push(...(await emitEvents(service.db, shop.id, many(5))));
    expect(await pullAll(shop, path, 35)).toEqual(ids);
  });

  test('200 in the order written, also where one transaction writes again and again', async () => {
    const shop = await service.createMerchant();
    const now = realNow();
    const ids = await service.db.transaction(async (tx) => {
      const written: string[] = [];
      while (written.length < 20) {
        // Somebody else's id in between: the next of this millisecond does not follow the one before.
        newId(new Date(now.getTime() + 1));
        written.push(...(await appendEvents(tx, [sampleOf(shop)], now)));
      }
      return written;
    });
    expect(ids).not.toEqual(ids.toSorted());
    expect(await pullAll(shop, path, ids.length)).toEqual(ids);
  });

  test('200 with the stored bytes, digit for digit, and a cursor to go on from when nothing is left', async () => {
    const shop = await service.createMerchant();
    const fromStart = `${path}?after=earliest`;
    const empty = await shop.call('GET', fromStart);
    expect(empty.text).toBe(`{"data":[],"hasMore":false,"nextCursor":"Ag${'A'.repeat(21)}"}`);
    await emitEvents(service.db, shop.id, many(2));
    const full = await eventually(async () => {
      const answer = await shop.call('GET', fromStart);
      return answer.body.data.length === 2 && answer;
    });
    const rows = await service.db.query<{ body: string }>(
      'select body from events where merchant_id = $1 order by ordinal',
      [shop.id],
    );
    const { nextCursor } = full.body;
    expect(full.text).toBe(
      `{"data":[${rows.map((row) => row.body).join(',')}],"hasMore":false,"nextCursor":"${nextCursor}"}`,
    );
    expect(full.text).toContain('"amountCents":9223372036854775807');
    const after = await shop.call('GET', `${path}?after=${nextCursor}`);
    expect(after.body).toEqual({ data: [], hasMore: false, nextCursor });
    const first = await shop.call('GET', `${fromStart}&limit=1`);
    expect([first.body.hasMore, first.body.data.length]).toEqual([true, 1]);
  });

  test('a late commit is never skipped, and nobody waits for it', async () => {
    const shop = await service.createMerchant();
    const { late, lateId, finish } = await heldEvent(shop);
    // Written later, committed earlier.
    const [earlyId] = await emitEvents(service.db, shop.id);
    const meanwhile = (await shop.call('GET', `${path}?after=earliest`)).body;
    expect(idsOf(meanwhile)).toEqual([earlyId]);
    finish();
    await late;
    expect(idsOf((await shop.call('GET', `${path}?after=${meanwhile.nextCursor}`)).body)).toEqual([lateId]);
    expect(await pullAll(shop, path, 2, 1)).toEqual([earlyId, lateId]);
  });

  test('an open transaction of anybody else holds nothing up', async () => {
    const [shop, other] = [await service.createMerchant(), await service.createMerchant()];
    const { late, finish } = await heldEvent(other);
    const ids = await emitEvents(service.db, shop.id, many(3));
    expect(idsOf((await shop.call('GET', `${path}?after=earliest`)).body)).toEqual(ids);
    finish();
    await late;
  });

  test('events of one object keep their order, also when the second one’s transaction began first', async () => {
    const shop = await service.createMerchant();
    const first = sampleOf(shop);
    const began = Promise.withResolvers<void>();
    const committed = Promise.withResolvers<void>();
    const second = service.db.transaction(async (tx) => {
      // Something else is written before the object is locked, so the transaction has its number by now.
      await appendEvents(tx, [sampleOf(shop)], realNow());
      began.resolve();
      await committed.promise;
      return appendEvents(tx, [{ ...first, sequence: 2 }], realNow());
    });
    await began.promise;
    const [firstId] = await service.db.transaction((tx) => appendEvents(tx, [first], realNow()));
    committed.resolve();
    const [secondId] = await second;
    const all = await pullAll(shop, path, 3);
    expect(all.indexOf(firstId!)).toBeLessThan(all.indexOf(secondId!));
  });

  test('the same order for everybody, whether dispatched first or read first, and one position for each', async () => {
    const shop = await service.createMerchant();
    const ids: string[] = [];
    for (let round = 0; round < 6; round++) {
      ids.push(...(await emitEvents(service.db, shop.id, many(3))));
      const readers = [1, 2, 3].map(() => shop.call('GET', `${path}?after=earliest&limit=100`));
      const dispatched = service.db.transaction((tx) => claimEvents(tx, 2));
      const answers = await Promise.all([...readers, dispatched.then(() => readers[0]!)]);
      for (const { body } of answers) expect(idsOf(body)).toEqual(ids);
    }
    const positions = await service.db.query<{ position: bigint }>(
      'select position from event_positions where merchant_id = $1 order by position',
      [shop.id],
    );
    expect(positions.map(({ position }) => Number(position))).toEqual(ids.map((_, i) => i + 1));
  });

  test('a cursor of an older release continues where it was; events may come again, and none is missed', async () => {
    const shop = await service.createMerchant();
    const ids = await emitEvents(service.db, shop.id, many(5));
    const rows = await service.db.query<{ ordinal: bigint }>(
      'select ordinal from events where merchant_id = $1 order by ordinal',
      [shop.id],
    );
    const old = (ordinal: bigint) => {
      const bytes = Buffer.alloc(16);
      bytes.writeBigUInt64BE(812n);
      bytes.writeBigInt64BE(ordinal, 8);
      return bytes.toString('base64url');
    };
    const since = async (ordinal: bigint) =>
      idsOf((await shop.call('GET', `${path}?after=${old(ordinal)}`)).body);
    expect(await since(0n)).toEqual(ids);
    expect(await since(rows[1]!.ordinal)).toEqual(ids.slice(2));
    expect(await since(rows[4]!.ordinal)).toEqual([]);
    expect(await since(2n ** 63n - 1n)).toEqual([]);
  });

  test('400 for a cursor of a history that is not this one; a deleted event’s cursor still works', async () => {
    const shop = await service.createMerchant();
    await emitEvents(service.db, shop.id, many(3));
    const page = (await shop.call('GET', `${path}?after=earliest&limit=2`)).body;
    const ahead = (await shop.call('GET', `${path}?after=latest`)).body.nextCursor;
    await rewind(shop.id, 1n);
    const behind = await shop.call('GET', `${path}?after=${ahead}`);
    expect([behind.status, behind.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^after is not from/),
    ]);
    const [other] = await emitEvents(service.db, shop.id);
    // The second position is another event's now.
    expect((await shop.call('GET', `${path}?after=${page.nextCursor}`)).status).toBe(400);
    const now = (await shop.call('GET', `${path}?after=latest`)).body.nextCursor;
    await service.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      for (const [table, id] of [
        ['undispatched_events', 'event_id'],
        ['event_positions', 'event_id'],
        ['events', 'id'],
      ])
        await tx.query(`delete from ${table} where ${id} = $1`, [other]);
    });
    const [next] = await emitEvents(service.db, shop.id);
    expect(idsOf((await shop.call('GET', `${path}?after=${now}`)).body)).toEqual([next]);
  });

  test('events are kept for a time: a reader who has had them continues, another gets an error', async () => {
    const shop = await service.createMerchant();
    const now = realNow();
    const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
    const old = inDays(-40);
    const [changed, sold] = [sampleOf(shop), { ...sampleOf(shop), objectType: 'invoice' }];
    const write = (events: NewEvent[], at: Date) =>
      service.db.transaction((tx) => appendEvents(tx, events, at));
    const before = (await shop.call('GET', `${path}?after=latest`)).body.nextCursor;
    const [, ...kept] = await write(
      [changed, { ...changed, sequence: 2 }, sold, { ...sold, sequence: 2 }, sampleOf(shop)],
      old,
    );
    const first = (await shop.call('GET', `${path}?after=earliest&limit=1`)).body.nextCursor;
    await pruneEvents(service.db, 30, now);
    // Nothing that is still to be sent goes.
    expect((await shop.call('GET', `${path}?after=earliest`)).body.data).toHaveLength(5);
    await service.db.transaction((tx) => claimEvents(tx, 10_000));
    await pruneEvents(service.db, 49, inDays(8));
    expect((await shop.call('GET', `${path}?after=${before}`)).body.data).toHaveLength(5);
    // An event that could not go when its turn came goes in the next round, a week later.
    await pruneEvents(service.db, 30, inDays(6));
    expect((await shop.call('GET', `${path}?after=${before}`)).body.data).toHaveLength(5);
    await pruneEvents(service.db, 30, inDays(8));
    kept.push(...(await write([sampleOf(shop)], now)));
    expect(idsOf((await shop.call('GET', `${path}?after=earliest`)).body)).toEqual(kept);
    // Its own event is gone, and it has read it.
    expect(idsOf((await shop.call('GET', `${path}?after=${first}`)).body)).toEqual(kept);
    const refused = await shop.call('GET', `${path}?after=${before}`);
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^after leads to events that are no longer kept/),
    ]);
    const last = (await shop.call('GET', `${path}?after=latest`)).body.nextCursor;
    expect((await shop.call('GET', `${path}?after=${last}`)).body.nextCursor).toBe(last);
  });

  test('200 from the latest on: nothing of what was, everything that comes, also to one who had nothing', async () => {
    const shop = await service.createMerchant();
    const cursorNow = async () => {
      const { status, body } = await shop.call('GET', `${path}?after=latest`);
      expect([status, body.data, body.hasMore]).toEqual([200, [], false]);
      return body.nextCursor as string;
    };
    const atStart = await cursorNow();
    const before = await emitEvents(service.db, shop.id, many(3));
    await pullAll(shop, path, 3);
    const between = await cursorNow();
    const after = await emitEvents(service.db, shop.id, many(2));
    await pullAll(shop, path, 5);
    const since = async (cursor: string) => idsOf((await shop.call('GET', `${path}?after=${cursor}`)).body);
    expect(await since(atStart)).toEqual([...before, ...after]);
    expect(await since(between)).toEqual(after);
    expect(await since(await cursorNow())).toEqual([]);
  });

  test('200 one event alone with a cursor that leaves what was left out behind', async () => {
    const shop = await service.createMerchant();
    const named = (event: string) =>
      service.db.transaction((tx) => appendEvents(tx, [{ ...sampleOf(shop), event }], realNow()));
    const wanted = [...(await named('invoice.paid')), ...(await named('invoice.paid'))];
    await named('invoice.voided');
    await named('invoice.voided');
    await pullAll(shop, path, 4);
    const follow = async (after: string, limit = 20) =>
      (await shop.call('GET', `${path}?event=invoice.paid&limit=${limit}&after=${after}`)).body;
    const first = await follow('earliest', 1);
    expect([idsOf(first), first.hasMore]).toEqual([[wanted[0]], true]);
    const second = await follow(first.nextCursor);
    expect([idsOf(second), second.hasMore]).toEqual([[wanted[1]], false]);
    const all = await shop.call('GET', `${path}?after=${second.nextCursor}`);
    expect(all.body.data).toEqual([]);
    expect((await follow(second.nextCursor)).nextCursor).toBe(second.nextCursor);
    const [third] = await named('invoice.paid');
    await pullAll(shop, path, 5);
    expect(idsOf(await follow(second.nextCursor))).toEqual([third]);
  });

  test('200 one’s own only; another’s cursor shows nothing of theirs', async () => {
    const [alice, mallory] = [await service.createMerchant(), await service.createMerchant()];
    await emitEvents(service.db, alice.id, many(3));
    const cursor = await eventually(async () => {
      const { body } = await alice.call('GET', `${path}?after=earliest&limit=1`);
      return body.data.length === 1 && body.nextCursor;
    });
    const answer = await mallory.call('GET', `${path}?after=${cursor}`);
    expect([answer.status, answer.text.includes('payment_intent')]).toEqual([400, false]);
  });

  test('400 for a cursor that is none, a bad limit, an unknown parameter', async () => {
    const shop = await service.createMerchant();
    const bad = [
      'after=',
      'after=x',
      `after=${'A'.repeat(32)}`,
      `after=${'A'.repeat(21)}!`,
      `after=${'_'.repeat(22)}`,
      `after=Av${'_'.repeat(21)}`,
      `after=Ag${'_'.repeat(21)}`,
      `after=AQ${'A'.repeat(21)}`,
      'limit=0',
      'limit=101',
      'after=latest&cursor=x',
      `after=latest&cursor=${'A'.repeat(22)}`,
      'after=latest&createdFrom=2026-01-01T00:00:00Z',
      'after=earliest&createdTo=2026-01-01T00:00:00Z',
      'after=latest&before=x',
    ];
    for (const query of bad)
      expect([query, (await shop.call('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
    for (const utmost of [`${'_'.repeat(21)}w`, 'A'.repeat(22), `Ag${'A'.repeat(21)}`])
      expect((await shop.call('GET', `${path}?after=${utmost}`)).status).toBe(200);
  });

  test('401 without a key; 403 unless both read scopes are there', async () => {
    const shop = await service.createMerchant();
    expect((await call(service.url + path, 'GET')).status).toBe(401);
    for (const scope of ['billing:read', 'payments:read'] as const) {
      const key = await shop.keyWith([scope]);
      const answer = await call(service.url + path, 'GET', undefined, { authorization: `Bearer ${key}` });
      expect(answer.status).toBe(403);
    }
  });
});

test('a page is found by the index in order, however many events there are', async () => {
  const [shop, other] = [await service.createMerchant(), await service.createMerchant()];
  await service.db.query(
    `with written as (
       insert into events (merchant_id, id, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
       select m.id, uuidv7(), 'e', 'o', uuidv7(), 1, 's', m.id, '{}', now()
         from generate_series(1, 20000) n, unnest($1::uuid[]) m(id) returning merchant_id, id)
     select number_events(array_agg(merchant_id), array_agg(id)) from written`,
    [[shop.id, other.id]],
  );
  await service.db.query('vacuum analyze events, event_positions, undispatched_events');
  const asks: ((db: Queryable) => Promise<unknown>)[] = [
    (db) => listEventsAfter(db, shop.id, { position: 9_000n, limit: 101 }),
    (db) => findPlace(db, shop.id, 9_000n),
  ];
  for (const ask of asks) {
    const plan = await planOf(ask);
    expect(plan).toMatch(/Index (Only )?Scan( Backward)? using event_positions_pkey/);
    expect(plan).not.toMatch(/Sort|Seq Scan|Hash/);
  }
  expect(await findLastPosition(service.db, shop.id)).toBe(20_000n);
});

test('a reader who has seen everything costs one statement', async () => {
  const shop = await service.createMerchant();
  await emitEvents(service.db, shop.id, many(3));
  await service.db.transaction((tx) => claimEvents(tx, 10_000));
  const { body } = await shop.call('GET', '/api/v2/events?after=earliest');
  const statements: string[] = [];
  const counting: Database = {
    ...service.db,
    query: (text, values) => {
      statements.push(text);
      return service.db.query(text, values);
    },
  };
  const page = JSON.parse(await pullEvents(counting, shop.id, { after: body.nextCursor }));
  expect(page).toEqual({ data: [], hasMore: false, nextCursor: body.nextCursor });
  expect(statements).toHaveLength(1);
});

test('the queue of others, however long, is not read through', async () => {
  const [shop, other] = [await service.createMerchant(), await service.createMerchant()];
  await service.db.query(
    `insert into undispatched_events (ordinal, merchant_id, event_id)
     select -n, $1, uuidv7() from generate_series(1, 20000) n`,
    [other.id],
  );
  await service.db.query('analyze undispatched_events');
  for (const ask of [
    (db: Queryable) => numberQueuedEvents(db, shop.id),
    (db: Queryable) => findLastEventAt(db, shop.id, 1n),
  ])
    expect(await planOf(ask)).toContain('undispatched_events_by_merchant');
  await service.db.query('alter table undispatched_events disable trigger all');
  await service.db.query('delete from undispatched_events where ordinal < 0');
  await service.db.query('alter table undispatched_events enable trigger all');
});

test('more than are numbered at once are all there for the first reader', async () => {
  const shop = await service.createMerchant();
  await emitEvents(service.db, shop.id, many(2_100));
  expect((await shop.call('GET', '/api/v2/events?after=latest')).status).toBe(200);
  expect(await findLastPosition(service.db, shop.id)).toBe(2_100n);
});

/** How the statement that `ask` runs would be carried out. */
async function planOf(ask: (db: Queryable) => Promise<unknown>): Promise<string> {
  let plan = '';
  await ask({
    query: async (text, values) => {
      const rows = await service.db.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return [];
    },
  });
  return plan;
}
