import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { mintKey, SCOPES } from './key.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const withKey = (key: string, method: string, path: string, body?: unknown) =>
  call(service.url + path, method, body, { authorization: `Bearer ${key}` });

describe('Authorization', () => {
  test('401, one same answer, for a missing, malformed, unknown, revoked, expired and foreign-environment key', async () => {
    const revoked = await shop.keyWith(SCOPES);
    const list = await shop.call('GET', '/api/b2b/merchants/keys');
    await shop.call('DELETE', `/api/b2b/merchants/keys/${list.body[0].id}`);
    const expiring = await shop.keyWith(SCOPES, new Date(service.clock.now().getTime() + 3_600_000));
    expect((await withKey(expiring, 'GET', '/api/b2b/merchants/me')).status).toBe(200);
    service.clock.setOffsetMs(3_600_001);
    const headers = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: 'Basic Zm9vOmJhcg==' },
      { authorization: shop.key },
      { authorization: `Bearer ${shop.key}x` },
      { authorization: `Bearer ${shop.key.slice(0, -1)}` },
      { authorization: `Bearer ${mintKey('devnet').raw}` },
      { authorization: `Bearer ${mintKey('mainnet').raw}` },
      { authorization: `Bearer ${revoked}` },
      { authorization: `Bearer ${expiring}` },
    ] as Record<string, string>[];
    const answers = await Promise.all(
      headers.map((header) => call(`${service.url}/api/b2b/merchants/me`, 'GET', undefined, header)),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="florin"');
      expect(answer.body.error).toEqual({ ...answers[0]!.body.error, traceId: answer.body.error.traceId });
      expect(answer.body.error.code).toBe('UNAUTHORIZED');
    }
    expect(
      (
        await call(`${service.url}/api/b2b/merchants/me`, 'GET', undefined, {
          authorization: `bearer ${shop.key}`,
        })
      ).status,
    ).toBe(200);
  });

  test('a key revoked elsewhere is refused here within its second of freshness', async () => {
    const merchant = await service.createMerchant();
    await merchant.call('GET', '/api/b2b/merchants/me');
    await service.db.query('update api_keys set revoked_at = now() where merchant_id = $1', [merchant.id]);
    const deadline = performance.now() + 30_000;
    let status = 200;
    while (status === 200 && performance.now() < deadline)
      status = (await merchant.call('GET', '/api/b2b/merchants/me')).status;
    expect(status).toBe(401);
  });

  test('last use is kept', async () => {
    const merchant = await service.createMerchant();
    await merchant.call('GET', '/api/b2b/merchants/me');
    const deadline = performance.now() + 30_000;
    let lastUsedAt = null;
    while (lastUsedAt === null && performance.now() < deadline) {
      lastUsedAt = (await merchant.call('GET', '/api/b2b/merchants/keys')).body[0].lastUsedAt;
    }
    expect(lastUsedAt).not.toBeNull();
  });
});

/** Before what a single field of the body needs besides. */
const lackOf = (answer: TestAnswer): string => answer.body.error.message.split('. ')[0];

describe('scopes', () => {
  test('there are routes of each kind: src/routes.txt shows what each needs', () => {
    const keyed = service.app.routeDescriptions.filter((route) => route.scopes);
    expect(keyed.length).toBeGreaterThan(250);
    expect(new Set(keyed.map(({ scopes }) => scopes!.length))).toEqual(new Set([0, 1, 2, 4]));
  });

  test('403 INSUFFICIENT_SCOPE names every missing scope, for every route and every subset of scopes that lacks one', async () => {
    const subsets = Array.from({ length: 15 }, (_, bits) =>
      SCOPES.filter((_scope, i) => (bits + 1) & (1 << i)),
    );
    for (const scopes of subsets) {
      const key = await shop.keyWith(scopes);
      for (const { id, method, path, scopes: wanted } of service.app.routeDescriptions) {
        if (!wanted) continue;
        const answer = await withKey(
          key,
          method,
          path.replace(/\{\w+\}/g, randomUUID()),
          method === 'GET' ? undefined : '{"?":1}',
        );
        const missing = SCOPES.filter((scope) => wanted.includes(scope) && !scopes.includes(scope));
        if (missing.length > 0) {
          expect([id, scopes, answer.status, answer.body.error.code]).toEqual([
            id,
            scopes,
            403,
            'INSUFFICIENT_SCOPE',
          ]);
          const named = SCOPES.filter((scope) => lackOf(answer).includes(scope));
          expect([id, scopes, named]).toEqual([id, scopes, missing]);
        } else expect([id, scopes, answer.status]).not.toEqual([id, scopes, 403]);
      }
    }
  });
});

