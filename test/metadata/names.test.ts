import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { bring, newCustomer, newPlan, newPrice, newProject, newSession } from '../support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../support/service.ts';

/** Names that merchants give things: lookupKey, customerId, and the references of a subscription. */
let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

describe('lookupKey of a price', () => {
  const patch = (id: string, body: object) => shop.call('PATCH', `/api/v2/prices/${id}`, body);
  const found = async (query: string) => {
    const { body } = await shop.call('GET', `/api/v2/prices?projectId=${projectId}&${query}`);
    return body.data.map(({ id }: { id: string }) => id);
  };

  test('201 with it, null without; it finds the price', async () => {
    const pro = await newPrice(shop, projectId, { lookupKey: 'pro-monthly' });
    const plain = await newPrice(shop, projectId);
    expect([pro.lookupKey, plain.lookupKey]).toEqual(['pro-monthly', null]);
    expect(await found('lookupKey=pro-monthly')).toEqual([pro.id]);
    expect(await found('lookupKey=pro-monthly&lookupKey=other')).toEqual([pro.id]);
    expect(await found('lookupKey=PRO-MONTHLY')).toEqual([]);
  });

  test.each([' ', 'pro ', ' pro', 'pro\u200b', '\ufeffpro', 'p\u2060ro', '\u00a0'])(
    '400 for %j: it would look like another, or like none',
    async (lookupKey) => {
      const price = await newPrice(shop, projectId);
      const { status, body } = await patch(price.id, { lookupKey });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('lookupKey')]);
    },
  );

  test('409 for a key that another price of the project has; other projects have their own', async () => {
    const first = await newPrice(shop, projectId, { lookupKey: 'taken' });
    const body = { projectId, productId: first.productId, unitAmountCents: 1, billingMode: 'one_time' };
    const second = await shop.call('POST', '/api/v2/prices', { ...body, lookupKey: 'taken' });
    expect([second.status, second.body.error.code]).toEqual([409, 'LOOKUP_KEY_TAKEN']);
    const elsewhere = await newPrice(shop, (await newProject(shop)).id, { lookupKey: 'taken' });
    expect(elsewhere.lookupKey).toBe('taken');
    const third = await newPrice(shop, projectId);
    const moved = await patch(third.id, { lookupKey: 'taken' });
    expect([moved.status, moved.body.error.code]).toEqual([409, 'LOOKUP_KEY_TAKEN']);
    expect((await patch(first.id, { lookupKey: null })).body.lookupKey).toBeNull();
    expect((await patch(third.id, { lookupKey: 'taken' })).body.lookupKey).toBe('taken');
    expect((await patch(third.id, { lookupKey: 'taken' })).status).toBe(200);
    expect(await found('lookupKey=taken')).toEqual([third.id]);
  });

  test('of two who take a key at once one gets it', async () => {
    const prices = await Promise.all(Array.from({ length: 6 }, () => newPrice(shop, projectId)));
    const answers = await Promise.all(prices.map(({ id }) => patch(id, { lookupKey: 'contested' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test.each([[''], ['x'.repeat(201)], [7], ['a\u0007']])('400 for %j', async (lookupKey) => {
    const price = await newPrice(shop, projectId);
    const answer = await patch(price.id, { lookupKey });
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(/^lookupKey /)]);
  });
});

describe('customerId of a checkout session', () => {
  const create = (body: object) =>
    shop.call('POST', '/api/v2/checkout-sessions', {
      projectId,
      mode: 'one_time',
      amountCents: 500,
      ...body,
    });

  test('201: the session is that customer’s, alone or together with others, in any case', async () => {
    const customer = await newCustomer(shop, projectId, {
      email: 'ada@example.com',
      externalCustomerId: 'ada',
    });
    const answers = [
      await create({ customerId: customer.id }),
      ...(await Promise.all([1, 2, 3].map(() => create({ customerId: customer.id.toUpperCase() })))),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toMatchObject([
        201,
        { customerId: customer.id, externalCustomerId: 'ada', customerEmail: 'ada@example.com' },
      ]);
    }
    const plan = await newPlan(shop, projectId);
    const sub = await create({
      mode: 'subscription',
      priceId: plan.id,
      amountCents: undefined,
      customerId: customer.id,
    });
    expect([sub.status, sub.body.customerId]).toEqual([201, customer.id]);
  });

  test('400 together with externalCustomerId, for one that does not exist, or is of another project or merchant', async () => {
    const customer = await newCustomer(shop, projectId);
    const elsewhere = await newCustomer(shop, (await newProject(shop)).id);
    const other = await service.createMerchant('Other');
    const theirs = await newCustomer(other, (await newProject(other)).id);
    await create({});
    const both = await create({ customerId: customer.id, externalCustomerId: 'x' });
    expect([both.status, both.body.error.message]).toEqual([
      400,
      'customerId cannot be combined with externalCustomerId',
    ]);
    for (const customerId of [elsewhere.id, theirs.id, randomUUID()]) {
      const answer = await create({ customerId });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        'customerId must be the id of a customer of this project',
      ]);
    }
    expect((await create({ customerId: null, externalCustomerId: 'x' })).status).toBe(201);
  });
});

test('a payment intent says when it was created, for which terminal, how to pay it and what paid it', async () => {
  const { body: terminal } = await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Till' });
  const given = { amountCents: 1250, orderId: 'o-1', terminalId: terminal.id };
  const { body: intent } = await shop.call('POST', '/api/merchants/intents', given);
  expect(intent).toMatchObject({ terminalId: terminal.id, txSignature: null });
  expect(Math.abs(new Date(intent.createdAt).getTime() - Date.now())).toBeLessThan(60_000);
  const url = new URL(intent.paymentUrl);
  expect(url.pathname).toBe(intent.destinationAddress);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    amount: '12.5',
    reference: intent.referenceAddress,
    memo: intent.referenceAddress,
    message: 'o-1',
  });
  const read = await shop.call('GET', `/api/merchants/intents/${intent.id}`);
  expect(read.body).toEqual(intent);
  const session = await newSession(shop, projectId);
  const signature = await bring(service, shop, session, 500);
  const { body: paid } = await shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
  expect(paid).toMatchObject({
    status: 'succeeded',
    txSignature: signature,
    paymentUrl: null,
    terminalId: null,
  });
});

test('a subscription says which customer and which order of yours it is; the portal does not', async () => {
  const plan = await newPlan(shop, projectId);
  const session = await newSession(shop, projectId, {
    mode: 'subscription',
    priceId: plan.id,
    externalCustomerId: 'user-7',
    merchantReference: 'contract-7',
  });
  const { body } = await shop.call('GET', `/api/v2/subscriptions/${session.subscriptionId}`);
  expect(body).toMatchObject({
    externalCustomerId: 'user-7',
    merchantReference: 'contract-7',
    clientReferenceId: null,
    successUrl: null,
    cancelUrl: null,
  });
});
