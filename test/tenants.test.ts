import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { exampleOf, type JsonSchema } from '../site/reference/schema-example.ts';
import { mintKey, SCOPES } from '../src/platform/access/key.ts';
import type { RouteDescription } from '../src/platform/http/route.ts';
import { png } from './support/images.ts';
import { newOwner, signInAs, type TestMember } from './support/members.ts';
import { insertProvenRefund } from './support/refund-journey.ts';
import {
  call,
  newAddress,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from './support/service.ts';
import { pairedTill, type TillPlace } from './support/till.ts';
import { arrive } from './support/transfers.ts';
import { dispatchAll, emitEvents, setUrl } from './support/webhooks.ts';

/**
 * Walks every operation of openapi.json with another merchant's ids, with ids that never were and with ids
 * of things that are gone, under every kind of key. A new operation with an id it does not know fails here.
 */
let service: TestService;
let alice: TestMerchant;
let mallory: TestMerchant;
/** Owners of both, in the dashboard. */
let hers: TestMember;
let malloryInPerson: TestMember;
/** Ids of Alice's objects, by the name of the path parameter or body field that would hold them. */
const owned: Record<string, string> = {};
/** A body that the operation would take, if the ids were the caller's. */
function bodyOf({ method, body, upload }: RouteDescription): unknown {
  if (method === 'GET') return undefined;
  if (upload) return png();
  if (!body) return {};
  const known = { address: newAddress(), payoutAddress: newAddress() };
  return exampleOf(body as JsonSchema, { purpose: 'request', known });
}

beforeAll(async () => {
  service = await testService();
  alice = await service.createMerchant('Alice');
  mallory = await service.createMerchant('Mallory');
  owned.intentId = (
    await alice.call('POST', '/api/merchants/intents', { amountCents: 5, orderId: 'hers' })
  ).body.id;
  owned.terminalId = (await alice.call('POST', '/api/b2b/merchants/terminals', { name: 'hers' })).body.id;
  await arrive(service, alice.id, { baseUnits: 50_000n });
  owned.exceptionId = (await alice.call('GET', '/api/v2/exceptions')).body.data[0].id;
  owned.keyId = (await alice.call('GET', '/api/b2b/merchants/keys')).body[0].id;
  await setUrl(service.db, alice.id, 'https://alice.example/hook');
  const made = await alice.call('POST', '/api/v2/webhook-endpoints', { url: 'https://books.example/hook' });
  owned.endpointId = made.body.id;
  const notified = await alice.call('POST', '/api/v2/notifications', {
    kind: 'slack',
    url: 'https://hooks.example/services/T/B/secret',
  });
  owned.notificationId = notified.body.id;
  owned.eventId = (await emitEvents(service.db, alice.id))[0]!;
  await dispatchAll(service.db);
  while (owned.requestId === undefined)
    owned.requestId = (await alice.call('GET', '/api/v2/request-logs')).body.data[0]?.id;
  owned.deliveryId = (await alice.call('GET', '/api/v2/webhook-deliveries')).body.data[0].id;
  await makeCatalog();
  const till = { terminalId: owned.terminalId, projectId: owned.projectId };
  const counter = await pairedTill(service, alice, till as TillPlace);
  owned.tillId = counter.id;
  const sale = (await counter.call('POST', '/sales', { amountCents: 5 })).body;
  const { body: sold } = await alice.call('GET', `/api/merchants/intents/${sale.id}`);
  await arrive(service, alice.id, { references: [sold.referenceAddress], baseUnits: 50_000n });
  await counter.call('POST', `/sales/${sale.id}/refund-request`, {});
  const { body: requests } = await alice.call('GET', '/api/b2b/merchants/refund-requests');
  owned.refundRequestId = requests.data[0].id;
  const exception = { exceptionId: owned.exceptionId! };
  const about = { customerId: owned.customerId, text: 'hers' };
  owned.noteId = (await alice.call('POST', '/api/v2/notes', about)).body.id;
  owned.creditNoteId = (await insertProvenRefund(service.db, alice.id, exception)).creditNoteId;
  await alice.call('PATCH', '/api/b2b/merchants/payout-address/delay', { payoutChangeDelayHours: 24 });
  const moving = await alice.call('PATCH', '/api/b2b/merchants/payout-address', {
    payoutAddress: newAddress(),
  });
  owned.payoutChangeId = moving.body.pendingChange.id;
  await makeMembers();
});

async function makeMembers(): Promise<void> {
  hers = await newOwner(service, alice);
  malloryInPerson = await newOwner(service, mallory);
  await signInAs(service, hers.email);
  owned.memberId = hers.id;
  const invited = { email: 'invited@alice.example', role: 'viewer' };
  owned.invitationId = (await hers.call('POST', '/api/dashboard/invitations', invited)).body.id;
  const { body: sessions } = await hers.call('GET', '/api/dashboard/sessions');
  owned.dashboardSessionId = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent).id;
  const view = { list: 'intents', name: 'hers', query: 'status=succeeded', isShared: true };
  owned.viewId = (await hers.call('POST', '/api/dashboard/saved-views', view)).body.id;
  owned.passkeyId = randomUUID();
  await service.db.query(
    `insert into passkeys (merchant_id, id, member_id, name, credential_id, public_key, counter, transports, is_synced, created_at)
     values ($1, $2, $3, 'hers', '\\x01', '\\x02', 0, '{}', false, now())`,
    [alice.id, owned.passkeyId, owned.memberId],
  );
}

