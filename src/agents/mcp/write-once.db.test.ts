import { beforeAll, describe, expect, test } from 'vitest';
import { rawCall } from '../../../test/support/mcp.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;
let customerId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await shop.call('POST', '/api/v2/projects', { name: 'Bakery' })).body.id;
  const customer = { projectId, externalCustomerId: 'ada', name: 'Ada' };
  customerId = (await shop.call('POST', '/api/v2/customers', customer)).body.id;
});

const write = async (args: object) =>
  (await rawCall(service.url, shop.key, 'write', args)).body.result.structuredContent;
const audit = async (action: string) =>
  (await shop.call('GET', `/api/b2b/merchants/audit-entries?action=${action}`)).body.data;

/** One of each kind of operation that could do something twice, with two bodies. */
const kinds: Record<string, () => { params?: object; bodies: [object, object] }> = {
  createProject: () => ({ bodies: [{ name: 'A' }, { name: 'B' }] }),
  createCustomer: () => ({
    bodies: [
      { projectId, externalCustomerId: 'x1' },
      { projectId, externalCustomerId: 'x2' },
    ],
  }),
  createProduct: () => ({
    bodies: [
      { projectId, name: 'A' },
      { projectId, name: 'B' },
    ],
  }),
  setUpPaymentLink: () => ({
    bodies: [
      { projectId, productName: 'A', billingMode: 'one_time', unitAmountCents: 100 },
      { projectId, productName: 'A', billingMode: 'one_time', unitAmountCents: 200 },
    ],
  }),
  createCheckoutSession: () => ({
    bodies: [
      { projectId, mode: 'one_time', amountCents: 100 },
      { projectId, mode: 'one_time', amountCents: 200 },
    ],
  }),
  createPaymentIntent: () => ({
    bodies: [
      { orderId: 'o-1', amountCents: 100 },
      { orderId: 'o-1', amountCents: 200 },
    ],
  }),
  createTerminal: () => ({ bodies: [{ name: 'A' }, { name: 'B' }] }),
  recordUsage: () => ({
    bodies: [
      { projectId, customerId, metric: 'calls', quantity: 1, idempotencyKey: 'u1' },
      { projectId, customerId, metric: 'calls', quantity: 1, idempotencyKey: 'u2' },
    ],
  }),
};

describe.each(Object.keys(kinds))('%s', (operation) => {
  test('takes effect once for a purpose, and another body gets the first result', async () => {
    const { params, bodies } = kinds[operation]!();
    const call = {
      operation,
      ...(params && { params }),
      body: bodies[0],
      purpose: `one ${operation} for Ada`,
    };
    const first = await write(call);
    expect(first.error).toBeUndefined();
    const again = await write({ ...call, purpose: `  One  ${operation} for ADA ` });
    expect(again.data).toEqual(first.data);
    expect(again.hint).toBe('This was done before, for the same purpose: nothing changed now.');
    const other = await write({ ...call, body: bodies[1] });
    expect(other).toMatchObject({ status: 409, error: { code: 'IDEMPOTENCY_CONFLICT' } });
    expect(other.hint).toContain('use another purpose');
    expect(other.firstResult).toEqual(first.data);
    const called = (await audit('assistant.called')).filter(
      ({ detail }: { detail: { operation: string } }) => detail.operation === operation,
    );
    expect(called).toHaveLength(1);
    expect(called[0].detail).toMatchObject({ via: 'mcp', purpose: `one ${operation} for Ada` });
  });
});

test('a call that was refused leaves its purpose free', async () => {
  const call = { operation: 'createProduct', purpose: 'the second attempt is right' };
  expect((await write({ ...call, body: { projectId } })).status).toBe(400);
  expect((await write({ ...call, body: { projectId, name: 'Right' } })).data.name).toBe('Right');
});

test.each(['\u200b', ' \u00a0 ', '\u3164\u2060\ufeff', '\u2800\u00ad', '\u202e'])(
  'a purpose of %j names nothing: refused, whatever the operation, and nothing changes',
  async (purpose) => {
    const body = { projectId, name: 'Nameless' };
    const { body: product } = await shop.call('POST', '/api/v2/products', { ...body, name: 'Kept' });
    for (const call of [
      { operation: 'createProduct', body },
      { operation: 'updateProduct', params: { productId: product.id }, body: { name: 'Nameless' } },
    ]) {
      const refused = await write({ ...call, purpose });
      expect(refused.error).toMatchObject({
        code: 'BAD_REQUEST',
        message: 'purpose must name the business intention in words',
      });
    }
    const named = await shop.call('GET', `/api/v2/products?projectId=${projectId}&limit=100`);
    expect(named.body.data.map(({ name }: { name: string }) => name)).not.toContain('Nameless');
  },
);

test('what nobody can see makes no other purpose', async () => {
  const call = { operation: 'createProduct', body: { projectId, name: 'Seen once' } };
  const first = await write({ ...call, purpose: 'seen once' });
  const again = await write({ ...call, purpose: '\u200bSeen\u00a0 on\u00adce\u2060' });
  expect(again.data?.id ?? again.id).toBe(first.data?.id ?? first.id);
  expect(again.hint).toMatch(/^This was done before/);
});

test('two at once under one purpose are one', async () => {
  const call = { operation: 'createProduct', body: { projectId, name: 'Raced' }, purpose: 'race' };
  const answers = await Promise.all(Array.from({ length: 8 }, () => write(call)));
  const ids = new Set(answers.flatMap(({ data }) => (data ? [data.id] : [])));
  expect(ids.size).toBe(1);
});

test('PATCH and DELETE can be repeated, and say so in the audit log', async () => {
  const product = await shop.call('POST', '/api/v2/products', { projectId, name: 'Old' });
  const params = { productId: product.body.id };
  const call = { operation: 'updateProduct', params, body: { name: 'New' }, purpose: 'rename' };
  for (let n = 0; n < 2; n++) expect((await write(call)).data.name).toBe('New');
  const [changed] = await audit('product.changed');
  expect(changed.detail).toMatchObject({ via: 'mcp', client: 'node' });
});

test('the program’s name is one short line, whatever it says', async () => {
  const name = `Evil\u202e\n\u0000${'x'.repeat(500)}`;
  const connected = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: name.replace('\u0000', ''), version: '1' },
      },
    }),
  });
  const session = connected.headers.get('mcp-session-id')!;
  expect(Buffer.from(session.slice(7), 'base64url').toString()).toBe(`Evil ${'x'.repeat(59)}`);
});

test('plain calls with the same key are not an assistant’s, also at the same time', async () => {
  const rename = (name: string, isAgent: boolean) =>
    isAgent
      ? write({ operation: 'createProject', body: { name }, purpose: name })
      : shop.call('POST', '/api/v2/projects', { name });
  await Promise.all(Array.from({ length: 40 }, (_, n) => rename(`mixed ${n}`, n % 2 === 0)));
  const rows = (await shop.call('GET', '/api/b2b/merchants/audit-entries?action=project.created&limit=100'))
    .body.data;
  const mixed = rows.filter(({ detail }: { detail: { name: string } }) => detail.name.startsWith('mixed'));
  expect(mixed).toHaveLength(40);
  for (const { detail } of mixed) expect('via' in detail).toBe(Number(detail.name.slice(6)) % 2 === 0);
});
