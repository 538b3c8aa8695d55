import { expect, test } from 'vitest';
import { testService } from '../../../test/support/service.ts';
import { listOffered, offerOf, plainSchema } from './operations.ts';

const { app } = await testService();
const routes = app.routeDescriptions;
const offered = routes.filter((route) => offerOf(route).tool);

test('there are operations of each kind: src/routes.txt shows which', () => {
  expect(routes.length).toBeGreaterThan(150);
  expect(offered.length).toBeGreaterThan(80);
  expect(routes.filter(({ scopes, assistant }) => scopes && assistant === undefined)).toEqual([]);
});

test('an operation that says nothing of assistants is not offered', () => {
  const silent = { ...routes.find(({ id }) => id === 'getInvoice')!, assistant: undefined };
  expect(offerOf(silent).tool).toBeUndefined();
});

test('nothing is offered that concerns payout addresses, keys, secrets, members or exceptions', () => {
  const never =
    /payout|api.?key|secret|webhook$|member|passkey|password|signIn|linkException|markException|portal|claim|approve|prepare|sendRefund/i;
  expect(offered.map(({ id }) => id).filter((id) => never.test(id))).toEqual([]);
  const guarded = routes.filter(({ members }) => members?.stepUp).map(({ id }) => id);
  expect(guarded.filter((id) => offered.some((route) => route.id === id))).toEqual(['createRefund']);
});

test('what read offers changes nothing', () => {
  const reads = offered.filter((route) => offerOf(route).tool === 'read');
  expect(reads.filter(({ method }) => method !== 'GET').map(({ id }) => id)).toEqual([
    'previewSubscriptionChange',
  ]);
});

test('what write offers takes an Idempotency-Key, or has the same effect when repeated', () => {
  const writes = offered.filter((route) => offerOf(route).tool === 'write');
  const unguarded = writes.filter(({ method, idempotency }) => method === 'POST' && !idempotency);
  expect(unguarded.map(({ id }) => id)).toEqual(['checkRefund']);
  expect(new Set(writes.map(({ method }) => method))).toEqual(new Set(['POST', 'PATCH', 'DELETE']));
});

test('a key sees what its scopes allow', () => {
  const ids = (scopes: string[]) =>
    listOffered(app, { scopes } as never).map(({ route, offer }) => `${offer.tool} ${route.id}`);
  expect(ids([])).toEqual(['read getProfile', 'read getBrand', 'read getSandboxClock']);
  expect(ids(['payments:read'])).toContain('read listPaymentIntents');
  expect(ids(['payments:read']).filter((id) => id.startsWith('write'))).toEqual([]);
  expect(ids(['billing:write'])).toContain('write createProduct');
  expect(ids(['billing:write'])).not.toContain('write createCheckoutSession');
});

test('schemas are plain JSON, without the fields that are refused', () => {
  const { body } = routes.find(({ id }) => id === 'updateProject')!;
  const plain = plainSchema(body, ['payoutAddress', 'settings.agentRefundLimitCents']) as {
    properties: Record<string, { properties: object }>;
  };
  expect(Object.keys(plain.properties)).not.toContain('payoutAddress');
  expect(Object.keys(plain.properties.settings!.properties)).not.toContain('agentRefundLimitCents');
  expect(Object.keys(plain.properties.settings!.properties)).toContain('gracePeriodDays');
  expect(JSON.stringify(plain)).not.toContain('"format":"text"');
  expect(Object.keys((body as unknown as typeof plain).properties)).toContain('payoutAddress');
});