async function makeCatalog(): Promise<void> {
  const make = async (path: string, body: object) => (await alice.call('POST', path, body)).body.id;
  const projectId = await make('/api/v2/projects', { name: 'hers' });
  const product = { projectId, name: 'hers' };
  owned.projectId = projectId;
  owned.customerId = await make('/api/v2/customers', { ...product, externalCustomerId: 'hers' });
  owned.productId = await make('/api/v2/products', product);
  const terms = { unitAmountCents: 1, billingMode: 'one_time' };
  owned.priceId = await make('/api/v2/prices', { ...product, productId: owned.productId, ...terms });
  owned.taxRateId = await make('/api/v2/tax-rates', { ...product, percent: 19, country: 'DE' });
  owned.discountId = await make('/api/v2/discounts', { ...product, percentOff: 10 });
  owned.promotionCodeId = await make('/api/v2/promotion-codes', {
    discountId: owned.discountId,
    code: 'hers',
  });
  owned.paymentLinkId = await make('/api/v2/payment-links', {
    projectId,
    priceId: owned.priceId,
    name: 'hers',
  });
  owned.paywallId = await make('/api/v2/x402/paywalls', {
    projectId,
    priceId: owned.priceId,
    description: 'hers',
  });
  const link = await alice.call('GET', `/api/v2/payment-links/${owned.paymentLinkId}`);
  owned.publicToken = link.body.publicToken;
  const session = await alice.call('POST', '/api/v2/checkout-sessions', {
    projectId,
    mode: 'one_time',
    amountCents: 5,
    externalCustomerId: 'hers',
    merchantReference: 'hers',
  });
  owned.sessionId = session.body.id;
  owned.invoiceId = session.body.invoiceId;
  const plan = { unitAmountCents: 1, billingMode: 'subscription', recurringInterval: 'month' };
  const planId = await make('/api/v2/prices', { ...product, productId: owned.productId, ...plan });
  const begun = await alice.call('POST', '/api/v2/checkout-sessions', {
    projectId,
    mode: 'subscription',
    priceId: planId,
    externalCustomerId: 'hers',
  });
  owned.subscriptionId = begun.body.subscriptionId;
  const { body: intent } = await alice.call('GET', `/api/merchants/intents/${begun.body.paymentIntentId}`);
  await arrive(service, alice.id, { references: [intent.referenceAddress], baseUnits: 10_000n });
  owned.refundId = await make('/api/v2/refunds', { paymentIntentId: intent.id, reason: 'other' });
}

const withoutTrace = (answer: TestAnswer) => answer.text.replace(answer.body?.error?.traceId ?? '', '');

test('a foreign id in a path and one that never was get the same bytes: 404', async () => {
  const withIds = service.app.routeDescriptions.filter((route) => route.path.includes('{'));
  expect(withIds.length).toBeGreaterThan(3);
  for (const route of withIds) {
    const { id, method, path, scopes, dashboard } = route;
    if (!scopes && !dashboard) continue;
    const caller = dashboard ? malloryInPerson : mallory;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    for (const name of names)
      expect(owned, `give ${name} of ${id} an owner in this test`).toHaveProperty(name);
    const ask = (value: (name: string) => string) =>
      caller.call(
        method,
        path.replace(/\{(\w+)\}/g, (_all, name) => value(name)),
        bodyOf(route),
      );
    const foreign = await ask((name) => owned[name]!);
    const missing = await ask(() => randomUUID());
    const malformed = await ask(() => 'none');
    expect([id, foreign.status]).toEqual([id, 404]);
    expect(withoutTrace(foreign)).toBe(withoutTrace(missing));
    expect(withoutTrace(foreign)).toBe(withoutTrace(malformed));
  }
});

