import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPlan, newProject, newSession } from '../../test/support/billing.ts';
import { type TestChain, testChain } from '../../test/support/chain.ts';
import { call, type TestMerchant, testService } from '../../test/support/service.ts';
import { eventually, startReceiver, startWorker } from '../../test/support/webhooks.ts';
import { intentWebhooks } from '../intents/describe-events.ts';
import { invariants } from '../operations/doctor/doctor.ts';
import { checkInvariants } from '../platform/db/invariant.ts';

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

const ROUTES = [
  ['POST', '/api/v2/sandbox/payments', { paymentIntentId: randomUUID() }],
  ['GET', '/api/v2/sandbox/clock', undefined],
  ['POST', '/api/v2/sandbox/clock', { advanceSeconds: 0 }],
  ['POST', '/api/v2/sandbox/events', { event: 'payment_intent.succeeded' }],
] as const;

describe.each(ROUTES)('%s %s', (method, path, body) => {
  test('401 without a key; any valid key will do', async () => {
    expect((await call(t.service.url + path, method, body)).status).toBe(401);
    const key = await t.shop.keyWith(['billing:read']);
    const answer = await call(t.service.url + path, method, body, { authorization: `Bearer ${key}` });
    expect([200, 400, 409]).toContain(answer.status);
  });

  test('404 elsewhere than in the sandbox, with and without a key', async () => {
    const SOLANA_RPC_URLS = 'http://127.0.0.1:1';
    for (const FLORIN_NETWORK of ['devnet', 'mainnet']) {
      const service = await testService({ FLORIN_NETWORK, SOLANA_RPC_URLS });
      const shop = await service.createMerchant();
      const answer = await shop.call(method, path, body);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
      expect((await call(service.url + path, method, body)).status).toBe(404);
    }
  });
});

