import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { exampleOf, type JsonSchema } from '../../../site/reference/schema-example.ts';
import { newCustomer, newPlan, newProject, newSession } from '../../../test/support/billing.ts';
import { newLinkToken, type TestVisitor, visit } from '../../../test/support/portal.ts';
import { insertProvenRefund } from '../../../test/support/refund-journey.ts';
import {
  call,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import type { RouteDescription } from '../../platform/http/route.ts';

/**
 * Walks every operation of the portal with other people's ids, without a good cookie and without proof of where it
 * comes from. A new operation with an id it does not know fails here.
 */
let service: TestService;
let shop: TestMerchant;
let rival: TestMerchant;
let ada: TestVisitor;
let mine: Things;
const others: Record<string, Things> = {};

interface Things {
  projectId: string;
  customerId: string;
  subscriptionId: string;
  invoiceId: string;
  refundId: string;
  creditNoteId: string;
  priceId: string;
}

/** A customer of their own with one of everything. */
async function makeThings(merchant: TestMerchant, projectId: string, name: string): Promise<Things> {
  const priceId = (await newPlan(merchant, projectId)).id;
  const customer = await newCustomer(merchant, projectId, { externalCustomerId: name, name });
  const session = await newSession(merchant, projectId, {
    mode: 'subscription',
    priceId,
    externalCustomerId: name,
  });
  const credit = { deltaCents: 777, reason: `secret of ${name}` };
  await merchant.call('POST', `/api/v2/customers/${customer.id}/balance-adjustments`, credit);
  const use = { projectId, customerId: customer.id, metric: `of.${name}`, quantity: 3, idempotencyKey: name };
  expect((await merchant.call('POST', '/api/v2/usage', use)).status).toBeLessThan(300);
  const { subscriptionId, invoiceId, paymentIntentId } = session;
  const owner = { projectId, customerId: customer.id, invoiceId };
  const refund = await insertProvenRefund(service.db, merchant.id, { ...owner, paymentIntentId });
  return { ...owner, ...refund, subscriptionId, priceId };
}

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  rival = await service.createMerchant();
  const projectId = (await newProject(shop)).id;
  mine = await makeThings(shop, projectId, 'ada');
  others.neighbour = await makeThings(shop, projectId, 'bob');
  others.otherProject = await makeThings(shop, (await newProject(shop)).id, 'cleo');
  others.otherMerchant = await makeThings(rival, (await newProject(rival)).id, 'dan');
  ada = await visit(service, shop, projectId, mine.customerId);
});

const portalRoutes = () => service.app.routeDescriptions.filter((route) => route.portal);

/** Asks one operation about these things, as `visitor` or with these headers instead. */
function ask(
  { method, path, body: schema }: RouteDescription,
  things: Things,
  headers: Record<string, string>,
) {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name) => things[name as keyof Things] ?? `no ${name}`);
  const known = things as unknown as Record<string, unknown>;
  const body = schema && exampleOf(schema as JsonSchema, { purpose: 'request', known });
  return call(service.url + filled, method, body, headers);
}

const asAda = () => ({ cookie: ada.cookie, 'x-csrf-token': ada.csrfToken });
const withoutTrace = (answer: TestAnswer) => answer.text.replace(answer.body?.error?.traceId ?? '', '');

test('there are operations to walk', () => {
  expect(portalRoutes().length).toBeGreaterThan(14);
  expect(portalRoutes().filter(({ method }) => method !== 'GET').length).toBeGreaterThan(5);
});

test('404 with the same bytes for a neighbour’s, another project’s, another merchant’s, a missing and a malformed id', async () => {
  const withIds = portalRoutes().filter(({ path }) => path.includes('{'));
  expect(withIds.length).toBeGreaterThan(7);
  const missing = Object.fromEntries(Object.keys(mine).map((name) => [name, randomUUID()])) as never;
  const malformed = {
    ...mine,
    subscriptionId: 'none',
    invoiceId: 'none',
    refundId: 'none',
    creditNoteId: 'none',
  };
  for (const route of withIds) {
    const wanted = withoutTrace(await ask(route, missing, asAda()));
    for (const [whose, things] of Object.entries({ ...others, malformed })) {
      const answer = await ask(route, things, asAda());
      expect([route.id, whose, answer.status]).toEqual([route.id, whose, 404]);
      expect(withoutTrace(answer)).toBe(wanted);
    }
    const own = await ask(route, mine, asAda());
    if (route.method === 'GET') expect([route.id, own.status]).toEqual([route.id, 200]);
    else expect([route.id, own.status]).not.toEqual([route.id, 404]);
  }
});

