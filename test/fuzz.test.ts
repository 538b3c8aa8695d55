import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { errorCodes } from '../src/platform/lib/errors.ts';
import { answerChecker } from './support/answer-schema.ts';
import { call, type TestMerchant, type TestService, testService } from './support/service.ts';

/**
 * Throws values at every operation of openapi.json, half of them close to what it wants and half not at
 * all, and checks each answer against the document. A failing seed is printed and replays.
 */
let service: TestService;
let shop: TestMerchant;
// biome-ignore lint/suspicious/noExplicitAny: the document is walked freely here.
let document: any;
let differenceOf: ReturnType<typeof answerChecker>;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  document = (await call(`${service.url}/openapi.json`, 'GET')).body;
  differenceOf = answerChecker(
    JSON.parse(
      JSON.stringify(document, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)),
    ),
  );
  await openShop();
});

/** One of each kind, so that lists have something to show: the answers of an empty shop are all alike. */
async function openShop(): Promise<void> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await shop.call('POST', `/api/v2${path}`, body);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body.id;
  };
  const metadata = { shelf: 'A1' };
  const projectId = await make('/projects', { name: 'Fuzz' });
  const customerId = await make('/customers', {
    projectId,
    name: 'Ann',
    email: 'ann@shop.example',
    metadata,
  });
  const productId = await make('/products', { projectId, name: 'Cup', metadata });
  const price = { projectId, productId, unitAmountCents: 500, metadata };
  const priceId = await make('/prices', { ...price, billingMode: 'one_time' });
  const planId = await make('/prices', { ...price, billingMode: 'subscription', recurringInterval: 'month' });
  await make('/checkout-sessions', { projectId, mode: 'one_time', priceId, metadata });
  await make('/checkout-sessions', {
    projectId,
    mode: 'subscription',
    priceId: planId,
    customerId,
    metadata,
  });
  await make('/payment-links', { projectId, priceId, metadata });
  await make('/invoices', { projectId, customerId, lineItems: [{ priceId }], metadata });
  await make(`/customers/${customerId}/balance-adjustments`, { deltaCredits: 5, reason: 'Gift' });
  const intents = '/api/merchants/intents';
  const { body } = await shop.call('POST', intents, { amountCents: 100, orderId: 'fuzz' });
  expect((await shop.call('PATCH', `${intents}/${body.id}`, { metadata })).status).toBe(200);
  expect((await shop.call('POST', `${intents}/${body.id}/cancel`)).status).toBe(200);
  expect((await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Desk' })).status).toBe(200);
}

test('every list shows what its schema says and nothing else, with something in it', async () => {
  const lists = Object.keys(document.paths).filter(
    (path) => document.paths[path].get && !path.includes('{') && path.startsWith('/api/v2/'),
  );
  expect(lists.length).toBeGreaterThan(20);
  const others = ['/api/merchants/intents', '/api/b2b/merchants/terminals', '/api/b2b/merchants/stats'];
  let shown = 0;
  for (const path of [...lists, ...others]) {
    const { schema } = document.paths[path].get.responses[200]?.content?.['application/json'] ?? {};
    if (!schema) continue;
    const answer = await shop.call('GET', path);
    if (answer.status !== 200) continue;
    if (answer.body.data?.length > 0) shown++;
    expect(differenceOf('GET', path, answer)).toBeUndefined();
  }
  expect(shown).toBeGreaterThan(8);
});

// biome-ignore lint/suspicious/noExplicitAny: schemas are walked freely here.
type Schema = any;
const resolve = (schema: Schema): Schema =>
  schema?.$ref ? document.components.schemas[schema.$ref.split('/').pop()] : schema;

const strange = fc.oneof(
  fc.constantFrom(
    null,
    true,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '𝒳',
    '‮',
    '../../etc/passwd',
    "' or 1=1 --",
    '<script>',
    '9'.repeat(400),
  ),
  fc.constantFrom(0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63), [], {}, [[]], { a: { b: {} } }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Values that fit a schema, more or less. */
function fitting(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const type = [schema.type].flat().find((name: string) => name !== 'null');
  if (type === 'object') {
    const properties = Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, inner]) => [
        name,
        fc.oneof({ arbitrary: fitting(inner), weight: 9 }, { arbitrary: strange, weight: 1 }),
      ]),
    );
    return fc.record(properties, { requiredKeys: [] });
  }
  if (type === 'array') return fc.array(fitting(schema.items), { maxLength: 5 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.oneof(fc.integer(), fc.bigInt({ min: 0n, max: 2n ** 63n }));
  if (schema.format === 'uuid') return fc.oneof(fc.uuid(), fc.constant(randomUUID()));
  if (schema.format === 'date-time')
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (schema.format === 'day-or-time')
    return fc
      .date({ noInvalidDate: true, min: new Date('1990-01-01'), max: new Date('3010-01-01') })
      .map((date) => date.toISOString().slice(0, 10));
  return fc.string({ maxLength: (schema.maxLength ?? 20) + 2 });
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_key, item) =>
    typeof item === 'bigint'
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(item))
      : item,
  ) ?? 'null';

