import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../../../test/support/service.ts';
import { type UsageShop, usageShop } from '../../../test/support/usage.ts';
import { newId } from '../../platform/lib/ids.ts';
import { insertRecords } from './queries.ts';
import type { UsageRecord } from './usage.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

async function put(shop: UsageShop, at: string, changes: Partial<UsageRecord> = {}): Promise<UsageRecord> {
  const createdAt = new Date(at);
  const record = {
    id: newId(createdAt),
    merchantId: shop.id,
    projectId: shop.projectId,
    metric: 'calls',
    quantity: 1n,
    customerId: null,
    subscriptionId: null,
    idempotencyKey: newId(createdAt),
    credits: 0n,
    createdAt,
    ...changes,
  };
  await insertRecords(service.db, [record]);
  return record;
}

describe.each(['/api/v2/usage', '/api/usage'])('GET %s', (path) => {
  test('200 sums by metric and period: half open, cut at from and to', async () => {
    const shop = await usageShop(service);
    await put(shop, '2026-01-31T23:59:59.999Z', { quantity: 5n });
    await put(shop, '2026-02-01T00:00:00.000Z', { quantity: 7n });
    await put(shop, '2026-02-01T23:59:59.999Z', { metric: 'bytes', quantity: 1_000_000_000n });
    await put(shop, '2026-02-02T00:00:00.000Z', { quantity: 11n });
    const sums = async (query: string) =>
      (await shop.call('GET', `${path}?${query}`)).body.data.map(
        (row: Record<string, unknown>) =>
          [row.metric, row.periodStart, row.periodEnd, row.quantity, row.recordCount] as unknown,
      );
    expect(await sums('')).toEqual([
      ['bytes', null, null, 1_000_000_000, 1],
      ['calls', null, null, 23, 3],
    ]);
    expect(await sums('granularity=month&metric=calls')).toEqual([
      ['calls', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', 18, 2],
      ['calls', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', 5, 1],
    ]);
    const bounds = 'from=2026-01-31T23:59:59.999Z&to=2026-02-02T00:00:00Z';
    expect(await sums(`granularity=day&${bounds}`)).toEqual([
      ['bytes', '2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z', 1_000_000_000, 1],
      ['calls', '2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z', 7, 1],
      ['calls', '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', 5, 1],
    ]);
    expect(await sums(`metric=calls&${bounds}`)).toEqual([
      ['calls', '2026-01-31T23:59:59.999Z', '2026-02-02T00:00:00.000Z', 12, 2],
    ]);
  });

  test('200 with the days and months of the merchant’s time zone, also where clocks change', async () => {
    const shop = await usageShop(service);
    await shop.call('PATCH', '/api/b2b/merchants/me', { timeZone: 'Europe/Berlin' });
    for (const at of [
      '2026-03-28T22:59:59Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
      '2026-03-31T22:00:00Z',
    ])
      await put(shop, at);
    const spans = async (query: string) =>
      (await shop.call('GET', `${path}?${query}`)).body.data.map(
        (row: Record<string, string>) => `${row.periodStart} ${row.periodEnd} ${row.quantity}`,
      );
    expect((await spans('granularity=day')).slice(1, 3)).toEqual([
      '2026-03-29T22:00:00.000Z 2026-03-30T22:00:00.000Z 1',
      '2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z 1',
    ]);
    const months = [
      '2026-03-31T22:00:00.000Z 2026-04-30T22:00:00.000Z 1',
      '2026-02-28T23:00:00.000Z 2026-03-31T22:00:00.000Z 3',
    ];
    expect(await spans('granularity=month')).toEqual(months);
    const first = (await shop.call('GET', `${path}?granularity=month&limit=1`)).body;
    expect(await spans(`granularity=month&cursor=${first.nextCursor}`)).toEqual(months.slice(1));
  });

  test('200 whatever the records: the sums agree with the records, on pages of any size and as CSV', async () => {
    const shops = await Promise.all([usageShop(service), usageShop(service)]);
    const [shop] = shops as [UsageShop, UsageShop];
    const projects = [shop.projectId, await shop.createProject()];
    const customers = await Promise.all(projects.map((project) => shop.createCustomer(0, project)));
    const anyRecord = fc.record({
      atMs: fc.integer({ min: Date.UTC(2026, 0, 30), max: Date.UTC(2026, 2, 2) }),
      project: fc.constantFrom(0, 1),
      metric: fc.constantFrom('a', 'a.b', 'a-b', 'z'),
      quantity: fc.bigInt({ min: 1n, max: 1_000_000_000n }),
      credits: fc.bigInt({ min: 0n, max: 4_611_686_018_427_387_904n }),
      hasCustomer: fc.boolean(),
    });
    const stored: UsageRecord[] = [];
    for (const drawn of fc.sample(anyRecord, 120)) {
      const { atMs, project, hasCustomer, ...rest } = drawn;
      const customerId = hasCustomer ? customers[project]! : null;
      const at = new Date(atMs).toISOString();
      stored.push(await put(shop, at, { ...rest, projectId: projects[project]!, customerId }));
    }
    await put(shops[1]!, '2026-02-01T00:00:00Z', { metric: 'a' });
    const query = fc.record({
      projectId: fc.option(fc.constantFrom(...projects), { nil: undefined }),
      customerId: fc.option(fc.constantFrom(...customers), { nil: undefined }),
      metric: fc.option(fc.constantFrom('a', 'a.b'), { nil: undefined }),
      granularity: fc.constantFrom('total', 'day', 'month'),
      fromMs: fc.option(fc.integer({ min: Date.UTC(2026, 0, 29), max: Date.UTC(2026, 1, 9) }), {
        nil: undefined,
      }),
      toMs: fc.option(fc.integer({ min: Date.UTC(2026, 1, 10), max: Date.UTC(2026, 2, 3) }), {
        nil: undefined,
      }),
      limit: fc.integer({ min: 1, max: 100 }),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ fromMs, toMs, limit, ...rest }) => {
        const chosen = {
          ...rest,
          from: fromMs === undefined ? undefined : new Date(fromMs).toISOString(),
          to: toMs === undefined ? undefined : new Date(toMs).toISOString(),
        };
        const given = Object.entries(chosen).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        );
        const params = new URLSearchParams(given);
        const rows = await readAll(shop, path, params, limit);
        expect(rows.map(bare)).toEqual(expected(stored, chosen).map(bare));
        const csv = await shop.call('GET', `${path}?${params}`, undefined, { accept: 'text/csv' });
        expect(csv.text.trimEnd().split('\r\n')).toHaveLength(rows.length + 1);
      }),
      { numRuns: 25 },
    );
  });

  test('400 for what it cannot read; a foreign id is an empty list', async () => {
    const shop = await usageShop(service);
    const csv = await shop.call('GET', `${path}?cursor=abc`, undefined, { accept: 'text/csv' });
    expect([csv.status, csv.body.error.message]).toEqual([400, 'cursor must be a nextCursor from this list']);
    const stranger = await usageShop(service);
    await put(stranger, '2026-02-01T00:00:00Z');
    for (const [field, query] of [
      ['granularity', 'granularity=hour'],
      ['from', 'from=yesterday'],
      ['to', 'from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z'],
      ['cursor', 'cursor=x'],
      [
        'cursor',
        `cursor=${Buffer.from(`2026-01-01T00:00:00.000Z a ${shop.projectId}`).toString('base64url')}`,
      ],
      ['cursor', `granularity=day&cursor=${Buffer.from(` a ${shop.projectId}`).toString('base64url')}`],
      ['cursor', `granularity=day&cursor=${Buffer.from(`never a ${shop.projectId}`).toString('base64url')}`],
      ['limit', 'limit=101'],
      ['metric', 'metric=A'],
      ['projectId', 'projectId=1'],
    ]) {
      const answer = await shop.call('GET', `${path}?${query}`);
      expect([query, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([query, 400, field]);
    }
    const foreign = await shop.call('GET', `${path}?projectId=${stranger.projectId}`);
    expect(foreign.body).toEqual({ data: [], hasMore: false, nextCursor: null });
  });
});

describe.each(['/api/v2/usage/records', '/api/usage/records'])('GET %s', (path) => {
  test('200 newest first, by page, by filter, and all of them as CSV', async () => {
    const shop = await usageShop(service);
    const customerId = await shop.createCustomer();
    const dates = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
    const [first, second, third] = (await Promise.all([
      put(shop, dates[0]!, { credits: 9_007_199_254_740_993n }),
      put(shop, dates[1]!, { customerId }),
      put(shop, dates[2]!, { metric: 'bytes', idempotencyKey: '=evil' }),
    ])) as [UsageRecord, UsageRecord, UsageRecord];
    const ids = async (query: string) =>
      (await shop.call('GET', `${path}?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([third.id, second.id, first.id]);
    const page = await shop.call('GET', `${path}?limit=2`);
    expect(page.body.hasMore).toBe(true);
    expect(await ids(`limit=2&cursor=${page.body.nextCursor}`)).toEqual([first.id]);
    expect(await ids(`customerId=${customerId}`)).toEqual([second.id]);
    expect(await ids('metric=bytes')).toEqual([third.id]);
    expect(await ids('idempotencyKey=%3Devil')).toEqual([third.id]);
    expect(await ids(`subscriptionId=${customerId}`)).toEqual([]);
    expect(await ids(`createdFrom=${dates[1]}&createdTo=${dates[2]}`)).toEqual([second.id]);
    const csv = await shop.call('GET', path, undefined, { accept: 'text/csv' });
    expect(csv.text.split('\r\n')).toEqual([
      'createdAt,createdDate,customer.name,customer.email,metric,quantity,idempotencyKey,creditsUsed,id,projectId,customerId,subscriptionId',
      `2026-01-03T00:00:00.000Z,2026-01-03,,,bytes,1,'=evil,0,${third.id},${shop.projectId},,`,
      `2026-01-02T00:00:00.000Z,2026-01-02,,,calls,1,${second.idempotencyKey},0,${second.id},${shop.projectId},${customerId},`,
      `2026-01-01T00:00:00.000Z,2026-01-01,,,calls,1,${first.idempotencyKey},9007199254740993,${first.id},${shop.projectId},,`,
      '',
    ]);
  });
});

interface SumRow {
  projectId: string;
  metric: string;
  periodStart: string | null;
  periodEnd: string | null;
  quantity: bigint | number;
  recordCount: bigint | number;
  creditsUsed: bigint | number;
}

async function readAll(
  shop: UsageShop,
  path: string,
  params: URLSearchParams,
  limit: number,
): Promise<SumRow[]> {
  const rows: SumRow[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await shop.call('GET', `${path}?${params}&limit=${limit}${cursor}`);
    rows.push(...body.data);
    expect(body.data.length).toBe(body.hasMore ? limit : Math.min(limit, body.data.length));
    if (!body.hasMore) return rows;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

interface Asked {
  granularity: string;
  projectId?: string | undefined;
  customerId?: string | undefined;
  metric?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The same sums, made the slow and obvious way. */
function expected(records: readonly UsageRecord[], asked: Asked): SumRow[] {
  const { granularity, projectId, customerId, metric, from, to } = asked;
  const groups = new Map<string, SumRow>();
  for (const record of records) {
    const at = record.createdAt.toISOString();
    if (projectId && record.projectId !== projectId) continue;
    if (customerId && record.customerId !== customerId) continue;
    if (metric && record.metric !== metric) continue;
    if ((from && at < from) || (to && at >= to)) continue;
    const start = {
      total: '',
      month: `${at.slice(0, 7)}-01T00:00:00.000Z`,
      day: `${at.slice(0, 10)}T00:00:00.000Z`,
    }[granularity]!;
    const name = `${start} ${record.metric} ${record.projectId}`;
    const group = groups.get(name) ?? {
      projectId: record.projectId,
      metric: record.metric,
      periodStart: start === '' ? (from ?? null) : from && from > start ? from : start,
      periodEnd: null,
      quantity: 0n,
      recordCount: 0n,
      creditsUsed: 0n,
    };
    group.quantity = BigInt(group.quantity) + record.quantity;
    group.recordCount = BigInt(group.recordCount) + 1n;
    group.creditsUsed = BigInt(group.creditsUsed) + record.credits;
    groups.set(name, group);
  }
  const max = 9_223_372_036_854_775_807n;
  return [...groups]
    .sort(([a], [b]) => comparePlaces(a, b))
    .map(([, group]) => ({
      ...group,
      creditsUsed: BigInt(group.creditsUsed) > max ? max : group.creditsUsed,
    }));
}

function comparePlaces(a: string, b: string): number {
  const [aStart, ...aName] = a.split(' ');
  const [bStart, ...bName] = b.split(' ');
  if (aStart !== bStart) return aStart! > bStart! ? -1 : 1;
  return aName.join(' ') < bName.join(' ') ? -1 : 1;
}

function bare(row: SumRow) {
  const { projectId, metric, periodStart, quantity, recordCount, creditsUsed } = row;
  return [projectId, metric, periodStart, BigInt(quantity), BigInt(recordCount), BigInt(creditsUsed)].map(
    String,
  );
}
