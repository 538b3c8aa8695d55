import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import { emitEvents, eventually } from '../../test/support/webhooks.ts';
import { realNow } from '../lib/clock.ts';
import { appendEvents } from './append-events.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

const idsOf = (body: { data: { id: string }[] }) => body.data.map((event) => event.id);
const many = (count: number) => Array.from({ length: count }, () => randomUUID());

/** Everything there is, page by page, as a receiver would. Other tests' transactions may delay the newest. */
async function pullAll(shop: TestMerchant, path: string, wanted: number, limit = 7): Promise<string[]> {
  const got: string[] = [];
  let after = '';
  await eventually(async () => {
    const { body } = await shop.call('GET', `${path}?limit=${limit}${after && `&after=${after}`}`);
    got.push(...idsOf(body));
    after = body.nextCursor ?? '';
    return got.length >= wanted;
  });
  return got;
}

describe.each(['/api/v2/events', '/api/events'])('GET %s', (path) => {
  test('200 in order, page by page, each once, whether a URL is set or not', async () => {
    const shop = await service.createMerchant();
    const ids = await emitEvents(service.db, shop.id, many(30));
    ids.push(...(await emitEvents(service.db, shop.id, many(5))));
    expect(await pullAll(shop, path, 35)).toEqual(ids);
  });

  test('200 with the stored bytes, digit for digit, and a cursor to go on from when nothing is left', async () => {
    const shop = await service.createMerchant();
    const empty = await shop.call('GET', path);
    expect(empty.text).toBe('{"data":[],"hasMore":false,"nextCursor":null}');
    await emitEvents(service.db, shop.id, many(2));
    const full = await eventually(async () => {
      const answer = await shop.call('GET', path);
      return answer.body.data.length === 2 && answer;
    });
    const rows = await service.db.query<{ body: string }>(
      'select body from events where merchant_id = $1 order by written_by, id',
      [shop.id],
    );
    const { nextCursor } = full.body;
    expect(full.text).toBe(
      `{"data":[${rows.map((row) => row.body).join(',')}],"hasMore":false,"nextCursor":"${nextCursor}"}`,
    );
    expect(full.text).toContain('"amountCents":9223372036854775807');
    const after = await shop.call('GET', `${path}?after=${nextCursor}`);
    expect(after.body).toEqual({ data: [], hasMore: false, nextCursor });
    const first = await shop.call('GET', `${path}?limit=1`);
    expect([first.body.hasMore, first.body.data.length]).toEqual([true, 1]);
  });

  test('a late commit is never skipped: nothing is served beyond the oldest transaction that still writes', async () => {
    const shop = await service.createMerchant();
    const written = Promise.withResolvers<string>();
    const held = Promise.withResolvers<void>();
    const late = service.db.transaction(async (tx) => {
      const objectId = randomUUID();
      await appendEvents(
        tx,
        [
          {
            merchantId: shop.id,
            event: 'payment_intent.updated',
            objectType: 'test',
            objectId,
            sequence: 1,
            status: 'x',
            previousStatus: null,
            lane: objectId,
            data: {},
          },
        ],
        realNow(),
      );
      const [row] = await tx.query<{ id: string }>('select id from events where object_id = $1', [objectId]);
      written.resolve(row!.id);
      await held.promise;
    });
    const lateId = await written.promise;
    // Written later, committed earlier.
    const [earlyId] = await emitEvents(service.db, shop.id);
    const meanwhile = await shop.call('GET', path);
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

  test('200 one’s own only; another’s cursor shows nothing of theirs', async () => {
    const [alice, mallory] = [await service.createMerchant(), await service.createMerchant()];
    await emitEvents(service.db, alice.id, many(3));
    const cursor = await eventually(async () => {
      const { body } = await alice.call('GET', `${path}?limit=1`);
      return body.data.length === 1 && body.nextCursor;
    });
    expect((await mallory.call('GET', `${path}?after=${cursor}`)).body.data).toEqual([]);
  });

  test('400 for a cursor that is none, a bad limit, an unknown parameter', async () => {
    const shop = await service.createMerchant();
    const bad = [
      'after=',
      'after=x',
      `after=${'A'.repeat(33)}`,
      `after=${'A'.repeat(31)}!`,
      'limit=0',
      'limit=101',
      'cursor=x',
    ];
    for (const query of bad)
      expect([query, (await shop.call('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
    const furthest = `${'_'.repeat(32)}`;
    expect((await shop.call('GET', `${path}?after=${furthest}`)).status).toBe(200);
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