test('a foreign id in a body and one that never was get the same bytes: 400; in a filter: an empty list', async () => {
  const ask = (terminalId: string) =>
    mallory.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'x', terminalId });
  const foreign = await ask(owned.terminalId!);
  expect(foreign.status).toBe(400);
  expect(withoutTrace(foreign)).toBe(withoutTrace(await ask(randomUUID())));
  for (const filter of [
    `/api/merchants/intents?terminalId=${owned.terminalId}`,
    `/api/v2/customers?projectId=${owned.projectId}`,
    '/api/v2/customers?externalCustomerId=hers',
    `/api/v2/products?projectId=${owned.projectId}`,
    `/api/v2/prices?projectId=${owned.projectId}`,
    `/api/v2/prices?productId=${owned.productId}`,
    `/api/v2/tax-rates?projectId=${owned.projectId}`,
    `/api/v2/discounts?projectId=${owned.projectId}`,
    `/api/v2/promotion-codes?discountId=${owned.discountId}`,
    '/api/v2/promotion-codes?code=hers',
    `/api/v2/checkout-sessions?projectId=${owned.projectId}`,
    `/api/v2/checkout-sessions?customerId=${owned.customerId}`,
    `/api/v2/checkout-sessions?paymentLinkId=${owned.paymentLinkId}`,
    '/api/v2/checkout-sessions?externalCustomerId=hers',
    '/api/v2/checkout-sessions?merchantReference=hers',
    `/api/v2/x402/paywalls?projectId=${owned.projectId}`,
    `/api/v2/invoices?projectId=${owned.projectId}`,
    `/api/v2/invoices?customerId=${owned.customerId}`,
    '/api/v2/invoices?externalCustomerId=hers',
    '/api/v2/invoices?merchantReference=hers',
    `/api/v2/checkout-sessions?subscriptionId=${owned.subscriptionId}`,
    `/api/v2/invoices?subscriptionId=${owned.subscriptionId}`,
    `/api/v2/subscriptions?projectId=${owned.projectId}`,
    `/api/v2/subscriptions?customerId=${owned.customerId}`,
    '/api/v2/subscriptions?externalCustomerId=hers',
    `/api/v2/credit-notes?projectId=${owned.projectId}`,
    `/api/v2/credit-notes?customerId=${owned.customerId}`,
    `/api/v2/payment-links?projectId=${owned.projectId}`,
    `/api/v2/payment-links?priceId=${owned.priceId}`,
  ]) {
    expect([filter, (await mallory.call('GET', filter)).body.data]).toEqual([filter, []]);
  }
});

test('what Mallory makes cannot hang on anything of Alice’s, and no answer tells that it exists', async () => {
  const mine = (await mallory.call('POST', '/api/v2/projects', { name: 'mine' })).body.id;
  const counter = (await mallory.call('POST', '/api/b2b/merchants/terminals', {})).body.id;
  const price = { unitAmountCents: 1, billingMode: 'one_time' };
  const attempts: [string, (id: string) => object, string][] = [
    ['/api/v2/customers', (projectId) => ({ projectId, externalCustomerId: 'hers' }), 'projectId'],
    ['/api/v2/portal-sessions', (projectId) => ({ projectId, customerId: owned.customerId }), 'projectId'],
    ['/api/v2/portal-sessions', (customerId) => ({ projectId: mine, customerId }), 'customerId'],
    ['/api/v2/products', (projectId) => ({ projectId, name: 'x' }), 'projectId'],
    ['/api/b2b/merchants/tills', (terminalId) => ({ projectId: mine, terminalId }), 'terminalId'],
    ['/api/b2b/merchants/tills', (projectId) => ({ projectId, terminalId: counter }), 'projectId'],
    ['/api/v2/prices', (projectId) => ({ projectId, productId: owned.productId, ...price }), 'projectId'],
    ['/api/v2/prices', (productId) => ({ projectId: mine, productId, ...price }), 'productId'],
    ['/api/v2/tax-rates', (projectId) => ({ projectId, name: 'x', percent: 1, country: 'DE' }), 'projectId'],
    [
      '/api/v2/checkout-sessions',
      (taxRateId) => ({
        projectId: mine,
        mode: 'one_time',
        lineItems: [{ name: 'x', unitAmountCents: 1, taxBehavior: 'exclusive', taxRateId }],
      }),
      'lineItems.0.taxRateId',
    ],
    ['/api/v2/discounts', (projectId) => ({ projectId, name: 'x', percentOff: 1 }), 'projectId'],
    ['/api/v2/promotion-codes', (discountId) => ({ discountId }), 'discountId'],
    [
      '/api/v2/checkout-sessions',
      (discountId) => ({ projectId: mine, mode: 'one_time', amountCents: 1, discountId }),
      'discountId',
    ],
    [
      '/api/v2/checkout-sessions',
      (projectId) => ({ projectId, mode: 'one_time', amountCents: 1 }),
      'projectId',
    ],
    ['/api/v2/checkout-sessions', (priceId) => ({ projectId: mine, mode: 'one_time', priceId }), 'priceId'],
    ['/api/v2/payment-links', (projectId) => ({ projectId, priceId: owned.priceId }), 'projectId'],
    ['/api/v2/payment-links', (priceId) => ({ projectId: mine, priceId }), 'priceId'],
    ['/api/v2/payment-links/setup', (projectId) => ({ projectId, productName: 'x', ...price }), 'projectId'],
  ];
  for (const [path, body, field] of attempts) {
    const foreign = await mallory.call('POST', path, body(owned[field.split('.').at(-1)!]!));
    expect([path, foreign.status, foreign.body.error.message.split(' ')[0]]).toEqual([path, 400, field]);
    const missing = await mallory.call('POST', path, body(randomUUID()));
    expect(withoutTrace(foreign)).toBe(withoutTrace(missing));
  }
});

