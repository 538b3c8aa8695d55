import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { rawCall } from '../../../test/support/mcp.ts';

let chain: TestChain;
let projectId: string;

beforeAll(async () => {
  chain = await testChain();
  projectId = (await chain.shop.call('POST', '/api/v2/projects', { name: 'Bakery' })).body.id;
});

let purposes = 0;
const refund = async (body: object, purpose = `refund ${purposes++}`) =>
  (
    await rawCall(chain.service.url, chain.shop.key, 'write', {
      operation: 'createRefund',
      body: { reason: 'requested_by_customer', ...body },
      purpose,
    })
  ).body.result.structuredContent;

async function paid(amountCents: number): Promise<{ paymentIntentId: string; invoiceId: string }> {
  const { shop } = chain;
  const session = await shop.call('POST', '/api/v2/checkout-sessions', {
    projectId,
    mode: 'one_time',
    amountCents,
  });
  const { paymentIntentId, invoiceId } = session.body;
  await shop.call('POST', '/api/v2/sandbox/payments', { paymentIntentId });
  await chain.finalize();
  return { paymentIntentId, invoiceId };
}

const setLimit = (agentRefundLimitCents: number, key?: string) =>
  chain.shop.call(
    'PATCH',
    `/api/v2/projects/${projectId}`,
    { settings: { agentRefundLimitCents } },
    key ? { authorization: `Bearer ${key}` } : {},
  );

test('assistants refund nothing unless the project says how much', async () => {
  const { paymentIntentId } = await paid(1_000);
  const refused = await refund({ paymentIntentId, amountCents: 1 });
  expect(refused).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  expect(refused.error.message).toContain('agentRefundLimitCents');
  expect((await chain.shop.call('GET', '/api/v2/refunds')).body.data).toEqual([]);
});

test('the limit holds for the whole of a payment, by any name and in any number of parts', async () => {
  expect((await setLimit(300)).body.settings.agentRefundLimitCents).toBe(300);
  const { paymentIntentId, invoiceId } = await paid(1_000);
  expect((await refund({ paymentIntentId })).status).toBe(403);
  expect((await refund({ invoiceId, amountCents: 301 })).status).toBe(403);
  expect((await refund({ paymentIntentId, amountCents: 200 })).data).toMatchObject({
    amountCents: 200,
    status: 'awaiting_address',
  });
  const more = await refund({ invoiceId, amountCents: 101 });
  expect(more.error.message).toContain('300 cents of a payment in total; 200 are refunded already');
  const parts = await Promise.all([1, 2, 3].map(() => refund({ invoiceId, amountCents: 100 })));
  expect(parts.filter(({ data }) => data)).toHaveLength(1);
  const byHand = await chain.shop.call('POST', '/api/v2/refunds', {
    paymentIntentId,
    amountCents: 700,
    reason: 'requested_by_customer',
  });
  expect(byHand.status).toBe(201);
});

test('an assistant cannot say where the money goes, and cannot resolve an exception by a refund', async () => {
  const { paymentIntentId } = await paid(100);
  const { address } = chain.customer;
  expect((await refund({ paymentIntentId, address })).error.message).toBe(
    'address cannot be set by an assistant.',
  );
  expect((await refund({ exceptionId: paymentIntentId })).status).toBe(403);
  const { data } = await refund({ paymentIntentId });
  for (const operation of [
    'approveRefundAddress',
    'createRefundClaimLink',
    'cancelRefund',
    'paySandboxRefund',
  ]) {
    const answer = await rawCall(chain.service.url, chain.shop.key, 'write', {
      operation,
      params: { refundId: data.id },
      body: { address },
      purpose: operation,
    });
    expect(answer.body.result.structuredContent.status).toBe(403);
  }
  for (const operation of ['prepareRefunds', 'sendRefunds']) {
    const answer = await rawCall(chain.service.url, chain.shop.key, 'write', {
      operation,
      body: {},
      purpose: 'p',
    });
    expect(answer.body.result.structuredContent.status).toBe(403);
  }
});

test('a payment of no project is never refunded by an assistant', async () => {
  const intent = await chain.shop.call('POST', '/api/merchants/intents', {
    orderId: 'no-project',
    amountCents: 50,
  });
  await chain.shop.call('POST', '/api/v2/sandbox/payments', { paymentIntentId: intent.body.id });
  await chain.finalize();
  expect((await refund({ paymentIntentId: intent.body.id, amountCents: 1 })).status).toBe(403);
});

test('raising the limit takes the rights to refund; lowering it does not', async () => {
  const key = await chain.shop.keyWith(['billing:read', 'billing:write']);
  await setLimit(300);
  const raised = await setLimit(301, key);
  expect([raised.status, raised.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  expect((await setLimit(0, key)).body.settings.agentRefundLimitCents).toBe(0);
  const created = await chain.shop.call(
    'POST',
    '/api/v2/projects',
    { name: 'New', settings: { agentRefundLimitCents: 1 } },
    { authorization: `Bearer ${key}` },
  );
  expect([created.status, created.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  const negative = await setLimit(-1);
  expect(negative.status).toBe(400);
});
