import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../support/clean-up.ts';
import { type TestMerchant, type TestService, testService } from '../support/service.ts';
import { type Assistant, overHttp, use } from './mcp-clients.ts';

/** Every first reply to a change is lost on the way. An assistant repeats the call, and each purpose is one object. */
const CALLS = 500;

let service: TestService;
let shop: TestMerchant;
let projectId: string;
let productId: string;

beforeAll(async () => {
  service = await testService({ RATE_LIMIT_KEY_PER_SECOND: '0' });
  shop = await service.createMerchant();
  const create = async (path: string, body: object) => (await shop.call('POST', path, body)).body.id;
  projectId = await create('/api/v2/projects', { name: 'Bakery' });
  productId = await create('/api/v2/products', { projectId, name: 'Bread' });
});

/** Hands requests on, and breaks the connection instead of answering the first of each purpose. */
async function losingProxy(): Promise<{ url: string; lost(): number }> {
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = await fetch(service.url + request.url, {
      method: request.method!,
      headers: passedOn(request),
      ...(body !== '' && { body }),
    });
    const reply = await answer.text();
    const purpose = /"purpose":"([^"]+)"/.exec(body)?.[1];
    if (purpose !== undefined && !seen.has(purpose)) {
      seen.add(purpose);
      return void request.socket.destroy();
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, lost: () => seen.size };
}

function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const names = Object.keys(headers).filter((name) =>
    /^(accept|content-type|authorization|mcp-.*)$/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}

type Kind = { table: string; tool?: string; operation?: string; params?: object; body(n: number): object };

const kinds: Kind[] = [
  { table: 'products', operation: 'createProduct', body: (n) => ({ projectId, name: `P${n}` }) },
  {
    table: 'customers',
    operation: 'createCustomer',
    body: (n) => ({ projectId, externalCustomerId: `c${n}` }),
  },
  {
    table: 'prices',
    operation: 'createPrice',
    body: (n) => ({ projectId, productId, billingMode: 'one_time', unitAmountCents: 100 + n }),
  },
  { table: 'checkout_sessions', tool: 'create_checkout', body: (n) => ({ projectId, amountCents: 100 + n }) },
  {
    table: 'payment_links',
    tool: 'create_payment_link',
    body: (n) => ({ projectId, productName: `L${n}`, unitAmountCents: 100 }),
  },
  {
    table: 'payment_intents',
    operation: 'createPaymentIntent',
    body: (n) => ({ orderId: `o${n}`, amountCents: 100 }),
  },
  { table: 'terminals', operation: 'createTerminal', body: (n) => ({ name: `T${n}` }) },
];

async function callOnce(assistant: Assistant, n: number): Promise<string> {
  const { tool = 'write', operation, params, body } = kinds[n % kinds.length]!;
  const purpose = `purpose ${n}`;
  const args = operation
    ? { operation, ...(params && { params }), body: body(n), purpose }
    : { ...body(n), purpose };
  const attempt = () => use(assistant, tool, args);
  await expect(attempt()).rejects.toThrow();
  const made = await attempt();
  return made.id ?? made.paymentLink.id;
}

test(`${CALLS} changes whose first reply is lost: as many objects as purposes`, async () => {
  const counts = async () =>
    Object.fromEntries(
      await Promise.all(
        kinds.map(async ({ table }) => {
          const [row] = await service.db.query<{ n: number }>(
            `select count(*)::int as n from ${table} where merchant_id = $1`,
            [shop.id],
          );
          return [table, row!.n] as const;
        }),
      ),
    );
  const before = await counts();
  const proxy = await losingProxy();
  const assistants = [await overHttp(proxy.url, shop.key), await overHttp(proxy.url, shop.key, '2025-11-25')];
  const ids: string[] = [];
  let next = 0;
  const worker = async (assistant: Assistant) => {
    while (next < CALLS) ids.push(await callOnce(assistant, next++));
  };
  await Promise.all([...assistants, ...assistants].map(worker));

  expect(proxy.lost()).toBe(CALLS);
  expect(new Set(ids).size).toBe(CALLS);
  const after = await counts();
  const expected = (at: number) => Math.ceil((CALLS - at) / kinds.length);
  const grown = Object.fromEntries(kinds.map(({ table }) => [table, after[table]! - before[table]!]));
  // A checkout has an intent of its own, and a link that is set up a product and a price.
  expect(grown).toEqual({
    products: expected(0) + expected(4),
    customers: expected(1),
    prices: expected(2) + expected(4),
    checkout_sessions: expected(3),
    payment_links: expected(4),
    payment_intents: expected(5) + expected(3),
    terminals: expected(6),
  });
});
