import { beforeAll, describe, expect, test } from 'vitest';
import {
  eventNames,
  expectSound,
  listEvents,
  newCustomer,
  newPlan,
  newProject,
  newSession,
  newTopUp,
  readCustomer,
  readSubscription,
} from '../../../test/support/billing.ts';
import { newLinkToken, visit } from '../../../test/support/portal.ts';
import { call } from '../../../test/support/service.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';

let w: SubscriptionWorld;
let count = 0;

beforeAll(async () => {
  w = await subscriptionWorld({ usageCredits: { calls: 2 } });
});

type Fields = Record<string, unknown>;
const post = (path: string, body: Fields = {}) => w.shop.call('POST', `/api/v2${path}`, body);
const get = async (path: string) => (await w.shop.call('GET', `/api/v2${path}`)).body;
const merge = (id: string, intoCustomerId: string) => post(`/customers/${id}/merge`, { intoCustomerId });
const adjust = (id: string, fields: Fields) =>
  post(`/customers/${id}/balance-adjustments`, { reason: 'gift', ...fields });
const person = (fields: Fields = {}) =>
  newCustomer(w.shop, w.projectId, { externalCustomerId: `person ${++count}`, ...fields });
const idsOf = (list: { data: { id: string }[] }) => list.data.map(({ id }) => id).sort();

async function two() {
  const one = await person({ name: 'Ada', email: `ada${count}@example.com`, metadata: { from: 'one' } });
  const other = await person({ name: 'Ada Lovelace', email: `lovelace${count}@example.com`, country: 'GB' });
  return { one, other };
}

