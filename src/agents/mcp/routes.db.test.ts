import { beforeAll, describe, expect, test } from 'vitest';
import { post, rawCall } from '../../../test/support/mcp.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService({ PUBLIC_URL: 'https://pay.example.com' });
  shop = await service.createMerchant();
});

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const send = (body: unknown, headers: Record<string, string> = {}, method = 'POST') =>
  post(service.url, body, { authorization: `Bearer ${shop.key}`, ...headers }, method);

describe('who may call', () => {
  test('401 without a key, with what to send', async () => {
    for (const authorization of ['', 'Bearer nonsense', `Basic ${shop.key}`, `Bearer ${shop.key}x`]) {
      const answer = await post(service.url, LIST, authorization ? { authorization } : {});
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="florin"');
      expect(answer.body).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, data: { code: 'UNAUTHORIZED' } },
      });
    }
  });

  test('401 with the cookie of a signed-in member alone', async () => {
    expect((await post(service.url, LIST, { cookie: 'florin_dashboard=x' })).status).toBe(401);
  });

  test('403 from the page of another origin, before the key is looked at', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://pay.example.com', service.url]) {
      const answer = await send(LIST, { origin });
      expect(answer.status).toBe(403);
      expect(answer.body.error.message).toBe('Requests from this origin are not accepted.');
    }
    expect((await send(LIST, { origin: 'https://pay.example.com' })).status).toBe(200);
  });

  test('403 from an address the key does not allow', async () => {
    const key = await shop.call('POST', '/api/b2b/merchants/generate-key', {
      name: 'assistant',
      allowedAddresses: ['192.0.2.1'],
    });
    const answer = await post(service.url, LIST, { authorization: `Bearer ${key.body.apiKey}` });
    expect([key.status, answer.status]).toEqual([200, 403]);
    expect(answer.body.error.message).toContain('cannot be used from 127.0.0.1');
  });
});

describe('what is a message', () => {
  test('405 for other methods, with or without a key', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const answer = await post(service.url, undefined, {}, method);
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  test.each([
    ['{', 400, -32700],
    ['', 400, -32600],
    ['"text"', 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
    [[LIST, LIST], 400, -32600],
    [[], 400, -32600],
    [{ hello: 'there' }, 400, -32600],
    [{ ...LIST, method: 'no/such' }, 200, -32601],
    [{ ...LIST, method: 'subscriptions/listen' }, 404, -32601],
    [{ ...LIST, method: 'tools/call', params: { name: 'drop_table' } }, 200, -32602],
    [{ ...LIST, method: 'tools/call', params: { name: 4 } }, 200, -32602],
  ])('%j is refused with %i and %i', async (body, status, code) => {
    const answer = await send(body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  test('413 for a body of more than 128 KiB, 415 for what is not JSON', async () => {
    expect((await send({ ...LIST, params: { cursor: 'x'.repeat(140_000) } })).status).toBe(413);
    expect((await send(LIST, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('400 for a revision that does not exist, naming those that do', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const modern = await send({ ...LIST, params: { _meta: meta } }, { 'mcp-protocol-version': '2099-01-01' });
    expect([modern.status, modern.body.error.data.supported]).toEqual([400, ['2026-07-28']]);
    const old = await send(LIST, { 'mcp-protocol-version': '1999-01-01' });
    expect(old.status).toBe(400);
  });

  test.each([
    [{ protocolVersion: '1999-01-01' }],
    [{ protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } }],
    [{ protocolVersion: 20251125 }],
    [{ protocolVersion: '' }],
    [{}],
    [{ protocolVersion: '2025-11-25', capabilities: 7 }],
    [{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 5 } }],
    [[]],
    [undefined],
  ])('initialize with %j is answered in the protocol’s own words', async (params) => {
    const message = { jsonrpc: '2.0', id: 7, method: 'initialize', ...(params && { params }) };
    const answer = await send(message);
    expect(answer.body.id).toBe(7);
    if (answer.body.result) {
      // Another revision is answered with one that we speak, as the protocol says.
      expect(answer.body.result.protocolVersion).toBe('2025-11-25');
      return;
    }
    expect([answer.status, answer.body.error.code]).toEqual([400, -32602]);
    expect(answer.body.error.message).toMatch(/^[\w.]+ must /);
    expect(answer.text).not.toContain('\\n');
  });

  test('a request without a handshake is served, and a notification is accepted', async () => {
    expect((await send(LIST)).body.result.tools.length).toBe(12);
    const note = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([note.status, note.text]).toEqual([202, '']);
  });
});

describe('discovery', () => {
  test('a catalog at a well-known address points to the card, which points to the server', async () => {
    const get = async (path: string) => {
      const response = await fetch(service.url + path);
      return {
        type: response.headers.get('content-type')!.split(';')[0],
        body: JSON.parse(await response.text()),
      };
    };
    const catalog = await get('/.well-known/ai-catalog.json');
    const card = await get('/mcp/server-card');
    expect(catalog.body.entries[0]).toMatchObject({
      identifier: 'urn:air:pay.example.com:florin',
      url: 'https://pay.example.com/mcp/server-card',
      type: card.type,
    });
    expect((await get('/.well-known/mcp/catalog.json')).body.entries).toEqual(catalog.body.entries);
    expect(card.body).toMatchObject({
      name: 'com.example.pay/florin',
      remotes: [{ type: 'streamable-http', url: 'https://pay.example.com/mcp' }],
    });
    expect(card.body.description.length).toBeLessThanOrEqual(100);
  });
});

test('outside the sandbox there are no sandbox tools, and a key of the other kind is refused', async () => {
  const live = await testService({
    FLORIN_NETWORK: 'mainnet',
    SOLANA_RPC_URLS: 'http://127.0.0.1:1',
    PUBLIC_URL: 'https://live.example.com',
  });
  const merchant = await live.createMerchant();
  const answer = await post(live.url, LIST, { authorization: `Bearer ${merchant.key}` });
  const names = answer.body.result.tools.map((tool: { name: string }) => tool.name);
  expect(merchant.key).toMatch(/^fl_live_/);
  expect(names).toContain('write');
  expect(names).not.toContain('pay_test');
  expect(names).not.toContain('advance_clock');
  expect((await post(live.url, LIST, { authorization: `Bearer ${shop.key}` })).status).toBe(401);
  const call = await rawCall(live.url, merchant.key, 'pay_test', { target: merchant.id });
  expect(call.body.error.code).toBe(-32602);
});

test('calls count against the key’s limit, and 429 says when to come back', async () => {
  const limited = await testService({ RATE_LIMIT_KEY_PER_SECOND: '1', RATE_LIMIT_KEY_BURST: '3' });
  const merchant = await limited.createMerchant();
  const call = () => rawCall(limited.url, merchant.key, 'read', { operation: 'getProfile' });
  expect((await call()).body.result.isError).toBeUndefined();
  const answers = await Promise.all(Array.from({ length: 12 }, call));
  const within = answers.find(({ body }) => body.result?.isError);
  expect(within!.body.result.structuredContent).toMatchObject({
    status: 429,
    error: { code: 'RATE_LIMITED' },
  });
  const refused = answers.find(({ status }) => status === 429);
  expect(refused!.body.error.data.code).toBe('RATE_LIMITED');
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0);
});
