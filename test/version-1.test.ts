import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { exampleOf, type JsonSchema } from '../site/reference/schema-example.ts';
import type { RouteDescription } from '../src/platform/http/route.ts';
import { png } from './support/images.ts';
import {
  call,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from './support/service.ts';

/** Version 1 of billing is version 2 under other paths: every operation is called in both, as nobody and with a key. */
let service: TestService;
let shop: TestMerchant;
let pairs: { first: RouteDescription; second: RouteDescription }[];

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  const routes = service.app.routeDescriptions;
  pairs = routes
    .filter(({ id }) => id.endsWith('V1'))
    .map((first) => ({ first, second: routes.find(({ id }) => `${id}V1` === first.id)! }));
});

test('each operation of version 1 is declared as in version 2, and no other than those of billing are', () => {
  expect(pairs.length).toBeGreaterThan(100);
  for (const { first, second } of pairs) {
    const { keyless: one, ...said } = { ...first, id: second.id, path: second.path };
    const { keyless: two, ...wanted } = second;
    expect([first.id, first.path]).toEqual([`${second.id}V1`, second.path.replace('/api/v2/', '/api/')]);
    expect([first.id, said]).toEqual([first.id, wanted]);
    expect([first.id, one === undefined]).toEqual([first.id, two === undefined]);
  }
});

function bodyOf({ method, body, upload }: RouteDescription): unknown {
  if (method === 'GET') return undefined;
  if (upload) return png();
  return body ? exampleOf(body as JsonSchema, { purpose: 'request' }) : {};
}

/** The error to the byte; of what was made or read, which fields it has. */
function outcomeOf({ status, body, text }: TestAnswer): unknown {
  if (status >= 400) return [status, text.replace(body.error.traceId, '')];
  return [status, body && typeof body === 'object' ? Object.keys(body) : typeof body];
}

test('both give the same answer to the same call', async () => {
  const statuses = new Set<number>();
  for (const { first, second } of pairs) {
    const id = randomUUID();
    const ask = async (route: RouteDescription, authorization: string) => {
      const url = service.url + route.path.replace(/\{\w+\}/g, id);
      return call(url, route.method, bodyOf(second), authorization ? { authorization } : {});
    };
    for (const authorization of ['', `Bearer ${shop.key}`]) {
      const answer = await ask(second, authorization);
      statuses.add(answer.status);
      expect([first.id, outcomeOf(await ask(first, authorization))]).toEqual([first.id, outcomeOf(answer)]);
    }
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404]));
});

test('what is of version 2 alone has no version 1', async () => {
  for (const path of ['/api/exceptions', '/api/notes', '/api/sponsor', '/api/request-logs', '/api/search']) {
    expect([path, (await shop.call('GET', path)).status]).toEqual([path, 404]);
    expect([path, (await shop.call('GET', path.replace('/api/', '/api/v2/'))).status]).not.toEqual([
      path,
      404,
    ]);
  }
});