test('no operation works without a good key, whatever is wrong with it', async () => {
  const revoked = await alice.keyWith(SCOPES);
  await service.db.query(
    'update api_keys set revoked_at = now() where id = (select max(id::text)::uuid from api_keys where merchant_id = $1)',
    [alice.id],
  );
  const bad = [
    '',
    'Bearer x',
    `Bearer ${mintKey('devnet').raw}`,
    `Bearer ${mintKey('mainnet').raw}`,
    `Bearer ${revoked}`,
  ];
  for (const route of service.app.routeDescriptions) {
    const { id, method, path, scopes } = route;
    if (!scopes) continue;
    for (const authorization of bad) {
      const url = service.url + path.replace(/\{(\w+)\}/g, (_all, name) => owned[name]!);
      const answer = await call(url, method, bodyOf(route), { authorization });
      expect([id, answer.status, answer.body.error.code]).toEqual([id, 401, 'UNAUTHORIZED']);
    }
  }
});

test('lists and numbers show one’s own things only', async () => {
  for (const path of [
    '/api/merchants/intents',
    '/api/b2b/merchants/terminals',
    '/api/b2b/merchants/tills',
    '/api/b2b/merchants/refund-requests',
    '/api/b2b/merchants/keys',
    '/api/b2b/merchants/me',
    '/api/b2b/merchants/audit-entries?limit=100',
    '/api/b2b/merchants/stats',
    '/api/v2/notes',
    '/api/v2/usage',
    '/api/v2/usage/records',
    '/api/v2/webhook-deliveries',
    // Her refused requests repeat the ids she tried.
    '/api/v2/request-logs?isFailed=false&limit=100',
    '/api/v2/events',
    '/api/v2/projects',
    '/api/v2/customers',
    '/api/v2/products',
    '/api/v2/prices',
    '/api/v2/checkout-sessions',
    '/api/v2/invoices',
    '/api/v2/credit-notes',
    '/api/v2/subscriptions',
    '/api/v2/payment-links',
    '/api/v2/billing/overview',
    `/api/v2/billing/overview?projectId=${owned.projectId}`,
    '/api/v2/billing/revenue',
    `/api/v2/billing/revenue?projectId=${owned.projectId}`,
  ]) {
    const { text } = await mallory.call('GET', path);
    for (const id of [alice.id, ...Object.values(owned)]) expect(text).not.toContain(id);
  }
  expect((await mallory.call('GET', '/api/b2b/merchants/stats')).body.totalTransactions).toBe(0);
});

