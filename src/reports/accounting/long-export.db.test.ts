import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer, newProject } from '../../../test/support/billing.ts';
import { ALWAYS } from '../../../test/support/journal.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { eventually } from '../../../test/support/webhooks.ts';
import { cutOffSlow } from './cut-off-slow.ts';

/** More than the sockets between a service and its reader hold. */
const POSTINGS = 60_000;

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  const { id: projectId } = await newProject(shop);
  const { id: customerId } = await newCustomer(shop, projectId, { name: 'Ada' });
  await service.db.query(
    `insert into postings (merchant_id, id, project_id, customer_id, delta_cents, credits_after, cents_after,
                           counter_account, reason, created_at)
     select $1, gen_random_uuid(), $2, $3, n, 0, n, 'adjustment', repeat('x', 200), now()
       from generate_series(1, ${POSTINGS}) n`,
    [shop.id, projectId, customerId],
  );
});

const PATH = `/api/v2/general-ledger?${ALWAYS}`;

/** Starts a download and reads nothing of it; answers how to hang up. */
async function startReading(): Promise<() => void> {
  const headers = { authorization: `Bearer ${shop.key}` };
  const { promise, resolve, reject } = Promise.withResolvers<() => void>();
  const asked = request(`${service.url}${PATH}`, { headers, agent: false }, (response) => {
    response.on('error', () => {});
    expect(response.statusCode).toBe(200);
    resolve(() => response.destroy());
  });
  asked.on('error', reject).end();
  return promise;
}

test('503 while two exports of a merchant run, which keep nobody else from theirs; readers that hang up leave room and connections for the next, which gets it all', async () => {
  const hangUps = [await startReading(), await startReading()];
  const refused = await shop.call('GET', PATH);
  expect([refused.status, refused.body.error.message]).toEqual([
    503,
    'Your other exports are running. Try again in a minute.',
  ]);
  expect(refused.headers.get('retry-after')).toBe('60');
  const other = await service.createMerchant();
  expect((await other.call('GET', PATH)).status).toBe(200);
  for (const hangUp of hangUps) hangUp();
  const { text } = await eventually(async () => {
    const answer = await shop.call('GET', PATH);
    return answer.status === 200 ? answer : undefined;
  });
  expect(text.trimEnd().split('\r\n')).toHaveLength(2 * POSTINGS + 1);
  await eventually(async () => service.db.pool.idleCount === service.db.pool.totalCount || undefined);
});

test('a reader that takes too little of what waits for it is cut off', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    cutOffSlow(response, { leastBytes: 1, everyMs: 20 });
    response.once('close', resolve);
    response.write(Buffer.alloc(64 * 1024 * 1024));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', agent: false }, (response) =>
    response.on('error', () => {}),
  );
  asked.on('error', () => {}).end();
  await ended;
  asked.destroy();
  server.close();
});