describe('POST /api/v2/sandbox/payments', () => {
  const pay = (body: unknown) => t.shop.call('POST', '/api/v2/sandbox/payments', body);
  let orders = 0;
  const newIntent = async (amountCents: number): Promise<string> =>
    (
      await t.shop.call('POST', '/api/merchants/intents', {
        amountCents,
        orderId: `s${orders++}`,
      })
    ).body.id;
  const read = async (id: string) => (await t.shop.call('GET', `/api/merchants/intents/${id}`)).body;

  test.each([
    [undefined, 'succeeded', 700],
    ['pay', 'succeeded', 700],
    ['fail', 'failed', 0],
    ['no_reference', 'pending', 0],
  ])('202 with outcome %s: the intent is then %s', async (outcome, status, amountReceivedCents) => {
    const paymentIntentId = await newIntent(700);
    const answer = await pay({ paymentIntentId, ...(outcome && { outcome }) });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/) });
    await t.finalize();
    expect(await read(paymentIntentId)).toMatchObject({ status, amountReceivedCents });
  });

  test('202 with outcome wrong_mint: a closer look by reference finds it', async () => {
    const paymentIntentId = await newIntent(700);
    expect((await pay({ paymentIntentId, outcome: 'wrong_mint' })).status).toBe(202);
    await t.finalize();
    expect((await read(paymentIntentId)).status).toBe('pending');
    await t.lookCloser();
    await t.finalize();
    expect(await read(paymentIntentId)).toMatchObject({ status: 'failed', amountReceivedCents: 0 });
  });

  test('202 with an amount: parts add up, and by default the rest is paid', async () => {
    const paymentIntentId = await newIntent(700);
    expect((await pay({ paymentIntentId, amountCents: 300 })).status).toBe(202);
    await t.finalize();
    expect(await read(paymentIntentId)).toMatchObject({ status: 'underpaid', amountReceivedCents: 300 });
    expect((await pay({ paymentIntentId: paymentIntentId.toUpperCase() })).status).toBe(202);
    await t.finalize();
    expect(await read(paymentIntentId)).toMatchObject({ status: 'succeeded', amountReceivedCents: 700 });
  });

  test('409 INVALID_STATE when nothing is due, unless an amount is named', async () => {
    const paymentIntentId = await newIntent(5);
    await pay({ paymentIntentId });
    await t.finalize();
    const { status, body } = await pay({ paymentIntentId });
    expect([status, body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect((await pay({ paymentIntentId, amountCents: 1 })).status).toBe(202);
  });

  test('202 for whatever is to be paid: a session, its invoice, its URL, or a subscription that waits for money', async () => {
    const { id: projectId } = await newProject(t.shop);
    const { id: priceId } = await newPlan(t.shop, projectId);
    const open = () =>
      newSession(t.shop, projectId, { mode: 'subscription', priceId, externalCustomerId: randomUUID() });
    for (const name of ['paymentIntentId', 'id', 'invoiceId', 'subscriptionId', 'checkoutUrl'] as const) {
      const session = await open();
      const answer = await pay({ target: session[name] });
      expect([name, answer.status]).toEqual([name, 202]);
      await t.finalize();
      const { body } = await t.shop.call('GET', `/api/v2/checkout-sessions/${session.id}`);
      expect([name, body.status, body.paymentStatus]).toEqual([name, 'complete', 'paid']);
    }
    const foreign = await t.service.createMerchant();
    const { id, checkoutUrl, subscriptionId } = await open();
    for (const target of [id, checkoutUrl, subscriptionId]) {
      const answer = await foreign.call('POST', '/api/v2/sandbox/payments', { target });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        'target must be the id of something of yours that can be paid',
      ]);
    }
    for (const body of [
      { target: id, paymentIntentId: randomUUID() },
      { target: '' },
      { target: 'x' },
      { target: 7 },
    ])
      expect([body, (await pay(body)).status]).toEqual([body, 400]);
  });

  test('400 for what it cannot pay; a foreign intent is no intent', async () => {
    const paymentIntentId = await newIntent(5);
    const other = await t.service.createMerchant();
    const foreign = await other.call('POST', '/api/v2/sandbox/payments', { paymentIntentId });
    const missing = await pay({ paymentIntentId: randomUUID() });
    expect([foreign.status, missing.status]).toEqual([400, 400]);
    expect(foreign.body.error.message).toBe(missing.body.error.message);
    for (const body of [
      undefined,
      {},
      { paymentIntentId: 'x' },
      { paymentIntentId, amountCents: 0 },
      { paymentIntentId, amountCents: 1.5 },
      { paymentIntentId, outcome: 'steal' },
      { paymentIntentId, colour: 'red' },
      `{"paymentIntentId": "${paymentIntentId}", "amountCents": 9223372036854775807}`,
    ])
      expect([body, (await pay(body)).status]).toEqual([body, 400]);
  });

  test.each(['pay', 'wrong_mint'])(
    '400 for more than the chain can still issue with outcome %s; other payments go on',
    async (outcome) => {
      const { shop } = await testChain();
      const made = await shop.call('POST', '/api/merchants/intents', { amountCents: 5, orderId: 'most' });
      const { id: paymentIntentId } = made.body;
      const payOn = (amountCents: number) =>
        shop.call('POST', '/api/v2/sandbox/payments', { paymentIntentId, amountCents, outcome });
      expect((await payOn(1)).status).toBe(202);
      const { status, body } = await payOn(1_844_674_407_370_955);
      expect([status, body.error.message]).toEqual([
        400,
        'amountCents exceeds the test money the sandbox chain can still issue',
      ]);
      expect((await payOn(2)).status).toBe(202);
    },
  );

  test('409 INVALID_STATE in a process that does not run the chain', async () => {
    const service = await testService();
    const shop = await service.createMerchant();
    const { status, body } = await shop.call('POST', '/api/v2/sandbox/payments', {
      paymentIntentId: randomUUID(),
    });
    expect([status, body.error.code]).toEqual([409, 'INVALID_STATE']);
  });
});

describe('/api/v2/sandbox/clock', () => {
  const move = (body: unknown) => t.shop.call('POST', '/api/v2/sandbox/clock', body);
  const now = async () => Date.parse((await t.shop.call('GET', '/api/v2/sandbox/clock')).body.now);

  test('200 moves forward by seconds or to a moment, and every step that became due has run', async () => {
    const { body: intent } = await t.shop.call('POST', '/api/merchants/intents', {
      amountCents: 5,
      orderId: 'waits',
    });
    const before = await now();
    const answer = await move({ advanceSeconds: 2_000 });
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['now', 'advancingTo']]);
    expect(Date.parse(answer.body.now)).toBeGreaterThanOrEqual(before + 2_000_000);
    const expired = await t.shop.call('GET', `/api/merchants/intents/${intent.id}`);
    expect(expired.body.status).toBe('expired');
    const to = new Date((await now()) + 86_400_000).toISOString();
    expect(Date.parse((await move({ to })).body.now)).toBeGreaterThanOrEqual(Date.parse(to));
    expect(await now()).toBeGreaterThanOrEqual(Date.parse(to));
  });

  test('an intent that is open when the time is moved further than its address is watched expires all the same', async () => {
    const order = { amountCents: 5, orderId: 'waits long' };
    const { body: intent } = await t.shop.call('POST', '/api/merchants/intents', order);
    await move({ advanceSeconds: 40 * 86_400 });
    const { body } = await t.shop.call('GET', `/api/merchants/intents/${intent.id}`);
    expect(body.status).toBe('expired');
  });

  test('400 for the past, both, neither, or nonsense; the time stays', async () => {
    const before = await now();
    const past = new Date(before - 60_000).toISOString();
    for (const body of [
      undefined,
      {},
      { to: past },
      { to: 'tomorrow' },
      { advanceSeconds: -1 },
      { advanceSeconds: 1.5 },
      { advanceSeconds: 315_360_001 },
      { advanceSeconds: 1, to: new Date(before + 86_400_000).toISOString() },
      { colour: 'red' },
    ])
      expect([body, (await move(body)).status]).toEqual([body, 400]);
    expect(await now()).toBeLessThan(before + 3_600_000);
  });
});