describe('two customers who are one person', () => {
  test('have the details of one, one balance and both histories, and are found by each of their ids', async () => {
    const { one, other } = await two();
    await adjust(one.id, { deltaCents: 300 });
    await adjust(one.id, { deltaCredits: 7 });
    await adjust(other.id, { deltaCents: 50 });
    const bought = await newSession(w.shop, w.projectId, { customerId: one.id });
    await w.payInvoice(bought.invoiceId);
    const theirs = await newSession(w.shop, w.projectId, { customerId: other.id });

    const { status, body } = await merge(one.id, other.id);
    expect([status, body]).toEqual([200, body]);
    expect(body).toEqual({
      ...(await readCustomer(w.shop, other.id)),
      id: one.id,
      externalCustomerId: one.externalCustomerId,
      createdAt: one.createdAt,
      metadata: { from: 'one' },
      mergedIntoCustomerId: other.id,
    });
    expect(await readCustomer(w.shop, other.id)).toMatchObject({
      name: 'Ada Lovelace',
      creditBalance: 7,
      accountCreditCents: 350,
      mergedIntoCustomerId: null,
    });
    // Everything that was sold stays where it was, and is listed with the person.
    expect(idsOf(await get(`/checkout-sessions?customerId=${other.id}`))).toEqual(
      [bought.id, theirs.id].sort(),
    );
    expect(idsOf(await get(`/invoices?customerId=${other.id}`))).toContain(bought.invoiceId);
    expect(idsOf(await get(`/checkout-sessions?customerId=${one.id}`))).toEqual([bought.id]);
    const entries = await get(`/customers/${other.id}/balance-entries`);
    const sum = (name: string) =>
      entries.data.reduce((total: number, entry: Record<string, number>) => total + entry[name]!, 0);
    expect([sum('deltaCents'), sum('deltaCredits')]).toEqual([350, 7]);
    expect(await get(`/customers/${one.id}/balance-entries`)).toEqual(entries);
    // The list shows the person once; the old id still leads to them.
    const listed = await get(`/customers?email=${other.email}`);
    expect(idsOf(listed)).toEqual([other.id]);
    expect(idsOf(await get(`/customers?email=${one.email}`))).toEqual([]);
    expect(idsOf(await get(`/customers?externalCustomerId=${one.externalCustomerId}`))).toEqual([one.id]);
    expect(
      (await newSession(w.shop, w.projectId, { externalCustomerId: one.externalCustomerId })).customerId,
    ).toBe(one.id);
    await expectSound(w.service);
  });

  test('spend one balance, by either id, and what is returned comes back to it', async () => {
    const { one, other } = await two();
    const topUp = await newTopUp(w.shop, w.projectId);
    const before = await newSession(w.shop, w.projectId, {
      mode: 'balance_top_up',
      priceId: topUp.id,
      customerId: one.id,
    });
    await merge(one.id, other.id);
    await w.payInvoice(before.invoiceId);
    expect(await readCustomer(w.shop, other.id)).toMatchObject({ creditBalance: 1000 });
    const usage = { projectId: w.projectId, metric: 'calls', quantity: 10 };
    for (const customerId of [one.id, other.id])
      expect((await post('/usage', { ...usage, customerId, idempotencyKey: customerId })).status).toBe(200);
    expect(await readCustomer(w.shop, one.id)).toMatchObject({ creditBalance: 960 });
    expect((await adjust(one.id, { deltaCredits: -960 })).status).toBe(201);
    expect((await post('/usage', { ...usage, customerId: one.id, idempotencyKey: 'x' })).status).toBe(402);
    expect(idsOf(await get(`/usage/records?customerId=${other.id}`))).toHaveLength(2);
    // A subscription of the one is used by the other.
    const plan = await newPlan(w.shop, w.projectId);
    const { id: subscriptionId } = await w.subscribe(plan.id, one.externalCustomerId);
    const free = { ...usage, metric: 'visits', subscriptionId };
    expect((await post('/usage', { ...free, customerId: other.id, idempotencyKey: 'v' })).status).toBe(200);
    const stranger = await person();
    const refused = await post('/usage', { ...free, customerId: stranger.id, idempotencyKey: 'w' });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'subscriptionId does not belong to this customer',
    ]);
    await expectSound(w.service);
  });

  test('a renewal of the one is paid from the credit of both, and an unpaid one returns it', async () => {
    const { one, other } = await two();
    const plan = await newPlan(w.shop, w.projectId);
    const { id } = await w.subscribe(plan.id, one.externalCustomerId);
    await merge(one.id, other.id);
    await adjust(other.id, { deltaCents: 400 });
    const { currentPeriodEnd } = await readSubscription(w.shop, id);
    await w.moveTo(days(currentPeriodEnd, -1));
    const [renewal] = (await get(`/invoices?subscriptionId=${id}&status=open`)).data;
    expect(renewal).toMatchObject({ creditAppliedCents: 400, amountDueCents: 600 });
    expect(await readCustomer(w.shop, other.id)).toMatchObject({ accountCreditCents: 0 });
    await post(`/subscriptions/${id}/cancel`, { atPeriodEnd: false });
    expect(await readCustomer(w.shop, other.id)).toMatchObject({ accountCreditCents: 400 });
    expect(idsOf(await get(`/subscriptions?customerId=${other.id}`))).toEqual([id]);
    await expectSound(w.service);
  });

  test('have one trial of a product and one use of a discount', async () => {
    const { one, other } = await two();
    const plan = await newPlan(w.shop, w.projectId, { trialDays: 7 });
    const trial = (customerId: string) =>
      newSession(w.shop, w.projectId, { mode: 'subscription', priceId: plan.id, customerId });
    expect((await trial(one.id)).trialDays).toBe(7);
    const discount = (
      await post('/discounts', { projectId: w.projectId, name: 'Once', percentOff: 50, maxPerCustomer: 1 })
    ).body;
    await newSession(w.shop, w.projectId, { customerId: one.id, discountId: discount.id });
    await merge(one.id, other.id);
    expect((await trial(other.id)).trialDays).toBeNull();
    expect((await trial(one.id)).trialDays).toBeNull();
    for (const customerId of [one.id, other.id]) {
      const body = { projectId: w.projectId, mode: 'one_time', amountCents: 500, customerId };
      const answer = await post('/checkout-sessions', { ...body, discountId: discount.id });
      expect([answer.status, answer.body.error?.code]).toEqual([409, 'INVALID_STATE']);
    }
    await expectSound(w.service);
  });

  test('see everything of both in one portal; links and visits from before show nothing any more', async () => {
    const { one, other } = await two();
    const bought = await newSession(w.shop, w.projectId, { customerId: one.id });
    const theirs = await newSession(w.shop, w.projectId, { customerId: other.id });
    await adjust(one.id, { deltaCents: 300 });
    const early = await visit(w.service, w.shop, w.projectId, one.id);
    const unused = await newLinkToken(w.shop, w.projectId, one.id);
    await merge(one.id, other.id);
    expect((await early.call('GET', '/me')).status).toBe(401);
    const late = await call(`${w.service.url}/api/portal/login`, 'POST', { token: unused });
    expect(late.status).toBeGreaterThanOrEqual(400);
    for (const id of [one.id, other.id]) {
      const visitor = await visit(w.service, w.shop, w.projectId, id);
      const { customer, customers } = (await visitor.call('GET', '/me')).body;
      expect(customer).toMatchObject({ name: 'Ada Lovelace', accountCreditCents: 300 });
      expect(customers).toHaveLength(1);
      expect(idsOf((await visitor.call('GET', '/invoices')).body)).toEqual(
        [bought.invoiceId, theirs.invoiceId].sort(),
      );
      await visitor.call('PATCH', '/me', { name: `Ada ${id}` });
      expect((await readCustomer(w.shop, one.id)).name).toBe(`Ada ${id}`);
      await visitor.call('PATCH', '/me', { name: 'Ada Lovelace' });
    }
    await expectSound(w.service);
  });

  test('change together, each with its event, and are changed as one only', async () => {
    const { one, other } = await two();
    await merge(one.id, other.id);
    const change = { name: 'Countess', email: 'countess@example.com', metadata: { vip: 'yes' } };
    expect((await w.shop.call('PATCH', `/api/v2/customers/${other.id}`, change)).status).toBe(200);
    expect(await readCustomer(w.shop, one.id)).toMatchObject({
      name: 'Countess',
      email: 'countess@example.com',
      metadata: { from: 'one' },
    });
    expect(await eventNames(w.service, w.shop.id, one.id)).toEqual([
      'customer.created',
      'customer.updated',
      'customer.updated',
    ]);
    const refused = await w.shop.call('PATCH', `/api/v2/customers/${one.id}`, { name: 'Nobody' });
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `Customer ${one.id} was merged into customer ${other.id}; use that one.`,
    ]);
    await expectSound(w.service);
  });

  test('are one among the best customers, and found as one', async () => {
    const { one, other } = await two();
    const third = await person({ name: 'Charles' });
    for (const [customerId, amountCents] of [
      [one.id, 60_000],
      [other.id, 50_000],
      [third.id, 70_000],
    ])
      await w.payInvoice((await newSession(w.shop, w.projectId, { customerId, amountCents })).invoiceId);
    const best = async () => (await get('/billing/revenue?range=30d')).topCustomers.slice(0, 2);
    const row = (customerId: string, netCents: number, paymentsCount: number) =>
      expect.objectContaining({ customerId, netCents, paymentsCount });
    expect(await best()).toEqual([row(third.id, 70_000, 1), row(one.id, 60_000, 1)]);
    await merge(one.id, other.id);
    expect(await best()).toEqual([row(other.id, 110_000, 2), row(third.id, 70_000, 1)]);
    const found = async (q: string) =>
      (await get(`/search?q=${encodeURIComponent(q)}`)).data
        .filter(({ type }: { type: string }) => type === 'customer')
        .map(({ id }: { id: string }) => id);
    expect(await found(other.email)).toEqual([other.id]);
    expect(await found(one.email)).toEqual([]);
    expect(await found(one.externalCustomerId)).toEqual([one.id]);
    await expectSound(w.service);
  });

  test('are forgotten together', async () => {
    const { one, other } = await two();
    await merge(one.id, other.id);
    await adjust(one.id, { deltaCents: 300 });
    const remove = (id: string, query = '') => w.shop.call('DELETE', `/api/v2/customers/${id}${query}`);
    expect((await remove(one.id)).status).toBe(409);
    expect((await remove(other.id)).status).toBe(409);
    expect((await remove(other.id, '?discardBalance=true')).status).toBe(202);
    for (const id of [one.id, other.id])
      expect((await w.shop.call('GET', `/api/v2/customers/${id}`)).status).toBe(404);
    for (let step = 0; step < 30; step++) await w.runDue();
    for (const id of [one.id, other.id])
      expect((await get(`/customers/${id}/erasure`)).status).toBe('erased');
    const told = (await listEvents(w.service, w.shop.id)).filter(
      ({ orderingKey }) => orderingKey === one.id || orderingKey === other.id,
    );
    expect(JSON.stringify(told)).not.toMatch(/Lovelace|example\.com/);
    await expectSound(w.service);
  });
});

