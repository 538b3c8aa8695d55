import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newOwner, type TestMember } from './support/members.ts';
import { visit } from './support/portal.ts';
import {
  call,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from './support/service.ts';

/** Sends every operation of openapi.json what it cannot take, field by field, and reads what it says. */
let service: TestService;
let shop: TestMerchant;
let owner: TestMember;
let customer: { cookie: string; csrfToken: string };
// biome-ignore lint/suspicious/noExplicitAny: the document is walked freely here.
let document: any;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  owner = await newOwner(service, shop);
  const project = await shop.call('POST', '/api/v2/projects', { name: 'Messages' });
  const projectId = project.body.id;
  const person = await shop.call('POST', '/api/v2/customers', { projectId, name: 'Ann' });
  customer = await visit(service, shop, projectId, person.body.id);
  document = (await call(`${service.url}/openapi.json`, 'GET')).body;
});

// biome-ignore lint/suspicious/noExplicitAny: schemas are walked freely here.
type Schema = any;

interface Operation {
  name: string;
  method: string;
  path: string;
  body: Schema;
  query: Schema[];
  answer: Schema;
}

const resolve = (schema: Schema): Schema =>
  schema?.$ref ? document.components.schemas[schema.$ref.split('/').pop()] : schema;

/** Version 1 of billing is version 2 at another path, so it is asked once. */
function operations(): Operation[] {
  const paths = Object.entries(document.paths).filter(
    ([path]) => !(path.replace('/api/', '/api/v2/') in document.paths),
  );
  return paths.flatMap(([path, item]) =>
    Object.entries(item as Record<string, Schema>).map(([method, operation]) => {
      const success = Object.entries(operation.responses as Record<string, Schema>).find(([status]) =>
        status.startsWith('2'),
      );
      return {
        name: `${method} ${path}`,
        method: method.toUpperCase(),
        path: path.replace(/\{(\w+)\}/g, () => randomUUID()),
        body: resolve(operation.requestBody?.content['application/json']?.schema),
        query: (operation.parameters ?? []).filter((parameter: Schema) => parameter.in === 'query'),
        answer: resolve(success?.[1].content?.['application/json']?.schema),
      };
    }),
  );
}

/** Sends a request as somebody with access: a key, an owner in the dashboard, a customer in the portal. */
function send({ method, path }: Operation, body?: unknown, search = ''): Promise<TestAnswer> {
  const headers = path.startsWith('/api/portal/')
    ? { cookie: customer.cookie, 'x-csrf-token': customer.csrfToken }
    : path.startsWith('/api/dashboard/')
      ? { cookie: owner.cookie, 'x-csrf-token': owner.csrfToken }
      : { authorization: `Bearer ${shop.key}` };
  return call(`${service.url}${path}${search}`, method, body, headers);
}

