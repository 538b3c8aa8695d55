import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, type TestService, testService } from '../../test/support/service.ts';
import { errorCodes } from '../lib/errors.ts';

let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: the document is walked freely here.
let document: any;
let text: string;

beforeAll(async () => {
  service = await testService();
  const answer = await call(`${service.url}/openapi.json`, 'GET');
  text = answer.text;
  document = answer.body;
});

// biome-ignore lint/suspicious/noExplicitAny: as above.
const operations = (): any[] =>
  Object.values(document.paths).flatMap((path) => Object.values(path as object));

describe('openapi.json', () => {
  test('the committed file is what the routes say; refresh it with: npm run openapi', () => {
    expect(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')).toBe(text);
  });

  test('every path of the interface is there', () => {
    const paths = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method} ${path}`),
    );
    for (const wanted of [
      'get /api/b2b/merchants/me',
      'get /api/b2b/merchants/stats',
      'patch /api/b2b/merchants/webhook',
      'get /api/b2b/merchants/terminals',
      'post /api/b2b/merchants/terminals',
      'patch /api/b2b/merchants/terminals/{terminalId}',
      'post /api/merchants/intents',
      'get /api/merchants/intents',
      'get /api/merchants/intents/{intentId}',
      'post /api/merchants/intents/{intentId}/cancel',
      'post /api/b2b/merchants/generate-key',
      'get /api/b2b/merchants/keys',
      'delete /api/b2b/merchants/keys/{keyId}',
      'post /api/b2b/merchants/generate-webhook-secret',
    ]) {
      expect(paths).toContain(wanted);
    }
  });

  test('every operation has an id of its own, a summary, a success and documented errors', () => {
    const ids = operations().map((operation) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const operation of operations()) {
      expect(operation.summary).toBeTruthy();
      expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
      for (const status of ['429', '500', '503']) expect(operation.responses).toHaveProperty(status);
      if (operation.security) expect(operation.responses).toHaveProperty('401');
    }
  });

  test('every reference resolves, and nothing of the inside shows', () => {
    const references = [...text.matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1]!,
    );
    expect(references.length).toBeGreaterThan(10);
    for (const name of references) expect(document.components.schemas).toHaveProperty(name);
    const failures = [...text.matchAll(/"\$ref": "#\/components\/responses\/(\w+)"/g)].map(
      (match) => match[1]!,
    );
    for (const name of failures) expect(document.components.responses).toHaveProperty(name);
    expect(text).not.toMatch(/"text-lines"|"format": "text"|~kind|"additionalProperties": true/);
    expect(text).toContain('"maximum": 9223372036854775807');
  });

  test('the webhooks of a payment intent and of a subscription, and every error code, are described', () => {
    const described = (family: string) =>
      Object.keys(document.webhooks)
        .filter((name) => name.startsWith(family))
        .map((name) => name.slice(family.length))
        .sort();
    expect(described('payment_intent.')).toEqual(['expired', 'failed', 'succeeded', 'underpaid', 'updated']);
    expect(described('subscription.')).toEqual([
      'activated',
      'canceled',
      'created',
      'incomplete_expired',
      'past_due',
      'reactivated',
      'renewal_due',
      'renewed',
      'updated',
    ]);
    expect(document.components.schemas.PaymentIntentEventData.required).toHaveLength(5);
    expect(document.components.schemas.Error.properties.error.properties.code.enum).toEqual(errorCodes);
  });
});
