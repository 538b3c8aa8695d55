import { beforeAll, describe, expect, test } from 'vitest';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const PATH = '/api/b2b/merchants/terminals';

describe('POST /api/b2b/merchants/terminals', () => {
  test.each([[{ name: 'Counter 1' }], [{ name: null }], [{}], [{ name: 'x'.repeat(128) }]])(
    '200 for %j',
    async (body) => {
      const answer = await shop.call('POST', PATH, body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: (body as { name?: string | null }).name ?? null,
        isActive: true,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    },
  );

  test.each([
    [{ name: '' }],
    [{ name: 'x'.repeat(129) }],
    [{ name: 5 }],
    [{ label: 'x' }],
    [{ name: 'a\tb' }],
    [undefined],
  ])('400 for %j, and nothing is written', async (body) => {
    const before = (await shop.call('GET', PATH)).text;
    expect((await shop.call('POST', PATH, body)).status).toBe(400);
    expect((await shop.call('GET', PATH)).text).toBe(before);
  });

  test('the same Idempotency-Key: same bytes, one terminal; another body: 409', async () => {
    const merchant = await service.createMerchant();
    const headers = { 'idempotency-key': 'any text up to 255' };
    const [first, second] = await Promise.all(
      [1, 2].map(() => merchant.call('POST', PATH, { name: 'A' }, headers)),
    );
    const third = await merchant.call('POST', PATH, { name: 'A' }, headers);
    expect(new Set([first!.text, second!.text, third.text]).size).toBe(1);
    expect(third.headers.get('idempotent-replayed')).toBe('true');
    const other = await merchant.call('POST', PATH, { name: 'B' }, headers);
    expect([other.status, other.body.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect((await merchant.call('GET', PATH)).body).toHaveLength(1);
    for (const key of ['x'.repeat(256), 'ü']) {
      const encoded = Buffer.from(key, 'utf8').toString('latin1');
      expect((await merchant.call('POST', PATH, {}, { 'idempotency-key': encoded })).status).toBe(400);
    }
  });
});

describe('GET /api/b2b/merchants/terminals', () => {
  test('200 with a bare array, newest first, of this merchant only', async () => {
    const merchant = await service.createMerchant();
    expect((await merchant.call('GET', PATH)).text).toBe('[]');
    for (const name of ['a', 'b', 'c']) await merchant.call('POST', PATH, { name });
    const { body } = await merchant.call('GET', PATH);
    expect(body.map((terminal: { name: string }) => terminal.name)).toEqual(['c', 'b', 'a']);
  });
});
