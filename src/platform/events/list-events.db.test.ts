import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../../../test/support/service.ts';
import { emitEvents } from '../../../test/support/webhooks.ts';
import { addSeconds, realNow } from '../lib/clock.ts';
import { appendEvents } from './append-events.ts';
import { listNewestEvents } from './queries.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

const idsOf = (body: { data: { id: string }[] }) => body.data.map((event) => event.id);

/** Writes one event of each name, a minute apart, and answers their ids. */
async function write(merchantId: string, names: readonly string[], from = realNow()): Promise<string[]> {
  const ids: string[] = [];
  for (const [minute, event] of names.entries()) {
    const objectId = randomUUID();
    const what = { event, objectType: 'test', status: 'x', previousStatus: null, sequence: 1, data: {} };
    ids.push(
      ...(await service.db.transaction((tx) =>
        appendEvents(
          tx,
          [{ merchantId, ...what, objectId, orderingKey: objectId }],
          addSeconds(from, minute * 60),
        ),
      )),
    );
  }
  return ids;
}

describe.each(['/api/v2/events', '/api/events'])('GET %s', (path) => {
  test('200 newest first, page by page, each once; a last page without a cursor', async () => {
    const shop = await service.createMerchant();
    const ids = await write(shop.id, Array(7).fill('invoice.paid'));
    const got: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await shop.call('GET', `${path}?limit=3${cursor}`);
      got.push(...idsOf(body));
      expect(body.hasMore).toBe(body.nextCursor !== null);
      if (!body.hasMore) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(got).toEqual(ids.toReversed());
  });

  test('200 with the stored bytes, digit for digit', async () => {
    const shop = await service.createMerchant();
    expect((await shop.call('GET', path)).text).toBe('{"data":[],"hasMore":false,"nextCursor":null}');
    await emitEvents(service.db, shop.id, [randomUUID(), randomUUID()]);
    const rows = await service.db.query<{ body: string }>(
      'select body from events where merchant_id = $1 order by id desc',
      [shop.id],
    );
    const { text } = await shop.call('GET', path);
    expect(text).toBe(
      `{"data":[${rows.map((row) => row.body).join(',')}],"hasMore":false,"nextCursor":null}`,
    );
    expect(text).toContain('"amountCents":9223372036854775807');
  });

  test('200 only the event asked for, and only from the time asked for', async () => {
    const shop = await service.createMerchant();
    const from = new Date('2026-02-01T00:00:00Z');
    const [paid, voided, again] = await write(
      shop.id,
      ['invoice.paid', 'invoice.voided', 'invoice.paid'],
      from,
    );
    const list = async (query: string) => idsOf((await shop.call('GET', `${path}?${query}`)).body);
    expect(await list('event=invoice.paid')).toEqual([again, paid]);
    expect(await list('event=invoice.pai')).toEqual([]);
    expect(await list('createdFrom=2026-02-01T00:01:00Z')).toEqual([again, voided]);
    expect(await list('createdTo=2026-02-01T00:01:00Z')).toEqual([paid]);
    expect(await list('event=invoice.paid&createdFrom=2026-02-01T00:01:00Z')).toEqual([again]);
  });

  test('200 one’s own only', async () => {
    const [alice, mallory] = [await service.createMerchant(), await service.createMerchant()];
    await write(alice.id, ['invoice.paid', 'invoice.paid']);
    const { nextCursor } = (await alice.call('GET', `${path}?limit=1`)).body;
    expect((await mallory.call('GET', `${path}?cursor=${nextCursor}`)).body.data).toEqual([]);
    expect((await mallory.call('GET', path)).body.data).toEqual([]);
  });

  test('400 for a cursor that is none, a bad limit, a time that is none', async () => {
    const shop = await service.createMerchant();
    for (const query of ['cursor=', 'cursor=x', 'limit=0', 'limit=101', 'createdFrom=soon', 'order=asc'])
      expect([query, (await shop.call('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
  });
});

test('a page is found by the index in order, however many events there are', async () => {
  const shop = await service.createMerchant();
  await service.db.query(
    `insert into events (merchant_id, id, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
     select $1, uuidv7(), 'e', 'o', uuidv7(), 1, 's', $1, '{}', now() from generate_series(1, 20000)`,
    [shop.id],
  );
  await service.db.query('vacuum analyze events');
  let plan = '';
  await listNewestEvents(
    {
      query: async (text, values) => {
        const rows = await service.db.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        return [];
      },
    },
    shop.id,
    undefined,
    {
      beforeId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      fromId: '00000000-0000-0000-0000-000000000000',
      limit: 21,
    },
  );
  expect(plan).toMatch(/Index Scan Backward using events_pkey/);
  expect(plan).not.toMatch(/Sort|Seq Scan/);
});
