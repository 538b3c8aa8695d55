import { beforeAll, expect, test, vi } from 'vitest';
import { newProject } from '../../../test/support/billing.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { pruneRequests } from './prune-requests.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const logged = async (query = '') => (await shop.call('GET', `/api/v2/request-logs${query}`)).body.data;

test('a refused request is there with its code, its body without what people wrote, and no query', async () => {
  const { id: projectId } = await newProject(shop);
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const headers = { traceparent, 'idempotency-key': 'try-1' };
  const body = { projectId, name: 'Ada Lovelace', email: 'not an address' };
  const refused = await shop.call('POST', '/api/v2/customers?who=ada', body, headers);
  expect(refused.status).toBe(400);
  const { traceId, code } = refused.body.error;
  const find = () => shop.call('GET', `/api/v2/request-logs/${traceId}`);
  await expect.poll(async () => (await find()).status).toBe(200);
  const { body: entry, text } = await find();
  expect(entry).toMatchObject({
    id: traceId,
    method: 'POST',
    path: '/api/v2/customers',
    status: 400,
    errorCode: code,
    errorMessage: refused.body.error.message,
    callerTraceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    idempotencyKey: 'try-1',
  });
  expect(JSON.parse(entry.requestBody)).toEqual({
    projectId,
    name: '[12 characters]',
    email: '[14 characters]',
  });
  expect(text).not.toContain('Lovelace');
  const failed = await logged('?isFailed=true&method=POST');
  expect(failed.map((one: { id: string }) => one.id)).toEqual([traceId]);
});

test('what fills a place in a path is left out, and a path or method that does not exist is there too', async () => {
  const { id } = await newProject(shop);
  const asked: [string, string, string][] = [
    ['GET', '/api/v2/customers/ada%40example.com', '/api/v2/customers/[15 characters]'],
    ['GET', '/api/v2/customers/%66l_dev_ABCDEFGH', '/api/v2/customers/[15 characters]'],
    ['GET', `/api/v2/projects/${id}`, `/api/v2/projects/${id}`],
    ['GET', '/api/v2/customer/Ada%20Lovelace', '/api/v2/customer/[12 characters]'],
    ['PUT', '/api/v2/customers', '/api/v2/customers'],
  ];
  const ids: (string | null)[] = [];
  for (const [method, path] of asked) ids.push((await shop.call(method, path)).headers.get('x-request-id'));
  for (const [i, [, , shown]] of asked.entries()) {
    const find = () => shop.call('GET', `/api/v2/request-logs/${ids[i]}`);
    await expect.poll(async () => (await find()).body.path).toBe(shown);
  }
  expect((await call(`${service.url}/api/v2/customer`, 'GET')).status).toBe(404);
});

test('an error is there without the values and names it quotes', async () => {
  const { id: projectId } = await newProject(shop);
  const { body } = await shop.call('POST', '/api/v2/customers', { projectId, metadata: { ada: 1 } });
  expect(body.error.message).toContain('metadata.ada');
  const find = () => shop.call('GET', `/api/v2/request-logs/${body.error.traceId}`);
  await expect.poll(async () => (await find()).body.errorMessage).toContain('metadata.…');
});

test('a success is there without its body, and can be found by method, path, status, key and time', async () => {
  const made = await newProject(shop, { name: 'Hats' });
  const query = '?method=POST&path=/api/v2/projects&status=201&isFailed=false';
  await expect.poll(async () => (await logged(query)).length).toBeGreaterThan(0);
  const [newest] = await logged(`${query}&limit=1`);
  expect(newest).toMatchObject({ requestBody: null, errorCode: null, errorMessage: null });
  const [{ keyId }] = (await service.db.query<{ keyId: string }>(
    'select id as "keyId" from api_keys where merchant_id = $1 limit 1',
    [shop.id],
  )) as [{ keyId: string }];
  expect(newest.keyId).toBe(keyId);
  expect((await logged(`${query}&keyId=${keyId}`)).length).toBeGreaterThan(0);
  expect(await logged(`${query}&keyId=${made.id}`)).toEqual([]);
  expect(await logged(`${query}&createdTo=2020-01-01T00:00:00Z`)).toEqual([]);
});

test('no other merchant sees it, and after its days it is gone', async () => {
  await expect.poll(async () => (await logged()).length).toBeGreaterThan(0);
  const other = await service.createMerchant('Other');
  const [{ id }] = await logged('?limit=1');
  expect((await other.call('GET', `/api/v2/request-logs/${id}`)).status).toBe(404);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  expect(await pruneRequests(service.db, 7, inDays(6))).toBe(0);
  expect(await pruneRequests(service.db, 7, inDays(8))).toBeGreaterThan(0);
});

test('with 0 days nothing is recorded, and a database that refuses costs no request', async () => {
  const off = await testService({ REQUEST_LOG_DAYS: '0' });
  const quiet = await off.createMerchant();
  await quiet.call('GET', '/api/v2/projects');
  await off.app.close();
  expect(await off.db.query('select from request_logs')).toEqual([]);

  const broken = await testService({}, await testDatabase());
  await broken.db.query('drop table request_logs');
  const unlucky = await broken.createMerchant();
  expect((await unlucky.call('GET', '/api/v2/projects')).status).toBe(200);
  await expect.poll(() => droppedBy(broken)).toBe(1);
});

test('of a hundred and two successful reads in a second two are left out, of what failed or changed something none', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const busy = await testService({}, await testDatabase()).finally(() => vi.useRealTimers());
  const polling = await busy.createMerchant();
  for (let i = 0; i < 102; i++) await polling.call('GET', '/api/v2/projects');
  await polling.call('GET', '/api/v2/projects/nothing');
  await newProject(polling);
  expect(await droppedBy(busy)).toBe(2);
  const other = await busy.createMerchant();
  await other.call('GET', '/api/v2/projects');
  await busy.app.close();
  expect(await busy.db.query('select from request_logs')).toHaveLength(103);
});

async function droppedBy({ url }: TestService): Promise<number> {
  const { text } = await call(`${url}/metrics`, 'GET');
  return Number(/^florin_request_log_dropped_total (\d+)$/m.exec(text)?.[1]);
}
