import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../../test/support/clean-up.ts';
import { type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import { Florin, FlorinConnectionError, FlorinRateLimitError } from '../src/florin.ts';

/** The real service behind a proxy that loses answers: the work is done, and nobody hears of it. */
let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

/** Loses the answers to the first `losses` requests. */
async function proxy(losses: number) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const names = ['authorization', 'content-type', 'idempotency-key'];
    const headers = names.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : []));
    const body = Buffer.concat(chunks);
    asked.push(`${request.method} ${request.url}`);
    const number = asked.length;
    const answer = await fetch(service.url + request.url, {
      method: request.method!,
      headers: headers as [string, string][],
      ...(body.length > 0 && { body }),
    });
    if (number <= losses) return response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { florin: new Florin({ baseUrl, apiKey: shop.key }), asked };
}

test('a create whose answers were lost twice happened once', async () => {
  const { florin, asked } = await proxy(2);
  const project = await florin.projects.create({ name: 'once' });
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'POST /api/v2/projects'));
  const projects = await florin.projects.list().toArray({ limit: 100 });
  expect(projects.filter(({ name }) => name === 'once').map(({ id }) => id)).toEqual([project.id]);
});

test('a buyer’s checkout whose answer was lost is one session', async () => {
  const { florin } = await proxy(0);
  const projectId = (await florin.projects.create({ name: 'links' })).id;
  const terms = { productName: 'Tea', billingMode: 'one_time', unitAmountCents: 500 } as const;
  const { paymentLink } = await florin.paymentLinks.setUp({ projectId, ...terms });
  const buyer = await proxy(1);
  const { sessionId } = await buyer.florin.publicLinks.checkOut(paymentLink.publicToken);
  const { data } = await florin.checkoutSessions.list({ projectId });
  expect([buyer.asked.length, data.map(({ id }) => id)]).toEqual([2, [sessionId]]);
});

test('a change without a key is left to its caller when its answer was lost', async () => {
  const { florin, asked } = await proxy(1);
  await expect(florin.merchant.updateWebhook({ webhookUrl: 'https://a.example/' })).rejects.toThrow(
    FlorinConnectionError,
  );
  expect(asked).toHaveLength(1);
});

test('a key used again for something else is refused, and told so', async () => {
  const { florin, asked } = await proxy(0);
  const idempotencyKey = crypto.randomUUID();
  await florin.projects.create({ name: 'a' }, { idempotencyKey });
  await expect(florin.projects.create({ name: 'b' }, { idempotencyKey })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
    status: 409,
  });
  expect(asked).toHaveLength(2);
});

test('a monthly limit fails immediately: nobody waits for the next month', async () => {
  const limited = await testService();
  limited.clock.setOffsetMs(Date.UTC(2040, 0, 10) - Date.now());
  let asked = 0;
  const florin = new Florin({
    baseUrl: limited.url,
    apiKey: (await limited.createMerchant()).key,
    fetch(url, init) {
      asked++;
      return fetch(url, init);
    },
  });
  const projectId = (await florin.projects.create({ name: 'small', monthlyRequestLimit: 1 })).id;
  await florin.customers.create({ projectId });
  const error = await florin.customers.create({ projectId }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(FlorinRateLimitError);
  expect(error).toMatchObject({ code: 'PROJECT_REQUEST_LIMIT_EXCEEDED' });
  expect((error as FlorinRateLimitError).retryAfterSeconds).toBeGreaterThan(20 * 86_400);
  expect(asked).toBe(3);
});