/** Sixty requests to every operation there is: on a busy machine that takes a while. */
const SLOW = { timeout: 600_000 };

test('every answer is in the contract, and never a 5xx', SLOW, async () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Schema>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
  expect(operations.length).toBeGreaterThan(15);
  for (const { path, method, operation } of operations) {
    const bodySchema = operation.requestBody?.content['application/json']?.schema;
    const types = Object.keys(operation.requestBody?.content ?? { 'application/json': {} });
    const query: Schema[] = (operation.parameters ?? []).filter(
      (parameter: Schema) => parameter.in === 'query',
    );
    const request = fc.record({
      ids: fc.array(
        fc.oneof(
          fc.uuid(),
          fc.string({ minLength: 1, maxLength: 60 }).filter((id) => !/^\.{1,2}$/.test(id)),
        ),
        {
          minLength: 2,
          maxLength: 2,
        },
      ),
      body:
        method === 'get'
          ? fc.constant(undefined)
          : fc.oneof(
              bodySchema ? fitting(bodySchema).map(asText) : fc.constant('{}'),
              strange.map(asText),
              fc.string({ maxLength: 50 }),
            ),
      query: fc.record(
        Object.fromEntries(
          query.map((parameter) => [
            parameter.name,
            fc.oneof(fitting(parameter.schema).map(String), fc.string({ maxLength: 30 })),
          ]),
        ),
        { requiredKeys: [] },
      ),
      key: fc.option(fc.oneof(fc.uuid(), fc.string({ maxLength: 40 })), { nil: undefined }),
      contentType: fc.oneof(
        { arbitrary: fc.constantFrom(...types), weight: 9 },
        { arbitrary: fc.constantFrom('text/plain', 'application/xml', 'a'), weight: 1 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ ids, body, query: search, key, contentType }) => {
        let used = 0;
        const url = new URL(
          service.url + path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[used++]!.toWellFormed())),
        );
        for (const [name, value] of Object.entries(search))
          url.searchParams.append(name, String(value).toWellFormed());
        const headers = {
          authorization: `Bearer ${shop.key}`,
          ...(body !== undefined && { 'content-type': contentType }),
          ...(key !== undefined && { 'idempotency-key': encodeURIComponent(key.toWellFormed()) }),
        };
        const answer = await call(url.href, method.toUpperCase(), body, headers);
        expect(answer.status, answer.text).toBeLessThan(500);
        const given = operation.responses[answer.status];
        const described = given?.$ref ? document.components.responses[given.$ref.split('/').pop()] : given;
        expect(
          described,
          `${method} ${path} answered an undescribed ${answer.status}: ${answer.text}`,
        ).toBeDefined();
        const isJson = answer.headers.get('content-type')?.startsWith('application/json');
        if (answer.status < 300 && isJson)
          expect(differenceOf(method.toUpperCase(), path, answer)).toBeUndefined();
        if (answer.status >= 400) {
          expect(Object.keys(answer.body.error)).toEqual(['code', 'message', 'traceId']);
          expect(errorCodes).toContain(answer.body.error.code);
          expect(Object.keys(described.content['application/json'].examples)).toContain(
            answer.body.error.code,
          );
        }
      }),
      { numRuns: 60 },
    );
  }
});