describe('merging', () => {
  test('lose the tokens of both when the token of either is revoked', async () => {
    const { one, other } = await two();
    await merge(one.id, other.id);
    const revocations = () =>
      w.service.db.query<{ customerId: string; generation: number }>(
        'select customer_id, generation from credit_token_revocations where customer_id = any($1)',
        [[one.id, other.id]],
      );
    for (const [i, { id }] of [one, other].entries()) {
      expect((await w.shop.call('DELETE', `/api/v2/customers/${id}/credit-token`)).status).toBe(204);
      expect((await revocations()).map(({ generation }) => generation)).toEqual([i + 1, i + 1]);
    }
  });

  test('a third into the second, or the second into a third, leaves one person of three', async () => {
    for (const order of [0, 1]) {
      const [a, b, c] = [await person(), await person(), await person()];
      for (const { id } of [a, b, c]) await adjust(id, { deltaCents: 100 });
      const pairs = [[a, b] as const, [b, c] as const];
      for (const [from, into] of order === 0 ? pairs : pairs.toReversed())
        expect((await merge(from.id, into.id)).status).toBe(order === 1 && from === a ? 409 : 200);
      if (order === 1) expect((await merge(a.id, c.id)).status).toBe(200);
      for (const { id } of [a, b, c])
        expect(await readCustomer(w.shop, id)).toMatchObject({
          accountCreditCents: 300,
          mergedIntoCustomerId: id === c.id ? null : c.id,
        });
    }
    await expectSound(w.service);
  });

  test('is refused for the same one, another project, a deleted one and a stranger’s, and changes nothing', async () => {
    const { one, other } = await two();
    const elsewhere = await newCustomer(w.shop, (await newProject(w.shop)).id, {});
    const gone = await person();
    await w.shop.call('DELETE', `/api/v2/customers/${gone.id}`);
    const stranger = await w.service.createMerchant();
    const foreign = await newCustomer(stranger, (await newProject(stranger)).id, {});
    for (const id of [one.id, elsewhere.id, gone.id, foreign.id]) {
      const { status, body } = await merge(one.id, id);
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^intoCustomerId must/)]);
    }
    expect((await merge(foreign.id, one.id)).status).toBe(404);
    expect(
      (await stranger.call('POST', `/api/v2/customers/${one.id}/merge`, { intoCustomerId: other.id })).status,
    ).toBe(404);
    expect((await merge(one.id, other.id)).status).toBe(200);
    expect((await merge(one.id, other.id)).status).toBe(200);
    expect((await merge(other.id, one.id)).status).toBe(400);
    expect((await eventNames(w.service, w.shop.id, one.id)).length).toBe(2);
  });

  test('at once with everything that moves their money: nothing is lost and nothing hangs', async () => {
    for (let round = 0; round < 6; round++) {
      const [a, b, c] = [await person(), await person(), await person()];
      await adjust(a.id, { deltaCents: 1000 });
      const answers = await Promise.all([
        ...[1, 2, 3].map((cents) => adjust(a.id, { deltaCents: cents })),
        merge(a.id, b.id),
        merge(b.id, c.id),
        ...[10, 20].map((cents) => adjust(b.id, { deltaCents: cents })),
        merge(c.id, a.id),
        ...[100, 200].map((cents) => adjust(a.id, { deltaCents: -cents })),
      ]);
      expect(answers.filter(({ status }) => ![200, 201, 400, 409].includes(status))).toEqual([]);
      const people = await Promise.all([a, b, c].map(({ id }) => readCustomer(w.shop, id)));
      const total = people
        .filter(({ mergedIntoCustomerId }) => mergedIntoCustomerId === null)
        .reduce((sum, { accountCreditCents }) => sum + accountCreditCents, 0);
      expect(total).toBe(736);
    }
    await expectSound(w.service);
  });

  test('wants every scope', async () => {
    const { one, other } = await two();
    const { body } = await w.shop.call('POST', '/api/b2b/merchants/generate-key', {
      scopes: ['billing:read', 'billing:write'],
    });
    const { status } = await call(
      `${w.service.url}/api/v2/customers/${one.id}/merge`,
      'POST',
      { intoCustomerId: other.id },
      { authorization: `Bearer ${body.apiKey}` },
    );
    expect(status).toBe(403);
  });
});
