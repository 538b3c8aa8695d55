import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../../../test/support/service.ts';
import { brokenInvariants, type UsageShop, usageShop } from '../../../test/support/usage.ts';

let service: TestService;
let shop: UsageShop;

beforeAll(async () => {
  service = await testService();
  shop = await usageShop(service, { usageCredits: { tokens: 2 } });
});

describe.each(['/api/v2/usage/batch', '/api/usage/batch'])('POST %s', (path) => {
  const send = (records: unknown) => shop.call('POST', path, { records });

  test('200 answers each record separately, in order', async () => {
    const customerId = await shop.createCustomer(5);
    const known = shop.usage();
    const { body: first } = await shop.call('POST', '/api/v2/usage', known);
    const twin = shop.usage({ quantity: 4 });
    const spending = () => shop.usage({ metric: 'tokens', customerId });
    const answer = await send([
      shop.usage({ quantity: 7 }),
      known,
      { ...known, quantity: 2 },
      twin,
      twin,
      { ...twin, metric: 'other' },
      spending(),
      spending(),
      spending(),
      shop.usage({ quantity: 0 }),
      shop.usage({ customerId: randomUUID() }),
      shop.usage({ projectId: randomUUID() }),
      shop.usage({ subscriptionId: randomUUID() }),
      'nonsense',
      null,
      [],
      {},
    ]);
    expect(answer.status).toBe(200);
    const told = answer.body.results.map(
      (result: {
        status: number;
        record?: { duplicate: boolean };
        error?: { code: string; message: string };
      }) =>
        result.error
          ? [result.status, result.error.code, result.error.message.split(' ')[0]]
          : [result.status, result.record!.duplicate],
    );
    expect(told).toEqual([
      [200, false],
      [200, true],
      [409, 'IDEMPOTENCY_CONFLICT', 'This'],
      [200, false],
      [200, true],
      [409, 'IDEMPOTENCY_CONFLICT', 'This'],
      [200, false],
      [200, false],
      [402, 'INSUFFICIENT_BALANCE', 'The'],
      [400, 'BAD_REQUEST', 'quantity'],
      [400, 'BAD_REQUEST', 'customerId'],
      [400, 'BAD_REQUEST', 'projectId'],
      [400, 'BAD_REQUEST', 'subscriptionId'],
      [400, 'BAD_REQUEST', 'record'],
      [400, 'BAD_REQUEST', 'record'],
      [400, 'BAD_REQUEST', 'record'],
      [400, 'BAD_REQUEST', 'projectId'],
    ]);
    expect(answer.body.results[1].record).toEqual({ ...first, duplicate: true });
    expect(Object.keys(answer.body.results[0])).toEqual(['status', 'record']);
    expect(Object.keys(answer.body.results[9])).toEqual(['status', 'error']);
    expect(await shop.creditsOf(customerId)).toBe(1n);
    expect(await brokenInvariants(service)).toEqual([]);
  });

  test('of records with one key the first counts, whatever the others cost', async () => {
    const customerId = await shop.createCustomer(10);
    const [first, second] = [randomUUID(), randomUUID()];
    const tokens = { metric: 'tokens', customerId };
    const { body } = await send([
      shop.usage({ ...tokens, idempotencyKey: first, quantity: 3 }),
      shop.usage({ idempotencyKey: first }),
      shop.usage({ ...tokens, idempotencyKey: second, quantity: 50 }),
      shop.usage({ idempotencyKey: second }),
    ]);
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([200, 409, 402, 200]);
    expect(await shop.creditsOf(customerId)).toBe(4n);
    expect(await brokenInvariants(service)).toEqual([]);
  });

  test('1,000 records, half of them for credits, and the whole batch again: each counted once', async () => {
    const customerId = await shop.createCustomer(1_000);
    const count = await shop.countRecords();
    const records = Array.from({ length: 1_000 }, (_, i) =>
      shop.usage(i % 2 ? { metric: 'tokens', customerId } : { customerId }),
    );
    for (const duplicate of [false, true]) {
      const { status, body } = await send(records);
      expect(status).toBe(200);
      expect(body.results.map((result: { record: object }) => result.record)).toMatchObject(
        records.map((record) => ({ ...record, duplicate })),
      );
    }
    expect(await shop.countRecords()).toBe(count + 1_000);
    expect(await shop.creditsOf(customerId)).toBe(0n);
    expect(await brokenInvariants(service)).toEqual([]);
  });

  test('400 for no record, for more than 1,000, and for what is no list', async () => {
    for (const records of [[], Array.from({ length: 1_001 }, () => shop.usage()), {}, undefined]) {
      const answer = await send(records);
      expect([answer.status, answer.body.error.message.split(' ')[0]]).toEqual([400, 'records']);
    }
  });

  test('413 in the envelope beyond 1 MiB, while other routes stop at 64 KiB', async () => {
    const roomy = { records: [shop.usage({ idempotencyKey: 'x'.repeat(1_000_000) })] };
    expect((await shop.call('POST', path, roomy)).body.results[0].status).toBe(400);
    const tooLarge = { records: [shop.usage({ idempotencyKey: 'x'.repeat(1_048_576) })] };
    for (const [where, body, limit] of [
      [path, tooLarge, '1024 KiB'],
      [path.replace('/batch', ''), roomy, '64 KiB'],
    ] as const) {
      const answer = await shop.call('POST', where, body);
      expect([answer.status, answer.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(answer.body.error.message).toContain(limit);
    }
  });

  test('a batch counts once against the request limit of each project it names; beyond it those records are 429', async () => {
    const limited = await shop.createProject();
    await service.db.query('update projects set monthly_request_limit = 1 where id = $1', [limited]);
    const records = [shop.usage({ projectId: limited }), shop.usage(), shop.usage({ projectId: limited })];
    const statuses = async () =>
      (await send(records)).body.results.map((result: { status: number }) => result.status);
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await statuses()).toEqual([429, 200, 429]);
  });
});
