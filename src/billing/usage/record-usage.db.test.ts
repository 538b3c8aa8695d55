import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listEvents, newPlan, newSession } from '../../../test/support/billing.ts';
import { call, type TestAnswer, type TestService, testService } from '../../../test/support/service.ts';
import { brokenInvariants, type UsageShop, usageShop } from '../../../test/support/usage.ts';

const RATES = { usageCredits: { tokens: 2, 'huge.thing': 9_007_199_254_740_991 } };
let service: TestService;
let shop: UsageShop;

beforeAll(async () => {
  service = await testService();
  shop = await usageShop(service, RATES);
});

afterEach(async () => expect(await brokenInvariants(service)).toEqual([]));

const record = (body: unknown, headers?: Record<string, string>) =>
  shop.call('POST', '/api/v2/usage', body, headers);
const statusesOf = (answers: { status: number }[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((status) => [
      status,
      answers.filter((answer) => answer.status === status).length,
    ]),
  );

/** Waits until somebody in this database waits for a lock, or as many as given. */
async function waitForLocks(count = 1): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (performance.now() < deadlineMs) {
    const waiting = await service.db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting.length >= count) return;
  }
  throw new Error('nobody waits');
}

describe.each(['/api/v2/usage', '/api/usage'])('POST %s', (path) => {
  test('200 with the record', async () => {
    const customerId = await shop.createCustomer();
    const body = shop.usage({ quantity: 1_000_000_000, customerId: customerId.toUpperCase() });
    const answer = await shop.call('POST', path, body);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: expect.any(String),
        ...{ ...body, customerId, subscriptionId: null },
        creditsUsed: 0,
        createdAt: expect.stringMatching(/Z$/),
        duplicate: false,
      },
    ]);
  });

  test('200 with the first record for a repeat, 409 IDEMPOTENCY_CONFLICT for other content, nothing written', async () => {
    const customerId = await shop.createCustomer();
    const body = shop.usage({ customerId });
    const first = await shop.call('POST', path, body);
    const count = await shop.countRecords();
    const again = await shop.call('POST', path, { ...body, subscriptionId: null });
    expect([again.status, again.body]).toEqual([200, { ...first.body, duplicate: true }]);
    for (const change of [{ quantity: 2 }, { metric: 'other' }, { metric: 'tokens' }, { customerId: null }]) {
      const other = await shop.call('POST', path, { ...body, ...change });
      expect([change, other.status, other.body.error.code]).toEqual([change, 409, 'IDEMPOTENCY_CONFLICT']);
    }
    expect(await shop.countRecords()).toBe(count);
    const elsewhere = await shop.call('POST', path, {
      ...body,
      projectId: await shop.createProject(),
      customerId: null,
    });
    expect(elsewhere.body.duplicate).toBe(false);
  });

  test('400 names the field that is wrong, and writes nothing', async () => {
    const stranger = await usageShop(service);
    const foreign = await stranger.createCustomer();
    const otherProject = await shop.createCustomer(0, await shop.createProject());
    const count = await shop.countRecords();
    const cases: [string, object][] = [
      ['quantity', { quantity: 0 }],
      ['quantity', { quantity: 1_000_000_001 }],
      ['quantity', { quantity: 1.5 }],
      ['quantity', { quantity: '1' }],
      ['metric', { metric: 'API' }],
      ['metric', { metric: '' }],
      ['metric', { metric: 'x'.repeat(65) }],
      ['idempotencyKey', { idempotencyKey: '' }],
      ['idempotencyKey', { idempotencyKey: 'x'.repeat(256) }],
      ['idempotencyKey', { idempotencyKey: undefined }],
      ['projectId', { projectId: undefined }],
      ['projectId', { projectId: randomUUID() }],
      ['projectId', { projectId: stranger.projectId }],
      ['customerId', { customerId: randomUUID() }],
      ['customerId', { customerId: foreign }],
      ['customerId', { customerId: otherProject }],
      ['customerId', { metric: 'tokens' }],
      ['customerId', { metric: 'tokens', customerId: foreign }],
      ['subscriptionId', { subscriptionId: randomUUID() }],
      ['other', { other: 1 }],
    ];
    for (const [field, change] of cases) {
      const answer = await shop.call('POST', path, shop.usage(change));
      expect([change, answer.status, answer.body.error.message.split(' ')[0]]).toEqual([change, 400, field]);
    }
    expect(await shop.countRecords()).toBe(count);
  });

  test('400 with the same bytes for an id of another merchant, of another project, and one that never was', async () => {
    const stranger = await usageShop(service);
    const theirs = await stranger.createCustomer();
    const elsewhere = await shop.createCustomer(0, await shop.createProject());
    const ask = async (change: object) => {
      const { status, text, body } = await shop.call('POST', path, shop.usage(change));
      return [status, text.replace(body.error.traceId, '')];
    };
    for (const metric of ['api.calls', 'tokens']) {
      const never = await ask({ metric, customerId: randomUUID() });
      expect(await ask({ metric, customerId: theirs })).toEqual(never);
      expect(await ask({ metric, customerId: elsewhere })).toEqual(never);
      const noProject = await ask({ metric, projectId: randomUUID() });
      expect(await ask({ metric, projectId: stranger.projectId, customerId: theirs })).toEqual(noProject);
    }
  });

  test('409 INVALID_STATE in an archived project; what it got before is still answered', async () => {
    const projectId = await shop.createProject();
    const body = shop.usage({ projectId });
    expect((await shop.call('POST', path, body)).status).toBe(200);
    await service.db.query('update projects set archived_at = now() where id = $1', [projectId]);
    const refused = await shop.call('POST', path, shop.usage({ projectId }));
    expect([refused.status, refused.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect((await shop.call('POST', path, body)).body.duplicate).toBe(true);
  });

  test('200 takes the credits, 402 INSUFFICIENT_BALANCE takes none and records nothing', async () => {
    const customerId = await shop.createCustomer(10);
    const body = shop.usage({ metric: 'tokens', quantity: 4, customerId });
    const answer = await shop.call('POST', path, body);
    expect([answer.status, answer.body.creditsUsed]).toEqual([200, 8]);
    const count = await shop.countRecords();
    for (const change of [{ quantity: 2 }, { metric: 'huge.thing', quantity: 1_000_000_000 }]) {
      const short = await shop.call('POST', path, { ...body, idempotencyKey: randomUUID(), ...change });
      expect([short.status, short.body.error.code]).toEqual([402, 'INSUFFICIENT_BALANCE']);
    }
    expect([await shop.countRecords(), await shop.creditsOf(customerId)]).toEqual([count, 2n]);
    const last = shop.usage({ metric: 'tokens', customerId });
    expect((await shop.call('POST', path, last)).status).toBe(200);
    expect((await shop.call('POST', path, last)).body).toMatchObject({ duplicate: true, creditsUsed: 2 });
    expect(await shop.creditsOf(customerId)).toBe(0n);
    const events = await service.db.query<{ event: string }>(
      'select event from events where object_id = $1 order by ordinal',
      [customerId],
    );
    expect(events.map(({ event }) => event.replace('customer.balance_', ''))).toEqual([
      'adjusted',
      'debited',
      'debited',
      'depleted',
    ]);
  });
});

