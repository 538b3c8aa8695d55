import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  newAddress,
  PAYOUT,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Café Zoë');
});

describe('GET /api/b2b/merchants/me', () => {
  test('200 with exactly the documented fields', async () => {
    const { status, body } = await shop.call('GET', '/api/b2b/merchants/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: shop.id,
      name: 'Café Zoë',
      payoutAddress: PAYOUT,
      webhookUrl: null,
      webhookSecret: shop.webhookSecret,
      rawApiKey: null,
      verificationStatus: 2,
      logoUrl: null,
      timeZone: 'UTC',
    });
  });

  test('200 hides the webhook secret from a key that lacks any scope', async () => {
    const key = await shop.keyWith(['billing:read', 'billing:write', 'payments:read']);
    const { status, body } = await call(`${service.url}/api/b2b/merchants/me`, 'GET', undefined, {
      authorization: `Bearer ${key}`,
    });
    expect([status, body.webhookSecret, body.rawApiKey]).toEqual([200, null, null]);
  });

  test('401 without a key; 400 for a query parameter', async () => {
    expect((await call(`${service.url}/api/b2b/merchants/me`, 'GET')).status).toBe(401);
    expect((await shop.call('GET', '/api/b2b/merchants/me?x=1')).body.error.message).toBe(
      'x is not a known parameter',
    );
  });

  test.each(['lookupKey=%00', 'lookupKey=%ED%A0%80', 'metadata=a:%00'])(
    '400 names the parameter: %s',
    async (query) => {
      const { status, body } = await shop.call('GET', `/api/v2/prices?${query}`);
      const name = query.split('=')[0];
      expect([status, body.error.message]).toEqual([
        400,
        `${name} has an unreadable value: it must be UTF-8 text without a null character`,
      ]);
    },
  );
});

describe('PATCH /api/b2b/merchants/webhook', () => {
  const patch = (body: unknown) => shop.call('PATCH', '/api/b2b/merchants/webhook', body);

  test('204 without a body, and the profile shows it', async () => {
    const longest = `https://example.com/${'x'.repeat(2048 - 20)}`;
    for (const webhookUrl of ['https://example.com/hook?a=1', longest, 'http://127.0.0.1:9/x']) {
      const answer = await patch({ webhookUrl });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect((await shop.call('GET', '/api/b2b/merchants/me')).body.webhookUrl).toBe(webhookUrl);
    }
    const audit = await service.db.query(
      'select actor, detail from audit_entries where action = $1 order by id',
      ['merchant.webhook_url_changed'],
    );
    expect(audit).toHaveLength(3);
  });

  test.each([
    [{ url: 'https://example.com' }, 'url'],
    [{ webhookUrl: 'https://example.com', url: 'x' }, 'url'],
    [{}, 'webhookUrl'],
    [{ webhookUrl: null }, 'webhookUrl'],
    [{ webhookUrl: '' }, 'webhookUrl'],
    [{ webhookUrl: 'nonsense' }, 'webhookUrl'],
    [{ webhookUrl: 'https://example.com/hook#part' }, 'webhookUrl'],
    [{ webhookUrl: 'https://example.com/#' }, 'webhookUrl'],
    [{ webhookUrl: '/relative' }, 'webhookUrl'],
    [{ webhookUrl: 'ftp://example.com' }, 'webhookUrl'],
    [{ webhookUrl: 'javascript:alert(1)' }, 'webhookUrl'],
    [{ webhookUrl: 'https:example.com' }, 'webhookUrl'],
    [{ webhookUrl: 'https://user:pass@example.com' }, 'webhookUrl'],
    [{ webhookUrl: `https://example.com/${'x'.repeat(2029)}` }, 'webhookUrl'],
    [{ webhookUrl: 'https://exa mple.com' }, 'webhookUrl'],
    [{ webhookUrl: 'https://example.com\n' }, 'webhookUrl'],
  ])('400 for %j', async (body, field) => {
    const before = (await shop.call('GET', '/api/b2b/merchants/me')).text;
    const answer = await patch(body);
    expect([answer.status, answer.body.error.message.split(' ')[0]]).toEqual([400, field]);
    expect((await shop.call('GET', '/api/b2b/merchants/me')).text).toBe(before);
  });

  test('400 for http where the operator does not allow it', async () => {
    const strict = await testService({ WEBHOOK_ALLOW_HTTP: 'false' });
    const merchant = await strict.createMerchant();
    const answer = await merchant.call('PATCH', '/api/b2b/merchants/webhook', {
      webhookUrl: 'http://example.com',
    });
    expect(answer.body.error.message).toBe('webhookUrl must start with https://');
  });
});