describe('POST /api/v2/sandbox/events', () => {
  const ask = (shop: TestMerchant, body: unknown) => shop.call('POST', '/api/v2/sandbox/events', body);

  test('202 for every event there is: each arrives signed, is logged, and nothing else changes', async () => {
    const shop = await t.service.createMerchant();
    const receiver = await startReceiver();
    await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: receiver.url });
    const { body: intent } = await shop.call('POST', '/api/merchants/intents', {
      amountCents: 5,
      orderId: 'real',
    });
    // One of them is sent only by name.
    const eventTypes = intentWebhooks.map(({ event }) => event);
    await shop.call('PATCH', `/api/v2/webhook-endpoints/${shop.id}`, { eventTypes });
    const worker = startWorker(t.service);
    const sent = new Map<string, string>();
    for (const { event } of intentWebhooks) {
      const { status, body } = await ask(shop, { event });
      expect([status, Object.keys(body)]).toEqual([202, ['eventId']]);
      sent.set(body.eventId, event);
    }
    const read = () => shop.call('GET', '/api/v2/webhook-deliveries?status=succeeded');
    const log = await eventually(async () => {
      const { data } = (await read()).body;
      return data.length === sent.size && (data as { eventId: string; event: string }[]);
    });
    await worker.stop();
    expect(new Map(log.map(({ eventId, event }) => [eventId, event]))).toEqual(sent);
    expect(receiver.received).toHaveLength(sent.size);
    for (const { headers, body } of receiver.received) {
      const [, time, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature']))!;
      expect(hex).toBe(createHmac('sha256', shop.webhookSecret).update(`${time}${body}`).digest('hex'));
      const { id, event, sequence, data } = JSON.parse(body);
      expect([event, sequence]).toEqual([sent.get(id), 1]);
      expect(data.paymentIntentId).not.toBe(intent.id);
    }
    expect((await shop.call('GET', `/api/merchants/intents/${intent.id}`)).body).toEqual(intent);
    const results = await checkInvariants(t.service.db, invariants);
    expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
  });

  test('202 without a URL where none is required: for clients that pull', async () => {
    const shop = await t.service.createMerchant();
    const { status, body } = await ask(shop, { event: 'invoice.paid', requireUrl: false });
    expect(status).toBe(202);
    const [pulled] = await eventually(async () => {
      const { data } = (await shop.call('GET', '/api/v2/events')).body;
      return data.length > 0 && (data as { id: string; event: string }[]);
    });
    expect(pulled).toMatchObject({ id: body.eventId, event: 'invoice.paid' });
  });

  test('400 for an unknown name, none, or anything else; 409 without a URL; nothing is written', async () => {
    const shop = await t.service.createMerchant();
    const unset = await ask(shop, { event: 'payment_intent.succeeded' });
    expect([unset.status, unset.body.error.code]).toEqual([409, 'WEBHOOK_NOT_CONFIGURED']);
    const insisting = await ask(shop, { event: 'payment_intent.succeeded', requireUrl: true });
    expect(insisting.status).toBe(409);
    await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: 'https://shop.example/' });
    for (const body of [
      undefined,
      {},
      { event: 'payment_intent.payd' },
      { event: '' },
      { event: ['payment_intent.succeeded'] },
      { event: 'payment_intent.succeeded', data: {} },
    ]) {
      const { status, body: answer } = await ask(shop, body);
      expect([body, status, answer.error.code]).toEqual([body, 400, 'BAD_REQUEST']);
    }
    expect(await t.service.db.query('select from events where merchant_id = $1', [shop.id])).toEqual([]);
  });
});
