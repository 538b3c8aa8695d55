import { beforeAll, describe, expect, test } from 'vitest';
import { newCustomer, newLink, newPlan, newProject, newSession } from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { DAY_MS, realNow, startOfNextUtcMonth } from '../../platform/lib/clock.ts';
import { newId } from '../../platform/lib/ids.ts';
import { createRequestCounter } from './request-counter.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  // A month must not end while its calls are counted.
  const now = service.clock.now();
  service.clock.setOffsetMs(startOfNextUtcMonth(now).getTime() - now.getTime() + DAY_MS);
});

async function makeProject(monthlyRequestLimit: number | null): Promise<string> {
  return (await shop.call('POST', '/api/v2/projects', { name: 'p', monthlyRequestLimit })).body.id;
}

const setLimit = (id: string, monthlyRequestLimit: number | null) =>
  shop.call('PATCH', `/api/v2/projects/${id}`, { monthlyRequestLimit });

async function countedRequests(id: string): Promise<bigint[]> {
  const rows = await service.db.query<{ count: bigint }>(
    'select request_count as count from project_months where project_id = $1 order by month',
    [id],
  );
  return rows.map((row) => row.count);
}

/** How many of `count` calls at once are let through; the others must be refused as documented. */
async function passed(count: number, ask: (i: number) => ReturnType<TestMerchant['call']>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => ask(i)));
  const refused = answers.filter((answer) => answer.status === 429);
  for (const answer of refused) {
    expect(answer.body.error.code).toBe('PROJECT_REQUEST_LIMIT_EXCEEDED');
    const now = service.clock.now();
    const waitSeconds = (startOfNextUtcMonth(now).getTime() - now.getTime()) / 1_000;
    const said = Number(answer.headers.get('retry-after'));
    expect(said >= Math.floor(waitSeconds) && said <= waitSeconds + 60).toBe(true);
  }
  return answers.filter((answer) => answer.status < 300).length;
}

describe('the monthly request limit under /api/v2', () => {
  test('60 calls at once that name the project in query and body: as many pass as the limit says; refused ones do not count', async () => {
    const id = await makeProject(20);
    const ask = (i: number) =>
      i % 2 === 0
        ? shop.call('GET', `/api/v2/customers?projectId=${id}`)
        : shop.call('POST', '/api/v2/products', { projectId: id.toUpperCase(), name: 'x' });
    expect(await passed(60, ask)).toBe(20);
    expect(await countedRequests(id)).toEqual([20n]);
    await setLimit(id, 25);
    expect(await passed(20, ask)).toBe(5);
    const made = await service.db.query('select from products where project_id = $1', [id]);
    expect(made.length).toBeLessThanOrEqual(25);
  });

  test('over the limit the project itself is still read, changed and archived, and other calls pass', async () => {
    const id = await makeProject(0);
    expect((await shop.call('GET', `/api/v2/prices?projectId=${id}`)).status).toBe(429);
    expect((await shop.call('GET', `/api/v2/projects/${id}`)).status).toBe(200);
    expect((await shop.call('PATCH', `/api/v2/projects/${id}`, { name: 'q' })).status).toBe(200);
    expect((await shop.call('GET', '/api/v2/prices')).status).toBe(200);
    const other = await makeProject(null);
    expect((await shop.call('GET', `/api/v2/prices?projectId=${other}`)).status).toBe(200);
    expect((await shop.call('DELETE', `/api/v2/projects/${id}`)).status).toBe(204);
    expect(await countedRequests(id)).toEqual([]);
  });

  test('a limit that is set counts from the next call on, one that is cleared not any more', async () => {
    const id = await makeProject(null);
    const ask = () => shop.call('GET', `/api/v2/products?projectId=${id}`);
    expect(await passed(5, ask)).toBe(5);
    await setLimit(id, 2);
    expect(await passed(5, ask)).toBe(2);
    await setLimit(id, null);
    expect(await passed(5, ask)).toBe(5);
    expect(await countedRequests(id)).toEqual([2n]);
  });

  test('a call that is refused for its form or its key does not count', async () => {
    const id = await makeProject(1);
    expect((await shop.call('POST', '/api/v2/products', { projectId: id })).status).toBe(400);
    const reader = await shop.keyWith(['billing:read']);
    const headers = { authorization: `Bearer ${reader}` };
    expect((await shop.call('POST', '/api/v2/products', { projectId: id, name: 'x' }, headers)).status).toBe(
      403,
    );
    expect(await passed(3, () => shop.call('GET', `/api/v2/products?projectId=${id}`))).toBe(1);
  });
});