describe('a webhook URL that can never be reached', () => {
  const NEVER = [
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://localhost/',
    'https://shop.localhost./',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'https://192.168.0.10:8443/',
    'https://169.254.169.254/latest',
    'https://[fe80::1]/',
    'https://0.0.0.0/',
  ];

  test.each([
    ['where private targets are not allowed', { WEBHOOK_ALLOW_PRIVATE: 'false' }],
    ['on mainnet', { FLORIN_NETWORK: 'mainnet', SOLANA_RPC_URLS: 'http://127.0.0.1:1' }],
  ])('400 %s; a name, or a public address, may be set', async (_where, settings) => {
    const strict = await testService({ ...settings, RATE_LIMIT_KEY_PER_SECOND: '0' });
    const merchant = await strict.createMerchant();
    const patch = (webhookUrl: string) =>
      merchant.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl });
    for (const url of NEVER) {
      const answer = await patch(url);
      expect([url, answer.status]).toEqual([url, 400]);
      expect(answer.body.error.message).toMatch(/^webhookUrl cannot be reached: \S+ is /);
    }
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).body.webhookUrl).toBeNull();
    for (const url of ['https://localhost.example/', 'https://8.8.8.8/', 'https://inside.example/'])
      expect([url, (await patch(url)).status]).toEqual([url, 204]);
  });

  test('204 in the sandbox for this machine and private networks, as the guide says', async () => {
    for (const host of [
      'localhost:8787',
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.0.10',
      '100.64.0.1',
    ]) {
      const answer = await shop.call('PATCH', '/api/b2b/merchants/webhook', {
        webhookUrl: `http://${host}/`,
      });
      expect([host, answer.status]).toEqual([host, 204]);
    }
  });

  test('400 for a link-local address even where private ones are allowed', async () => {
    const answer = await shop.call('PATCH', '/api/b2b/merchants/webhook', {
      webhookUrl: 'http://169.254.169.254/latest',
    });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'webhookUrl cannot be reached: 169.254.169.254 is a metadata service of a cloud provider',
    ]);
  });
});

describe('DELETE /api/b2b/merchants/webhook', () => {
  const PATH = '/api/b2b/merchants/webhook';

  test('204: the URL is gone, audited once; 204 when none is set', async () => {
    const merchant = await service.createMerchant('Leaving');
    await merchant.call('PATCH', PATH, { webhookUrl: 'https://example.com/hook' });
    for (let times = 0; times < 2; times++) {
      const answer = await merchant.call('DELETE', PATH);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect((await merchant.call('GET', '/api/b2b/merchants/me')).body.webhookUrl).toBeNull();
    }
    const audit = await service.db.query<{ detail: object }>(
      `select detail from audit_entries where merchant_id = $1 and action = 'merchant.webhook_url_changed' order by id`,
      [merchant.id],
    );
    expect(audit.map(({ detail }) => detail)).toEqual([
      { from: null, to: 'https://example.com/hook' },
      { from: 'https://example.com/hook', to: null },
    ]);
  });

  test('403 for a key without all four scopes, which names every one it lacks', async () => {
    const merchant = await service.createMerchant('Kept');
    await merchant.call('PATCH', PATH, { webhookUrl: 'https://example.com/hook' });
    const { body } = await merchant.call('POST', '/api/b2b/merchants/generate-key', {
      scopes: ['billing:write', 'payments:write'],
    });
    const answer = await merchant.call('DELETE', PATH, undefined, {
      authorization: `Bearer ${body.apiKey}`,
    });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(answer.body.error.message).toContain('billing:read, payments:read');
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).body.webhookUrl).not.toBeNull();
  });
});

describe('PATCH /api/b2b/merchants/payout-address', () => {
  test('200, audited, for new intents only; 400 for anything that is no address', async () => {
    const first = newAddress();
    const merchant = await service.createMerchant('Mover', first);
    const before = await merchant.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'a' });
    const next = newAddress();
    const set = await merchant.call('PATCH', '/api/b2b/merchants/payout-address', { payoutAddress: next });
    expect([set.status, set.body.payoutAddress]).toEqual([200, next]);
    const after = await merchant.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'b' });
    expect(after.body.destinationAddress).toBe(next);
    expect(
      (await merchant.call('GET', `/api/merchants/intents/${before.body.id}`)).body.destinationAddress,
    ).toBe(first);
    const [entry] = await service.db.query<{ detail: object }>(
      `select detail from audit_entries where merchant_id = $1 and action = 'merchant.payout_address_changed'`,
      [merchant.id],
    );
    expect(entry!.detail).toEqual({ from: first, to: next });
    for (const payoutAddress of [
      '',
      'x',
      '0x52908400098527886E0F7030069857D2E4169EE7',
      'O'.repeat(44),
      null,
    ]) {
      expect(
        (await merchant.call('PATCH', '/api/b2b/merchants/payout-address', { payoutAddress })).status,
      ).toBe(400);
    }
  });
});

