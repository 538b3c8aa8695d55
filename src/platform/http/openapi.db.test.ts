import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { exampleOf, type JsonSchema } from '../../../site/reference/schema-example.ts';
import { call, type TestService, testService } from '../../../test/support/service.ts';
import { PLAIN_COOKIE_NAME } from '../../accounts/members/session.ts';
import { COOKIE_NAME } from '../../pages/portal/cookie.ts';
import { AppError, errorCodes } from '../lib/errors.ts';
import { serializer } from './route.ts';
import { bodyValidator, queryValidator, type Validate } from './validate.ts';

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
    expect(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')).toBe(text);
  });

  test('states the version of the contract, and beside it that of the software', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(document.info).toMatchObject({ version: '1.0.0', 'x-service-version': version });
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
    for (const wanted of [
      'get /billing/overview',
      'post /projects',
      'get /projects',
      'get /projects/{projectId}',
      'patch /projects/{projectId}',
      'delete /projects/{projectId}',
      'post /customers',
      'get /customers',
      'get /customers/{customerId}',
      'post /products',
      'get /products',
      'get /products/{productId}',
      'patch /products/{productId}',
      'post /prices',
      'get /prices',
      'get /prices/{priceId}',
      'patch /prices/{priceId}',
      'post /payment-links',
      'get /payment-links',
      'post /payment-links/setup',
      'get /payment-links/{paymentLinkId}',
      'patch /payment-links/{paymentLinkId}',
      'delete /payment-links/{paymentLinkId}',
      'post /payment-links/{publicToken}/checkout',
      'post /checkout-sessions',
      'get /checkout-sessions',
      'get /checkout-sessions/{sessionId}',
      'post /checkout-sessions/{sessionId}/cancel',
      'get /invoices',
      'get /invoices/{invoiceId}',
    ]) {
      for (const version of ['/api/v2', '/api']) expect(paths).toContain(wanted.replace(' ', ` ${version}`));
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

  test('the portal is opened by its cookie alone, and every change in it takes a CSRF token', () => {
    const portal = Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/api/portal/') && !/\/(login|confirm-email)$/.test(path))
      .flatMap(([, item]) =>
        Object.entries(item as Record<string, { security: object[]; parameters?: object[] }>),
      );
    expect(portal.length).toBeGreaterThan(10);
    for (const [method, { security, parameters = [] }] of portal) {
      expect(security).toEqual([{ portalCookie: [] }]);
      const csrf = { name: 'X-CSRF-Token', in: 'header', required: true };
      if (method !== 'get') expect(parameters).toContainEqual(expect.objectContaining(csrf));
    }
    expect(document.components.securitySchemes.portalCookie).toMatchObject({
      in: 'cookie',
      name: COOKIE_NAME,
    });
  });

  test('the dashboard is opened by its cookie alone, and so is whatever a key opens', () => {
    for (const { id, method, path, scopes, dashboard, keyless } of service.app.routeDescriptions) {
      const { security, parameters = [] } = document.paths[path][method.toLowerCase()];
      const csrf = { name: 'X-CSRF-Token', in: 'header', required: true };
      if (dashboard) expect([id, security]).toEqual([id, [{ dashboardCookie: [] }]]);
      if (dashboard && method !== 'GET') expect(parameters).toContainEqual(expect.objectContaining(csrf));
      if (scopes && !keyless) expect([id, security]).toEqual([id, [{ apiKey: [] }, { dashboardCookie: [] }]]);
    }
    expect(document.components.securitySchemes.dashboardCookie).toMatchObject({
      in: 'cookie',
      name: `__Host-${PLAIN_COOKIE_NAME}`,
    });
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

  test('the schemas of every route compile, though each waits for the first call', () => {
    for (const { id, body, query, success } of service.app.routeDescriptions) {
      if (body) expect([id, accepts(bodyValidator(body), {})]).toEqual([id, expect.any(Boolean)]);
      if (query) expect([id, accepts(queryValidator(query), {})]).toEqual([id, expect.any(Boolean)]);
      if (!success.schema) continue;
      const example = exampleOf(success.schema as JsonSchema);
      expect([id, JSON.parse(serializer(success.schema)(example))]).toEqual([id, expect.any(Object)]);
    }
  });

  test('every webhook, and every error code, is described', () => {
    const families: Record<string, string[]> = {
      'checkout.session.': ['canceled', 'completed', 'created', 'expired', 'processing', 'updated'],
      'customer.balance_': ['adjusted', 'credited', 'debited', 'depleted', 'low'],
      'customer.': ['created', 'deleted', 'updated'],
      'exception.': ['created', 'reopened', 'resolved'],
      'invoice.': [
        'created',
        'overdue',
        'paid',
        'refunded',
        'uncollectible',
        'underpaid',
        'upcoming',
        'updated',
        'voided',
      ],
      'notification.': ['summary', 'test'],
      'payment_intent.': ['created', 'expired', 'failed', 'succeeded', 'underpaid', 'updated'],
      'payout_address.': ['changed'],
      'refund.': ['address_received', 'canceled', 'created', 'expired', 'processing', 'succeeded', 'updated'],
      'refund_request.': ['approved', 'created', 'declined'],
      'subscription.': [
        'activated',
        'canceled',
        'created',
        'incomplete_expired',
        'past_due',
        'reactivated',
        'renewal_due',
        'renewed',
        'trial_will_end',
        'updated',
      ],
      'webhook_endpoint.': ['test'],
    };
    expect(Object.keys(document.webhooks).sort()).toEqual(
      Object.entries(families).flatMap(([family, names]) => names.map((name) => family + name)),
    );
    expect(document.components.schemas.PaymentIntentEventData.required).toHaveLength(5);
    const { code, message, traceId } = document.components.schemas.Error.properties.error.properties;
    expect(code.enum).toEqual([...errorCodes, null]);
    for (const field of [code, message, traceId]) expect(field.type).toEqual(['string', 'null']);
  });
});

/** True if the value passes. Throws for a schema that cannot be compiled. */
function accepts(check: Validate, value: unknown): boolean {
  try {
    check(value);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