test('in the dashboard, too: every list that a member reads shows their merchant’s things only', async () => {
  const lists = service.app.routeDescriptions.filter(
    ({ method, path, dashboard, scopes }) => method === 'GET' && (dashboard || scopes) && !path.includes('{'),
  );
  expect(lists.length).toBeGreaterThan(20);
  const { body: own } = await mallory.call('POST', '/api/v2/projects', { name: 'own' });
  const period = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
  for (const { path } of lists) {
    const query = path.endsWith('/search')
      ? '?q=hers'
      : path.endsWith('/request-logs')
        ? '?isFailed=false&limit=100'
        : path.endsWith('/tax-report')
          ? `?projectId=${own.id}&${period}`
          : /\/(general-ledger|bank-statement)$/.test(path)
            ? `?${period}`
            : /\/monthly-report(\/pdf)?$/.test(path)
              ? '?month=2026-01'
              : '';
    const { status, text } = await malloryInPerson.call('GET', path + query);
    expect([path, status]).toEqual([path, 200]);
    for (const id of [alice.id, hers.email, ...Object.values(owned)]) expect(text).not.toContain(id);
  }
  const theirs = `/api/v2/tax-report?projectId=${owned.projectId}&${period}`;
  expect((await malloryInPerson.call('GET', theirs)).status).toBe(404);
  for (const books of ['general-ledger', 'bank-statement']) {
    const path = `/api/v2/${books}?projectId=${owned.projectId}&${period}`;
    expect((await malloryInPerson.call('GET', path)).status).toBe(404);
  }
  const month = `/api/v2/monthly-report?projectId=${owned.projectId}&month=2026-01`;
  expect((await malloryInPerson.call('GET', month)).status).toBe(404);
});

test('after all of that, what Alice owns is as it was', async () => {
  const { body: signedIn } = await hers.call('GET', '/api/dashboard/session');
  expect(signedIn.member).toMatchObject({ role: 'owner', isActive: true });
  expect((await hers.call('GET', '/api/dashboard/sessions')).body).toHaveLength(2);
  expect((await hers.call('GET', '/api/dashboard/invitations')).body).toHaveLength(1);
  expect((await hers.call('GET', '/api/dashboard/passkeys')).body).toMatchObject([{ name: 'hers' }]);
  expect((await alice.call('GET', `/api/merchants/intents/${owned.intentId}`)).body.status).toBe('pending');
  expect((await alice.call('GET', '/api/b2b/merchants/terminals')).body).toMatchObject([
    { name: 'hers', isActive: true },
  ]);
  expect((await alice.call('GET', '/api/b2b/merchants/me')).status).toBe(200);
  for (const [nouns, id] of [
    ['projects', owned.projectId],
    ['customers', owned.customerId],
    ['products', owned.productId],
    ['payment-links', owned.paymentLinkId],
  ]) {
    expect((await alice.call('GET', `/api/v2/${nouns}/${id}`)).body.name).toBe('hers');
  }
  expect((await alice.call('GET', '/api/v2/projects')).body.data).toHaveLength(1);
  const session = await alice.call('GET', `/api/v2/checkout-sessions/${owned.sessionId}`);
  expect(session.body.status).toBe('open');
  const subscription = await alice.call('GET', `/api/v2/subscriptions/${owned.subscriptionId}`);
  expect(subscription.body).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  expect((await alice.call('GET', `/api/v2/invoices/${owned.invoiceId}`)).body.status).toBe('open');
  const entries = await alice.call('GET', `/api/v2/customers/${owned.customerId}/balance-entries`);
  expect(entries.body.data).toEqual([]);
});

test('the public routes of a link tell a stranger nothing but what is for sale', async () => {
  for (const version of ['/api/v2', '/api']) {
    const shown = await call(`${service.url}${version}/payment-links/${owned.publicToken}`, 'GET');
    expect(shown.status).toBe(200);
    const { publicToken: _, ...secrets } = owned;
    for (const id of [alice.id, ...Object.values(secrets)]) expect(shown.text).not.toContain(id);
    const asMallory = await mallory.call('GET', `${version}/payment-links/${owned.publicToken}`);
    expect(asMallory.text).toBe(shown.text);
    const path = `${version}/payment-links/plink_${'0'.repeat(24)}`;
    for (const token of [path, `${version}/payment-links/nothing`]) {
      expect((await call(service.url + token, 'GET')).status).toBe(404);
      expect((await call(`${service.url}${token}/checkout`, 'POST', {})).status).toBe(404);
    }
    const byId = await call(`${service.url}${version}/payment-links/${owned.paymentLinkId}/checkout`, 'POST');
    expect(byId.status).toBe(404);
  }
});

test('the database itself refuses a row that points across merchants', async () => {
  await expect(
    service.db.query(
      `insert into payment_intents (merchant_id, id, order_id, terminal_id, expected_amount_cents, reference_address, destination_address, created_at, expires_at)
       values ($1, $2, 'x', $3, 1, 'r', 'd', now(), now() + interval '1 h')`,
      [mallory.id, randomUUID(), owned.terminalId],
    ),
  ).rejects.toThrow('foreign key');
});