describe('what belongs to a project counts for it under /api/v2', () => {
  /** One of everything, made while there is no limit. */
  async function furnish() {
    const merchant = await service.createMerchant();
    const project = await newProject(merchant);
    const customer = await newCustomer(merchant, project.id, { email: 'a@example.com' });
    const plan = await newPlan(merchant, project.id);
    const { paymentLink } = await newLink(merchant, project.id);
    const customerId = customer.id;
    const buy = { mode: 'subscription', priceId: plan.id, externalCustomerId: 'x' };
    const session = await newSession(merchant, project.id, buy);
    const [event] = await service.db.query<{ id: string }>(
      `select id from events where merchant_id = $1 and event = 'checkout.session.created'`,
      [merchant.id],
    );
    const deliveryId = newId(service.clock.now());
    await service.db.query(
      `insert into webhook_deliveries (merchant_id, id, event_id, event, ordinal, ordering_key, url, created_at, delivered_at, attempt_count, status)
       select merchant_id, $2, id, event, ordinal, ordering_key, 'https://example.com', created_at, created_at, 1, 'succeeded' from events where id = $1`,
      [event!.id, deliveryId],
    );
    const paths = [
      `/customers/${customerId}`,
      `/customers/${customerId}/balance-entries`,
      `/products/${plan.productId}`,
      `/prices/${plan.id}`,
      `/prices?productId=${plan.productId}`,
      `/checkout-sessions/${session.id}`,
      `/invoices/${session.invoiceId}`,
      `/invoices?subscriptionId=${session.subscriptionId}`,
      `/subscriptions?customerId=${customerId}`,
      `/subscriptions/${session.subscriptionId}`,
      `/payment-links/${paymentLink.id}`,
      `/webhook-deliveries/${deliveryId}`,
    ];
    return { merchant, project, paths, publicToken: paymentLink.publicToken };
  }

  test('every one of them, by path and by query; over the limit 429, in changes too', async () => {
    const { merchant, project, paths, publicToken } = await furnish();
    const setTo = (monthlyRequestLimit: number | null) =>
      merchant.call('PATCH', `/api/v2/projects/${project.id}`, { monthlyRequestLimit });
    const statusOf = async (path: string) => (await merchant.call('GET', `/api/v2${path}`)).status;
    for (const path of paths) expect([path, await statusOf(path)]).toEqual([path, 200]);
    expect(await countedRequests(project.id)).toEqual([]);
    await setTo(paths.length);
    for (const path of paths) expect([path, await statusOf(path)]).toEqual([path, 200]);
    expect(await countedRequests(project.id)).toEqual([BigInt(paths.length)]);
    for (const path of paths) expect([path, await statusOf(path)]).toEqual([path, 429]);
    const renamed = await merchant.call('PATCH', `/api/v2${paths[0]}`, { name: 'Renamed' });
    expect([renamed.status, renamed.body.error.code]).toEqual([429, 'PROJECT_REQUEST_LIMIT_EXCEEDED']);
    // A stranger who reads the link in public is no call of the merchant's.
    expect((await call(`${service.url}/api/v2/payment-links/${publicToken}`, 'GET')).status).toBe(200);
    expect(await countedRequests(project.id)).toEqual([BigInt(paths.length)]);
    expect((await merchant.call('GET', `/api/v2/projects/${project.id}`)).status).toBe(200);
  });

  test('what is somebody else’s counts nowhere, nor does what does not exist', async () => {
    const { merchant, project, paths } = await furnish();
    await merchant.call('PATCH', `/api/v2/projects/${project.id}`, { monthlyRequestLimit: 1 });
    const mallory = await service.createMerchant();
    const own = await newProject(mallory, { monthlyRequestLimit: 1 });
    for (const path of paths) expect((await mallory.call('GET', `/api/v2${path}`)).status).not.toBe(429);
    expect((await mallory.call('GET', `/api/v2/customers/${newId(service.clock.now())}`)).status).toBe(404);
    expect([await countedRequests(project.id), await countedRequests(own.id)]).toEqual([[], []]);
  });

  test('a first limit, of a project that is just made, counts at once', async () => {
    const { merchant, paths } = await furnish();
    expect((await merchant.call('GET', `/api/v2${paths[0]}`)).status).toBe(200);
    const limited = await newProject(merchant, { monthlyRequestLimit: 2 });
    const customer = await newCustomer(merchant, limited.id, { name: 'A' });
    expect((await merchant.call('GET', `/api/v2/customers/${customer.id}`)).status).toBe(200);
    expect((await merchant.call('GET', `/api/v2/customers/${customer.id}`)).status).toBe(429);
    expect((await merchant.call('GET', `/api/v2${paths[0]}`)).status).toBe(200);
  });
});

test('another merchant cannot use up a limit by naming the project', async () => {
  const id = await makeProject(1);
  const mallory = await service.createMerchant();
  for (let i = 0; i < 3; i++) {
    expect((await mallory.call('GET', `/api/v2/products?projectId=${id}`)).body.data).toEqual([]);
    expect((await mallory.call('POST', '/api/v2/products', { projectId: id, name: 'x' })).status).toBe(400);
  }
  expect(await countedRequests(id)).toEqual([]);
  expect((await shop.call('GET', `/api/v2/products?projectId=${id}`)).status).toBe(200);
});