describe('POST /api/b2b/merchants/generate-key', () => {
  const generate = (body?: unknown, headers = {}) =>
    shop.call('POST', '/api/b2b/merchants/generate-key', body, headers);

  test('200 with the raw key once, under both names, that works', async () => {
    const { status, body } = await generate({ name: 'Server', scopes: ['payments:read'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Server',
      scopes: ['payments:read'],
      environment: 'devnet',
      expiresAt: null,
    });
    expect(body.rawApiKey).toBe(body.apiKey);
    expect(body.apiKey.startsWith(body.prefix)).toBe(true);
    expect((await withKey(body.apiKey, 'GET', '/api/b2b/merchants/stats')).status).toBe(200);
    const listed = await shop.call('GET', '/api/b2b/merchants/keys');
    expect(listed.text).not.toContain(body.apiKey);
    expect(listed.body.find((key: { id: string }) => key.id === body.id)).toMatchObject({
      prefix: body.prefix,
      revokedAt: null,
    });
    const dump = await service.db.query('select * from api_keys where id = $1', [body.id]);
    expect(JSON.stringify(dump)).not.toContain(body.apiKey);
  });

  test('200 without a body, and with an empty one: all four scopes', async () => {
    for (const body of [undefined, {}]) {
      expect((await generate(body)).body.scopes).toEqual([...SCOPES]);
    }
  });

  test('400 for scopes or an expiry beyond the asking key, bad values, unknown fields', async () => {
    const soon = new Date(service.clock.now().getTime() + 3_600_000);
    const limited = await shop.keyWith(SCOPES, soon);
    const later = new Date(soon.getTime() + 1_000).toISOString();
    const over = await withKey(limited, 'POST', '/api/b2b/merchants/generate-key', { expiresAt: later });
    expect([over.status, over.body.error.message.split(' ')[0]]).toEqual([400, 'expiresAt']);
    const inherited = await withKey(limited, 'POST', '/api/b2b/merchants/generate-key', {});
    expect(inherited.body.expiresAt).toBe(soon.toISOString());
    for (const body of [
      { scopes: [] },
      { scopes: ['payments:read', 'payments:read'] },
      { scopes: ['admin'] },
      { scopes: 'payments:read' },
      { expiresAt: '2020-01-01T00:00:00Z' },
      { expiresAt: 'soon' },
      { name: '' },
      { name: 'x'.repeat(256) },
      { role: 'owner' },
      [],
    ]) {
      expect([body, (await generate(body)).status]).toEqual([body, 400]);
    }
  });

  test('revokeExisting ends every other key, the asking one included', async () => {
    const merchant = await service.createMerchant();
    const second = await merchant.keyWith(SCOPES);
    const fresh = await merchant.call('POST', '/api/b2b/merchants/generate-key', { revokeExisting: true });
    expect(fresh.status).toBe(200);
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).status).toBe(401);
    expect((await withKey(second, 'GET', '/api/b2b/merchants/me')).status).toBe(401);
    expect((await withKey(fresh.body.apiKey, 'GET', '/api/b2b/merchants/me')).status).toBe(200);
  });

  test('409 when its Idempotency-Key is used again, and no second key', async () => {
    const merchant = await service.createMerchant();
    const headers = { 'idempotency-key': 'k' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => merchant.call('POST', '/api/b2b/merchants/generate-key', {}, headers)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    expect((await merchant.call('GET', '/api/b2b/merchants/keys')).body).toHaveLength(2);
  });
});

describe('DELETE /api/b2b/merchants/keys/{keyId}', () => {
  test('204, twice as well; 404 for unknown and foreign keys', async () => {
    const { body } = await shop.call('POST', '/api/b2b/merchants/generate-key', {});
    const path = `/api/b2b/merchants/keys/${body.id}`;
    expect((await shop.call('DELETE', path)).status).toBe(204);
    expect((await withKey(body.apiKey, 'GET', '/api/b2b/merchants/me')).status).toBe(401);
    expect((await shop.call('DELETE', path)).status).toBe(204);
    expect((await shop.call('DELETE', `/api/b2b/merchants/keys/${randomUUID()}`)).status).toBe(404);
    const other = await service.createMerchant();
    const theirs = (await other.call('GET', '/api/b2b/merchants/keys')).body[0].id;
    expect((await shop.call('DELETE', `/api/b2b/merchants/keys/${theirs}`)).status).toBe(404);
    expect((await other.call('GET', '/api/b2b/merchants/me')).status).toBe(200);
    const audit = await service.db.query(
      `select from audit_entries where action = 'api_key.revoked' and target_id = $1`,
      [body.id],
    );
    expect(audit).toHaveLength(1);
  });
});