const REGULAR_EXPRESSION = /\^|\\[dswbp]|\$$|\(\?|\[[^\]\s]*[a-z0-9]-[a-z0-9]/i;
/** Names of parts of a request that are no fields. */
const PARTS = ['body', 'query', 'request', 'headers', 'Idempotency-Key', 'Authorization'];

/** The field first, in words, and about nothing that was not sent or wanted. */
function expectReadable(operation: Operation, answer: TestAnswer, sent: readonly string[]): void {
  const { message } = answer.body.error;
  const first = message.split(/[ .[]/)[0];
  const fields = [
    ...Object.keys(operation.body?.properties ?? {}),
    ...operation.query.map(({ name }) => name),
  ];
  expect([...fields, ...sent, ...PARTS], `${operation.name}: ${message}`).toContain(first);
  expect(message, operation.name).not.toMatch(/undefined|\[object|NaN/);
  expect(message, operation.name).not.toMatch(REGULAR_EXPRESSION);
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Misspells a name by a letter too many: near to one name alone. */
const misspelt = (name: string) => `${name}z`;

const WRONG: readonly unknown[] = [
  {},
  [],
  '',
  ' ',
  '\u0007',
  '~%~ !!',
  '-1',
  -1,
  1.5,
  true,
  null,
  'x'.repeat(9000),
];

/** A body that these take ends what we ask with. */
const ENDS = /generate-key$|sign-out|logout|\/password$|\/me$/;

const SLOW = { timeout: 300_000 };

describe('what every operation says of a request that it cannot take', () => {
  test('a field that it does not know: the one that was meant', SLOW, async () => {
    let asked = 0;
    for (const operation of operations().filter(({ body }) => body)) {
      const known = Object.keys(operation.body.properties ?? {});
      for (const name of known) {
        for (const given of [misspelt(name), snake(name)].filter((each) => !known.includes(each))) {
          const answer = await send(operation, { [given]: 1 });
          if (answer.status !== 400) continue;
          asked++;
          expect(answer.body.error.message, operation.name).toBe(
            `${given} is not a known property. Did you mean ${name}?`,
          );
        }
      }
      const answer = await send(operation, { qqqqqqqqqqqq: 1 });
      if (answer.status === 400)
        expect(answer.body.error.message, operation.name).toBe('qqqqqqqqqqqq is not a known property');
    }
    expect(asked).toBeGreaterThan(250);
  });

  test('a parameter that it does not know: the one that was meant', SLOW, async () => {
    let asked = 0;
    for (const operation of operations()) {
      const names = operation.query.map(({ name }) => name);
      for (const name of names.filter(({ length }) => length > 2)) {
        for (const given of [misspelt(name), snake(name)].filter((each) => !names.includes(each))) {
          const answer = await send(operation, undefined, `?${given}=1`);
          if (answer.status !== 400) continue;
          asked++;
          expect(answer.body.error.message, operation.name).toBe(
            `${given} is not a known parameter. Did you mean ${name}?`,
          );
        }
      }
    }
    expect(asked).toBeGreaterThan(150);
  });

  test('what an object has and a change does not take: that it cannot be changed', SLOW, async () => {
    let asked = 0;
    for (const operation of operations().filter(({ method }) => method === 'PATCH')) {
      const known = Object.keys(operation.body.properties ?? {});
      for (const name of Object.keys(operation.answer?.properties ?? {})) {
        if (known.includes(name)) continue;
        const answer = await send(operation, { [name]: 1 });
        if (answer.status !== 400) continue;
        asked++;
        expect(answer.body.error.message, operation.name).toBe(`${name} cannot be changed`);
      }
    }
    expect(asked).toBeGreaterThan(100);
  });

  test('a value of another kind: the field first, and no regular expression', SLOW, async () => {
    let asked = 0;
    for (const operation of operations().filter(({ path }) => !ENDS.test(path))) {
      for (const value of WRONG) {
        const properties: [string, Schema][] = Object.entries(operation.body?.properties ?? {});
        const bodies = properties.flatMap(([name, schema]) => nest(name, resolve(schema), value));
        for (const body of [value, ...bodies]) {
          if (operation.method === 'GET') break;
          const answer = await send(operation, JSON.stringify(body));
          if (answer.status !== 400) continue;
          asked++;
          expectReadable(operation, answer, Object.keys(Object(body)));
        }
      }
      for (const { name } of operation.query) {
        for (const value of ['', '%07', '~%25~', '-1', 'x'.repeat(300)]) {
          const answer = await send(operation, undefined, `?${name}=${value}`);
          if (answer.status === 400) expectReadable(operation, answer, []);
        }
      }
    }
    expect(asked).toBeGreaterThan(2000);
  });
});

/** The value as the property itself, as an item of it, and in each of its own properties. */
function nest(name: string, schema: Schema, value: unknown): object[] {
  const inner = resolve(schema.items) ?? schema;
  const deeper = Object.keys(inner.properties ?? {}).map((each) => ({ [each]: value }));
  const wrap = (each: unknown) => ({ [name]: schema.items ? [each] : each });
  return [{ [name]: value }, ...(schema.items ? [wrap(value)] : []), ...deeper.map(wrap)];
}

test.each([
  ['POST', '/api/merchants/intents', { amount: 1 }, 'amountCents'],
  ['POST', '/api/v2/prices', { unit_amount: 1 }, 'unitAmountCents'],
  ['POST', '/api/v2/prices', { amount: 1 }, 'unitAmountCents'],
  ['POST', '/api/v2/prices', { product: 'x' }, 'productId'],
  ['POST', '/api/v2/checkout-sessions', { success_url: 'x' }, 'successUrl'],
  ['POST', '/api/v2/checkout-sessions', { line_items: [] }, 'lineItems'],
  ['POST', '/api/v2/checkout-sessions', { customer_email: 'x' }, 'customerEmail'],
  ['POST', '/api/v2/checkout-sessions', { customer: 'x' }, 'customerId'],
  ['POST', '/api/v2/checkout-sessions', { amount: 1 }, 'amountCents'],
  ['POST', '/api/v2/refunds', { payment_intent: 'x' }, 'paymentIntentId'],
  ['POST', '/api/v2/refunds', { charge: 'x' }, 'paymentIntentId'],
  ['PATCH', `/api/v2/products/${randomUUID()}`, { active: true }, 'isActive'],
])('%s %s %o: did you mean %s?', async (method, path, body, meant) => {
  const answer = await shop.call(method, path, body);
  const [given] = Object.keys(body);
  expect(answer.body.error.message).toBe(`${given} is not a known property. Did you mean ${meant}?`);
});

test('PATCH of a price: Stripe’s name of what cannot be changed', async () => {
  const answer = await shop.call('PATCH', `/api/v2/prices/${randomUUID()}`, { unit_amount: 1 });
  expect(answer.body.error.message).toBe(
    'unit_amount is not a known property. Did you mean unitAmountCents? It cannot be changed.',
  );
});

test('a 400 is made by badField alone, so it begins with the field', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const others = sources.filter((path) =>
    readFileSync(join('src', path), 'utf8').includes("new AppError('BAD_REQUEST'"),
  );
  expect(others).toEqual(['platform/lib/errors.ts']);
});