test('400 with the same bytes for a price that is anybody else’s, of another product, or nobody’s', async () => {
  for (const operation of ['preview-change', 'change-plan']) {
    const path = `/subscriptions/${mine.subscriptionId}/${operation}`;
    const wanted = await ada.call('POST', path, { priceId: randomUUID() });
    expect([wanted.status, wanted.body.error.message.split(' ')[0]]).toEqual([400, 'priceId']);
    for (const { priceId } of Object.values(others)) {
      expect(withoutTrace(await ada.call('POST', path, { priceId }))).toBe(withoutTrace(wanted));
    }
  }
});

test('lists and sums show one’s own things only, as JSON and as CSV', async () => {
  const reads = portalRoutes().filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  expect(reads.length).toBeGreaterThan(4);
  for (const { path, csv } of reads) {
    for (const accept of csv ? ['application/json', 'text/csv'] : ['application/json']) {
      const answer = await call(service.url + path, 'GET', undefined, { cookie: ada.cookie, accept });
      expect([path, answer.status]).toEqual([path, 200]);
      for (const { projectId, ...things } of Object.values(others)) {
        for (const id of Object.values(things)) expect(answer.text).not.toContain(id);
        if (projectId !== mine.projectId) expect(answer.text).not.toContain(projectId);
      }
      expect(answer.text).not.toMatch(/bob|cleo|dan/);
    }
    const filtered = await call(
      `${service.url}${path}?customerId=${others.neighbour!.customerId}`,
      'GET',
      undefined,
      {
        cookie: ada.cookie,
      },
    );
    expect([path, filtered.status]).toEqual([path, 400]);
  }
  expect((await ada.call('GET', '/usage')).body.data).toMatchObject([{ metric: 'of.ada', quantity: 3 }]);
  expect((await ada.call('GET', '/balance-entries')).body.data).toMatchObject([{ deltaCents: 777 }]);
});

describe('who gets in', () => {
  test('401, one same answer, without a good cookie: an API key and an unused link open nothing', async () => {
    const link = await newLinkToken(shop, mine.projectId, mine.customerId);
    const bad: Record<string, string>[] = [
      {},
      { cookie: 'florin_portal=' },
      { cookie: `florin_portal=${link}` },
      { cookie: `florin_portal=portal_${'x'.repeat(43)}` },
      { cookie: `__Host-${ada.cookie}` },
      { authorization: `Bearer ${shop.key}` },
      { authorization: `Bearer ${ada.cookie.split('=')[1]}` },
    ];
    for (const route of portalRoutes()) {
      for (const headers of bad) {
        const answer = await ask(route, mine, { 'x-csrf-token': ada.csrfToken, ...headers });
        expect([route.id, headers, answer.status, answer.body.error.code]).toEqual([
          route.id,
          headers,
          401,
          'PORTAL_SESSION_REQUIRED',
        ]);
      }
    }
  });

  test('401 from every keyed operation for a cookie without a key', async () => {
    const keyed = service.app.routeDescriptions.filter(({ scopes, keyless }) => scopes && !keyless);
    expect(keyed.length).toBeGreaterThan(40);
    for (const { id, method, path } of keyed) {
      const url = service.url + path.replace(/\{\w+\}/g, randomUUID());
      const answer = await call(url, method, method === 'GET' ? undefined : {}, asAda());
      expect([id, answer.status, answer.body.error.code]).toEqual([id, 401, 'UNAUTHORIZED']);
    }
  });
});

describe('where a change comes from', () => {
  test('403 for every change without this visit’s CSRF token, or from another site, before the body is read', async () => {
    const other = await visit(service, shop, mine.projectId, mine.customerId);
    const { cookie, csrfToken } = ada;
    const bad: Record<string, string>[] = [
      { cookie },
      { cookie, 'x-csrf-token': '' },
      { cookie, 'x-csrf-token': other.csrfToken },
      { cookie, 'x-csrf-token': csrfToken, origin: 'https://evil.example' },
      { cookie, 'x-csrf-token': csrfToken, origin: 'null' },
    ];
    for (const { id, method, path } of portalRoutes()) {
      if (method === 'GET') continue;
      const url = service.url + path.replace('{subscriptionId}', mine.subscriptionId);
      for (const headers of bad) {
        const answer = await call(url, method, '{"?":', headers);
        expect([id, headers, answer.status, answer.body.error.code]).toEqual([id, headers, 403, 'FORBIDDEN']);
      }
    }
    const origin = 'http://127.0.0.1';
    expect((await ada.call('PATCH', '/me', { name: 'ada' }, { origin })).status).toBe(200);
  });
});

test('after all of that, what the others own is as it was', async () => {
  for (const [owner, things] of [
    [shop, others.neighbour!],
    [shop, others.otherProject!],
    [rival, others.otherMerchant!],
  ] as const) {
    const read = async (path: string) => (await owner.call('GET', `/api/v2/${path}`)).body;
    expect((await read(`subscriptions/${things.subscriptionId}`)).status).toBe('incomplete');
    expect((await read(`invoices/${things.invoiceId}`)).status).toBe('open');
    expect((await read(`customers/${things.customerId}`)).name).not.toContain('Mallory');
  }
});
