import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { emitEvents, eventually } from '../../../test/support/webhooks.ts';
import type { Queryable } from '../db/database.ts';
import { realNow } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { appendEvents } from './append-events.ts';
import type { NewEvent } from './event.ts';
import { findLastPlace, listEventsAfter } from './queries.ts';

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

/** Everything there is, page by page, as a receiver would. Other tests' transactions may delay the newest. */
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
    expect(empty.text).toBe(`{"data":[],"hasMore":false,"nextCursor":"${'A'.repeat(22)}"}`);
    await emitEvents(service.db, shop.id, many(2));
    const full = await eventually(async () => {
      const answer = await shop.call('GET', fromStart);
      return answer.body.data.length === 2 && answer;
    });
    const rows = await service.db.query<{ body: string }>(
      'select body from events where merchant_id = $1 order by written_by, ordinal',
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

  test('a late commit is never skipped: nothing is served beyond the oldest transaction that still writes', async () => {
    const shop = await service.createMerchant();
    const written = Promise.withResolvers<string>();
    const held = Promise.withResolvers<void>();
    const late = service.db.transaction(async (tx) => {
      const [id] = await appendEvents(tx, [sampleOf(shop)], realNow());
      written.resolve(id!);
      await held.promise;
    });
    const lateId = await written.promise;
    // Written later, committed earlier.
    const [earlyId] = await emitEvents(service.db, shop.id);
    const meanwhile = await shop.call('GET', `${path}?after=earliest`);
    expect(meanwhile.body.data).toEqual([]);
    held.resolve();
    await late;
    expect(await pullAll(shop, path, 2, 1)).toEqual([lateId, earlyId]);
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
    expect((await mallory.call('GET', `${path}?after=${cursor}`)).body.data).toEqual([]);
  });

  test('400 for a cursor that is none, a bad limit, an unknown parameter', async () => {
    const shop = await service.createMerchant();
    const bad = [
      'after=',
      'after=x',
      `after=${'A'.repeat(32)}`,
      `after=${'A'.repeat(21)}!`,
      `after=${'_'.repeat(22)}`,
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
    for (const utmost of [`${'_'.repeat(21)}w`, 'A'.repeat(22)])
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
    `insert into events (merchant_id, id, written_by, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
     select m.id, uuidv7(), (1 + n / 3)::text::xid8, 'e', 'o', uuidv7(), 1, 's', m.id, '{}', now()
       from generate_series(1, 20000) n, unnest($1::uuid[]) m(id)`,
    [[shop.id, other.id]],
  );
  await service.db.query('vacuum analyze events');
  const place = { writtenBy: '3000', ordinal: 1n };
  const asks: ((db: Queryable) => Promise<unknown>)[] = [
    (db) => listEventsAfter(db, shop.id, { place, limit: 101 }),
    (db) => findLastPlace(db, shop.id),
  ];
  for (const ask of asks) {
    const plan = await planOf(ask);
    expect(plan).toMatch(
      /Index Scan( Backward)? using events_as_written|Index Only Scan.* events_as_written/,
    );
    expect(plan).not.toMatch(/Sort|Seq Scan|Filter/);
  }
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
