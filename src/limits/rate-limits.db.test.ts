import { expect, test } from 'vitest';
import { call, testService } from '../../test/support/service.ts';
import { mintKey } from '../access/key.ts';

test('429 with Retry-After and RateLimit headers when a key exceeds its burst; another key is not affected', async () => {
  const service = await testService({ RATE_LIMIT_KEY_PER_SECOND: '1', RATE_LIMIT_KEY_BURST: '5' });
  const shop = await service.createMerchant();
  const other = await service.createMerchant();
  const answers = [];
  for (let i = 0; i < 20; i++) answers.push(await shop.call('POST', '/api/b2b/merchants/terminals', {}));
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.body.error.code).toBe('RATE_LIMITED');
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refused[0]!.headers.get('ratelimit-limit')).toBe('5');
  expect(refused[0]!.headers.get('ratelimit-remaining')).toBe('0');
  const made = await service.db.query('select from terminals where merchant_id = $1', [shop.id]);
  expect(made).toHaveLength(20 - refused.length);
  expect((await other.call('GET', '/api/b2b/merchants/me')).status).toBe(200);
});

test('429 for usage beyond a limit of its own, which other calls neither use nor share', async () => {
  const service = await testService({
    RATE_LIMIT_KEY_PER_SECOND: '1',
    RATE_LIMIT_KEY_BURST: '1',
    RATE_LIMIT_USAGE_PER_SECOND: '10',
  });
  const shop = await service.createMerchant();
  const answers = await Promise.all(Array.from({ length: 60 }, () => shop.call('POST', '/api/v2/usage', {})));
  expect(answers.filter((answer) => answer.status === 400).length).toBeGreaterThanOrEqual(10);
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.headers.get('ratelimit-limit')).toBe('10');
  const other = await shop.call('GET', '/api/b2b/merchants/me');
  expect([other.status, other.headers.get('ratelimit-limit')]).toEqual([200, '1']);
});

test('429 for an address that keeps guessing keys, right ones included; calls without a key are simply 401', async () => {
  const service = await testService({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '3' });
  const shop = await service.createMerchant();
  const guess = () =>
    call(`${service.url}/api/b2b/merchants/me`, 'GET', undefined, {
      authorization: `Bearer ${mintKey('devnet').raw}`,
    });
  const statuses = [];
  for (let i = 0; i < 6; i++) statuses.push((await guess()).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
  expect((await shop.call('GET', '/api/b2b/merchants/me')).status).toBe(429);
  expect((await call(`${service.url}/health/live`, 'GET')).status).toBe(200);
});

test('in the sandbox nothing is limited by default', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const answers = await Promise.all(
    Array.from({ length: 400 }, () => shop.call('GET', '/api/b2b/merchants/me')),
  );
  expect(answers.every((answer) => answer.status === 200)).toBe(true);
  expect(answers[0]!.headers.get('ratelimit-limit')).toBeNull();
});
