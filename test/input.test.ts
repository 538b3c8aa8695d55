import { request } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { bodyValidator } from '../src/platform/http/validate.ts';
import { type TestMerchant, type TestService, testService } from './support/service.ts';

/** One rule for each kind of text, at every operation that takes it. */
let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

// biome-ignore lint/suspicious/noExplicitAny: schemas are walked freely here.
type Schema = any;

/** Every text of a request body by its path, with its schema. */
function textsOf(schema: Schema, path: string): [string, Schema][] {
  const inner = schema?.items ?? schema;
  const deeper = Object.entries(inner?.properties ?? {}).flatMap(([name, each]) =>
    textsOf(each, `${path}.${name}`),
  );
  return [schema?.type].flat().includes('string') ? [[path, schema]] : deeper;
}

const allTexts = () =>
  service.app.routeDescriptions.flatMap(({ id, body }) => (body ? textsOf(body, id) : []));

function isTaken(schema: Schema, text: string): boolean {
  const wrapped = { type: 'object', properties: { text: schema }, required: ['text'] } as never;
  try {
    bodyValidator(wrapped)({ text });
    return true;
  } catch {
    return false;
  }
}

/** Fields that look up something that exists, whatever it was called when it was made. */
const LOOKED_UP = /^(signIn|(create|update)Notification\w*)\./;

test('every name has a character that can be seen', () => {
  const names = allTexts().filter(([path]) => /\.(\w*N|n)ame$/.test(path));
  expect(names.length).toBeGreaterThan(30);
  for (const [path, schema] of names) {
    for (const blank of [' ', '\u200b', '\u00a0\u2060', '\u3164', '\u2800', '\u202e', '\t'])
      expect([path, blank, isTaken(schema, blank)]).toEqual([path, blank, false]);
    expect([path, isTaken(schema, 'Zoë 🏳️‍🌈')]).toEqual([path, true]);
  }
});

test('every e-mail address has the form of one', () => {
  const emails = allTexts().filter(([path]) => /\.(\w*E|e)mail$/.test(path) && !LOOKED_UP.test(path));
  expect(emails.length).toBeGreaterThan(8);
  for (const [path, schema] of emails) {
    for (const wrong of ['a@b', '<a@b.example>', 'a@b..example', 'a@b.example\u200b', 'Ann <a@b.example>'])
      expect([path, wrong, isTaken(schema, wrong)]).toEqual([path, wrong, false]);
    expect([path, isTaken(schema, 'ann@shop.example')]).toEqual([path, true]);
  }
});

/** Sends headers as given, each of them as often as it is there. */
function send(path: string, headers: string[], body = '{}'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const all = ['Host', `${hostname}:${port}`, 'Content-Length', String(body.length), ...headers];
    const asked = request({ hostname, port, path, method: 'POST', headers: all, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (part) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode!, text }));
    });
    asked.on('error', reject).end(body);
  });
}

test.each([
  ['Idempotency-Key', 'a', 'b'],
  ['idempotency-key', 'a', 'a'],
  ['Authorization', 'Bearer x', 'Bearer y'],
  ['Content-Type', 'application/json', 'text/plain'],
  ['Payment-Signature', 'a', 'b'],
  ['X-Payment', 'a', 'b'],
])('400 for two %s headers, on every route', async (name, one, other) => {
  const paths = ['/api/v2/products', '/api/v2/payment-links/x/checkout', '/api/v2/usage/batch', '/mcp'];
  for (const path of paths) {
    const rest = ['Authorization', `Bearer ${shop.key}`, 'Content-Type', 'application/json'];
    const pairs = [0, 2].map((at) => rest.slice(at, at + 2)).filter(([given]) => given !== name);
    const { status, text } = await send(path, [...pairs.flat(), name, one, name, other]);
    expect([path, status]).toEqual([path, 400]);
    expect(text.toLowerCase()).toContain(`${name.toLowerCase()} must be sent once`);
  }
});