describe('Idempotency-Key', () => {
  test('200 with the same bytes for a repeat, with and without credits; 409 for another body', async () => {
    const customerId = await shop.createCustomer(5);
    for (const metric of ['api.calls', 'tokens']) {
      const headers = { 'idempotency-key': randomUUID() };
      const body = shop.usage({ metric, customerId });
      const first = await record(body, headers);
      const again = await record(body, headers);
      expect([first.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect((await record(shop.usage(), headers)).body.error.code).toBe('IDEMPOTENCY_CONFLICT');
      expect((await record(body)).body).toEqual({ ...first.body, duplicate: true });
    }
    expect(await shop.creditsOf(customerId)).toBe(3n);
    const short = await record(shop.usage({ metric: 'tokens', customerId, quantity: 9 }), {
      'idempotency-key': randomUUID(),
    });
    expect(short.status).toBe(402);
  });
});

describe('many at once', () => {
  test.each(['api.calls', 'tokens'])(
    '1,000 repeats of one key make one record of %s and one debit, all 200',
    async (metric) => {
      const customerId = await shop.createCustomer(100);
      const count = await shop.countRecords();
      const body = shop.usage({ metric, customerId, quantity: 3 });
      const answers = await Promise.all(Array.from({ length: 1_000 }, () => record(body)));
      expect(statusesOf(answers)).toEqual({ 200: 1_000 });
      expect(answers.filter((answer) => !answer.body.duplicate)).toHaveLength(1);
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
      expect(await shop.countRecords()).toBe(count + 1);
      expect(await shop.creditsOf(customerId)).toBe(metric === 'tokens' ? 94n : 100n);
    },
  );

  test('200 debits on a balance for 100: 100 succeed, 100 are 402, and the balance ends at zero', async () => {
    const customerId = await shop.createCustomer(200);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => record(shop.usage({ metric: 'tokens', customerId }))),
    );
    expect(statusesOf(answers)).toEqual({ 200: 100, 402: 100 });
    expect(await shop.creditsOf(customerId)).toBe(0n);
    const sequences = await service.db.query<{ sequence: number }>(
      'select sequence from events where object_id = $1 order by ordinal',
      [customerId],
    );
    expect(sequences.map(({ sequence }) => sequence)).toEqual(sequences.map((_, i) => i + 1));
  });

  test('two processes with the same keys, credits and customers: each key counts once, nothing is stuck', async () => {
    const other = await testService({}, service.db);
    const customers = await Promise.all([shop.createCustomer(300), shop.createCustomer(300)]);
    const bodies = Array.from({ length: 200 }, (_, i) =>
      shop.usage({ metric: i % 4 === 0 ? 'api.calls' : 'tokens', customerId: customers[i % 2] }),
    );
    const send = (url: string, body: unknown) =>
      fetch(`${url}/api/v2/usage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const answers = await Promise.all([
      ...bodies.map((body) => send(service.url, body)),
      ...bodies.toReversed().map((body) => send(other.url, body)),
    ]);
    expect(statusesOf(answers)).toEqual({ 200: 400 });
    const credits = await Promise.all(customers.map((id) => shop.creditsOf(id)));
    expect(credits[0]! + credits[1]!).toBe(600n - 2n * 150n);
  });

  test('200 for a repeat that waits for the last credits: the first took them', async () => {
    const other = await testService({}, service.db);
    const customerId = await shop.createCustomer(2);
    const body = shop.usage({ metric: 'tokens', customerId });
    const send = ({ url }: TestService) =>
      call(`${url}/api/v2/usage`, 'POST', body, { authorization: `Bearer ${shop.key}` });
    const answers: Promise<TestAnswer>[] = [];
    await service.db.transaction(async (tx) => {
      await tx.query('select from balances where customer_id = $1 for update', [customerId]);
      for (const each of [service, other]) {
        answers.push(send(each));
        await waitForLocks(answers.length);
      }
    });
    const [first, second] = await Promise.all(answers);
    expect([first!.status, second!.status]).toEqual([200, 200]);
    expect(second!.body.id).toBe(first!.body.id);
    expect([first!.body.duplicate, second!.body.duplicate].sort()).toEqual([false, true]);
    expect(await shop.creditsOf(customerId)).toBe(0n);
  });

  test('one bad record fails only itself', async () => {
    const customerId = await shop.createCustomer(1);
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, i) =>
        record(shop.usage([{}, { customerId: randomUUID() }, { metric: 'tokens', customerId }][i % 3])),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 90 }, (_, i) => [200, 400, 402][i % 3]),
    );
  });

  test.each([
    ['alone', {}],
    ['with an Idempotency-Key', { 'idempotency-key': randomUUID() }],
  ])(
    'a record %s whose key is just being taken elsewhere waits, and is the duplicate',
    async (_how, headers) => {
      const body = shop.usage();
      const id = randomUUID();
      let answer: ReturnType<typeof record>;
      await service.db.transaction(async (tx) => {
        await tx.query(
          `insert into usage_records (merchant_id, id, project_id, metric, quantity, idempotency_key, created_at)
         values ($1, $2, $3, 'api.calls', 1, $4, now())`,
          [shop.id, id, shop.projectId, body.idempotencyKey],
        );
        answer = record(body, headers);
        await waitForLocks();
      });
      expect((await answer!).body).toMatchObject({ id, duplicate: true });
    },
  );

  test.each([
    ['archives the project', 'archived_at = now()', 409],
    ['lets the metric take credits', `settings = '{"usageCredits":{"api.calls":1}}'`, 402],
  ])('a record that meets somebody who %s waits, and sees it', async (_what, change, status) => {
    const projectId = await shop.createProject();
    const customerId = await shop.createCustomer(0, projectId);
    // This caches the project's request limit: reading it would wait too.
    await record(shop.usage({ projectId }));
    const count = await shop.countRecords();
    let answer: ReturnType<typeof record>;
    await service.db.transaction(async (tx) => {
      await tx.query('select from projects where id = $1 for update', [projectId]);
      answer = record(shop.usage({ projectId, customerId }));
      await waitForLocks();
      await tx.query(`update projects set ${change} where id = $1`, [projectId]);
    });
    expect((await answer!).status).toBe(status);
    expect(await shop.countRecords()).toBe(count);
  });

  test.each([
    ['archives the project', 'archived_at = now()', { status: 409, left: 98n }],
    ['raises what it costs', `settings = '{"usageCredits":{"tokens":7}}'`, { status: 200, left: 91n }],
  ])('a record that takes credits waits for somebody who %s too', async (_what, change, expected) => {
    const projectId = await shop.createProject(RATES);
    const customerId = await shop.createCustomer(100, projectId);
    const use = () => record(shop.usage({ projectId, customerId, metric: 'tokens' }));
    await use();
    let answer: ReturnType<typeof record>;
    await service.db.transaction(async (tx) => {
      await tx.query('select from projects where id = $1 for update', [projectId]);
      answer = use();
      await waitForLocks();
      await tx.query(`update projects set ${change} where id = $1`, [projectId]);
    });
    expect({ status: (await answer!).status, left: await shop.creditsOf(customerId) }).toEqual(expected);
  });

  test('a metric that begins or ceases to take credits does so with the next record', async () => {
    const customerId = await shop.createCustomer(50);
    const projectId = await shop.createProject();
    const customer = await shop.createCustomer(50, projectId);
    const set = (settings: object) =>
      service.db.query('update projects set settings = $2 where id = $1', [
        projectId,
        JSON.stringify(settings),
      ]);
    const use = async () =>
      (await record(shop.usage({ projectId, metric: 'm', customerId: customer }))).body.creditsUsed;
    expect(await use()).toBe(0);
    await set({ usageCredits: { m: 7 } });
    expect([await use(), await use()]).toEqual([7, 7]);
    await set({ usageCredits: { m: 5 } });
    expect(await use()).toBe(5);
    await set({});
    expect([await use(), await use()]).toEqual([0, 0]);
    expect(await shop.creditsOf(customer)).toBe(31n);
    expect(await shop.creditsOf(customerId)).toBe(50n);
  });
});

test('the invariant sees usage that nobody paid for', async () => {
  const customerId = await shop.createCustomer(2);
  const { body } = await record(shop.usage({ metric: 'tokens', customerId }));
  await service.db.query('update usage_records set credits = 3 where id = $1', [body.id]);
  expect(await brokenInvariants(service)).toEqual(['usage-is-paid-once']);
  await service.db.query('update usage_records set credits = 2 where id = $1', [body.id]);
});

describe('usage of a subscription', () => {
  async function subscriptionOf(projectId: string, externalCustomerId: string) {
    const body = { mode: 'subscription', priceId: (await newPlan(shop, projectId)).id, externalCustomerId };
    return newSession(shop, projectId, body);
  }

  test('200: it stands for its customer where the metric takes credits', async () => {
    const { subscriptionId, customerId } = await subscriptionOf(shop.projectId, 'subscriber');
    const adjust = { deltaCredits: 10, reason: 'test' };
    await shop.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, adjust);
    const named = { subscriptionId: subscriptionId.toUpperCase(), metric: 'tokens' };
    const first = await record(shop.usage({ ...named, quantity: 2 }));
    expect([first.status, first.body]).toMatchObject([200, { subscriptionId, customerId, creditsUsed: 4 }]);
    expect((await record(shop.usage({ ...named, customerId, quantity: 3 }))).body.creditsUsed).toBe(6);
    expect(await shop.creditsOf(customerId)).toBe(0n);
    const short = await record(shop.usage(named));
    expect([short.status, short.body.error.code]).toEqual([402, 'INSUFFICIENT_BALANCE']);
    expect((await record(shop.usage({ subscriptionId }))).body.creditsUsed).toBe(0);
    const listed = await shop.call('GET', `/api/v2/usage/records?subscriptionId=${subscriptionId}`);
    expect(listed.body.data).toHaveLength(3);
  });

  test('the event of the balance names the usage record', async () => {
    const { subscriptionId, customerId } = await subscriptionOf(shop.projectId, 'told');
    const adjust = { deltaCredits: 10, reason: 'test' };
    await shop.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, adjust);
    const { body } = await record(shop.usage({ subscriptionId, metric: 'tokens' }));
    const told = (await listEvents(service, shop.id)).filter(({ orderingKey }) => orderingKey === customerId);
    expect(told.map((event) => [event.event, event.body.data.usageRecordId])).toEqual([
      ['customer.created', undefined],
      ['customer.balance_adjusted', null],
      ['customer.balance_debited', body.id],
    ]);
  });

  test.each([
    ['takes credits', 'tokens'],
    ['takes none', 'free'],
  ])(
    '200: the record names the customer of its subscription, in every list; the metric %s',
    async (_, metric) => {
      const { subscriptionId, customerId } = await subscriptionOf(shop.projectId, `listed-${metric}`);
      const adjust = { deltaCredits: 100, reason: 'test' };
      await shop.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, adjust);
      const body = shop.usage({ subscriptionId, metric });
      const first = await record(body);
      expect([first.status, first.body]).toMatchObject([
        200,
        { subscriptionId, customerId, duplicate: false },
      ]);
      for (const repeat of [body, { ...body, customerId: null }, { ...body, customerId }]) {
        const again = await record(repeat);
        expect([again.status, again.body]).toEqual([200, { ...first.body, duplicate: true }]);
      }
      const { customerId: _none, ...rest } = { ...body, customerId, subscriptionId: null };
      for (const other of [{ ...rest, customerId }, rest]) {
        expect((await record(other)).body.error.code).toBe('IDEMPOTENCY_CONFLICT');
      }
      const fresh = shop.usage({ subscriptionId, metric });
      const batch = await shop.call('POST', '/api/v2/usage/batch', { records: [body, fresh, fresh] });
      expect(batch.body.results.map((result: { record: object }) => result.record)).toMatchObject([
        { ...first.body, duplicate: true },
        { customerId, duplicate: false },
        { customerId, duplicate: true },
      ]);
      const listed = await shop.call('GET', `/api/v2/usage/records?customerId=${customerId}`);
      expect(listed.body.data).toHaveLength(2);
      expect(listed.body.data[1]).toMatchObject({ id: first.body.id, customerId, subscriptionId });
      const sums = await shop.call('GET', `/api/v2/usage?customerId=${customerId}`);
      expect(sums.body.data).toMatchObject([{ recordCount: 2 }]);
    },
  );

  test('400 for one of another project, of another customer, or of nobody', async () => {
    const { subscriptionId } = await subscriptionOf(shop.projectId, 'one');
    const elsewhere = await subscriptionOf(await shop.createProject(), 'one');
    const customerId = await shop.createCustomer(5);
    for (const metric of ['free', 'tokens']) {
      for (const changes of [
        { subscriptionId: elsewhere.subscriptionId },
        { subscriptionId: randomUUID() },
        { subscriptionId, customerId },
      ]) {
        const answer = await record(shop.usage({ ...changes, metric }));
        expect([answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([400, 'subscriptionId']);
      }
    }
  });
});