describe('POST /api/b2b/merchants/generate-webhook-secret', () => {
  test('200 with a new secret; the old one stays sealed beside it for 24 hours', async () => {
    const merchant = await service.createMerchant();
    const { status, body } = await merchant.call('POST', '/api/b2b/merchants/generate-webhook-secret');
    expect(status).toBe(200);
    expect(body.webhookSecret).toMatch(/^whsec_[0-9A-Za-z]{40}$/);
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).body.webhookSecret).toBe(body.webhookSecret);
    const [row] = await service.db.query<{
      previousWebhookSecret: Buffer;
      previousWebhookSecretUntil: Date;
    }>('select previous_webhook_secret, previous_webhook_secret_until from merchants where id = $1', [
      merchant.id,
    ]);
    expect(service.secrets.open(row!.previousWebhookSecret)).toBe(merchant.webhookSecret);
    expect(row!.previousWebhookSecretUntil.toISOString()).toBe(body.previousSecretExpiresAt);
  });

  test('409 when its Idempotency-Key is used again: a secret is not repeated, and not changed twice', async () => {
    const merchant = await service.createMerchant();
    const headers = { 'idempotency-key': 'rotate-1' };
    const first = await merchant.call(
      'POST',
      '/api/b2b/merchants/generate-webhook-secret',
      undefined,
      headers,
    );
    const again = await merchant.call('POST', '/api/b2b/merchants/generate-webhook-secret', {}, headers);
    expect([first.status, again.status, again.body.error.code]).toEqual([200, 409, 'IDEMPOTENCY_CONFLICT']);
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).body.webhookSecret).toBe(
      first.body.webhookSecret,
    );
    const [row] = await service.db.query<{ answer: string | null }>(
      'select answer from idempotency_keys where merchant_id = $1',
      [merchant.id],
    );
    expect(row!.answer).toBeNull();
  });
});

describe('on mainnet', () => {
  test('403 MERCHANT_NOT_VERIFIED on stats, webhook, terminals and every create until verified; reads work', async () => {
    const mainnet = await testService({
      FLORIN_NETWORK: 'mainnet',
      SOLANA_RPC_URLS: 'http://127.0.0.1:1',
      RATE_LIMIT_KEY_PER_SECOND: '0',
    });
    const merchant = await mainnet.createMerchant();
    expect(merchant.key).toMatch(/^fl_live_/);
    await mainnet.db.query('update merchants set verification_status = 1');
    const calls: [string, string, unknown?][] = [
      ['GET', '/api/b2b/merchants/stats'],
      ['PATCH', '/api/b2b/merchants/webhook', { webhookUrl: 'https://example.com' }],
      ['GET', '/api/b2b/merchants/terminals'],
      ['POST', '/api/b2b/merchants/terminals', {}],
      ['POST', '/api/merchants/intents', { amountCents: 1, orderId: 'a' }],
      ['POST', '/api/b2b/merchants/generate-key', {}],
    ];
    for (const [method, path, body] of calls) {
      const answer = await merchant.call(method, path, body);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'MERCHANT_NOT_VERIFIED']);
    }
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).body.verificationStatus).toBe(1);
    expect((await merchant.call('GET', '/api/merchants/intents')).status).toBe(200);
    await mainnet.db.query('update merchants set verification_status = 2');
    mainnet.app.authenticator.forget(merchant.id);
    for (const [method, path, body] of calls) {
      expect((await merchant.call(method, path, body)).status).toBeLessThan(300);
    }
  });
});

describe('the brand', () => {
  const PATH = '/api/b2b/merchants/brand';

  test('200: what is named changes, the rest stays, null clears the colour; one audit row for each change', async () => {
    const merchant = await service.createMerchant('Before');
    expect((await merchant.call('GET', PATH)).body).toEqual({
      name: 'Before',
      brandColor: null,
      logoUrl: null,
    });
    const colour = await merchant.call('PATCH', PATH, { brandColor: '#1A7F5a' });
    expect([colour.status, colour.body]).toEqual([
      200,
      { name: 'Before', brandColor: '#1a7f5a', logoUrl: null },
    ]);
    expect((await merchant.call('PATCH', PATH, { name: 'After' })).body).toEqual({
      name: 'After',
      brandColor: '#1a7f5a',
      logoUrl: null,
    });
    expect((await merchant.call('PATCH', PATH, { brandColor: null })).body.brandColor).toBeNull();
    expect((await merchant.call('PATCH', PATH, {})).body).toEqual({
      name: 'After',
      brandColor: null,
      logoUrl: null,
    });
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).body.name).toBe('After');
    const rows = await service.db.query(
      `select from audit_entries where merchant_id = $1 and action = 'merchant.brand_changed'`,
      [merchant.id],
    );
    expect(rows).toHaveLength(3);
  });

  test('400 for what is no colour or no name', async () => {
    for (const body of [
      { brandColor: 'red' },
      { brandColor: '#12345' },
      { brandColor: '#1234567' },
      { brandColor: '#12345g' },
      { brandColor: '' },
      { name: '' },
      { name: null },
      { payoutAddress: 'x' },
    ]) {
      expect([body, (await shop.call('PATCH', PATH, body)).status]).toEqual([body, 400]);
    }
  });
});