test('two processes share one limit, and one learns within moments what was set through the other', async () => {
  const second = await testService({}, service.db);
  second.clock.setOffsetMs(service.clock.now().getTime() - realNow().getTime());
  const id = await makeProject(null);
  const askSecond = async () => {
    const headers = { authorization: `Bearer ${shop.key}` };
    return (await call(`${second.url}/api/v2/products?projectId=${id}`, 'GET', undefined, headers)).status;
  };
  expect(await askSecond()).toBe(200);
  await setLimit(id, 0);
  const deadline = performance.now() + 30_000;
  let status = 200;
  while (status === 200 && performance.now() < deadline) status = await askSecond();
  expect(status).toBe(429);

  await setLimit(id, 30);
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, i) =>
      i % 2 === 0 ? askSecond() : (await shop.call('GET', `/api/products?projectId=${id}`)).status,
    ),
  );
  expect(statuses.filter((one) => one === 200)).toHaveLength(30);
});

test('a project without a limit is read once, not with every call; a change in between is not forgotten', async () => {
  const id = await makeProject(null);
  const ref = { merchantId: shop.id, id };
  let statements = 0;
  let meanwhile = async () => {};
  const counter = createRequestCounter(
    {
      ...service.db,
      async query(text, values) {
        statements++;
        const rows = await service.db.query(text, values);
        await meanwhile();
        return rows as never;
      },
    },
    service.clock,
  );
  await counter.count(ref);
  for (let i = 0; i < 100; i++) expect(counter.count(ref)).toBeUndefined();
  expect(statements).toBe(1);

  counter.forget(ref);
  meanwhile = async () => {
    meanwhile = async () => {};
    await setLimit(id, 0);
    counter.forget(ref);
  };
  await counter.count(ref);
  await expect(counter.count(ref)).rejects.toThrow('request limit');
});

test('a new month begins with an empty count, by the clock of the service', async () => {
  const id = await makeProject(3);
  const ask = () => shop.call('GET', `/api/v2/products?projectId=${id}`);
  const next = startOfNextUtcMonth(service.clock.now()).getTime();
  const moveTo = (ms: number) => service.clock.setOffsetMs(ms - realNow().getTime());
  moveTo(next - 30_000);
  expect(await passed(5, ask)).toBe(3);
  const retryAfter = Number((await ask()).headers.get('retry-after'));
  expect(retryAfter >= 1 && retryAfter <= 30).toBe(true);
  moveTo(next + 1_000);
  expect(await passed(5, ask)).toBe(3);
  expect(await countedRequests(id)).toEqual([3n, 3n]);
});

describe('a thousand calls at once for what has no limit', () => {
  async function newCounter() {
    const { id: merchantId } = await service.createMerchant();
    const project = { merchantId, id: newId(service.clock.now()) };
    await service.db.query(
      `insert into projects (merchant_id, id, name, settings, created_at, updated_at) values ($1, $2, 'p', '{}', now(), now())`,
      [project.merchantId, project.id],
    );
    const asked: Promise<unknown>[] = [];
    const told = { when: Promise.resolve() };
    const query: typeof service.db.query = async (text, values) => {
      const answer = service.db.query(text, values);
      asked.push(answer);
      await told.when;
      return answer as Promise<never>;
    };
    return { counter: createRequestCounter({ ...service.db, query }, service.clock), project, asked, told };
  }
  const atOnce = <Result>(count: number, call: () => Result) => Array.from({ length: count }, call);

  test('ask the database once, by project and by merchant', async () => {
    const { counter, project, asked } = await newCounter();
    await Promise.all(atOnce(1_000, () => counter.count(project)));
    expect(asked).toHaveLength(1);
    const named = { thing: 'customerId', id: newId(service.clock.now()) } as const;
    await Promise.all(atOnce(1_000, () => counter.countNamed(project.merchantId, named)));
    expect(asked).toHaveLength(2);
  });

  test('heed a limit that is set while they wait for the first of them', async () => {
    const { counter, project, asked, told } = await newCounter();
    const gate = Promise.withResolvers<void>();
    told.when = gate.promise;
    const first = counter.count(project);
    await asked[0];
    await service.db.query('update projects set monthly_request_limit = 3 where id = $1', [project.id]);
    counter.forget(project);
    const calls = atOnce(10, () => counter.count(project));
    gate.resolve();
    await first;
    const outcomes = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(3);
  });

  test('go on when the first of them fails', async () => {
    const { counter, project, asked, told } = await newCounter();
    told.when = Promise.reject(new Error('gone'));
    const first = counter.count(project);
    const others = atOnce(5, () => counter.count(project));
    await expect(first).rejects.toThrow('gone');
    told.when = Promise.resolve();
    await Promise.allSettled(others);
    expect(asked.length).toBeGreaterThan(1);
    await counter.count(project);
  });
});
