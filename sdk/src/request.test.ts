import { createServer } from 'node:net';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cleanUp } from '../../test/support/clean-up.ts';
import { type Answer, type Receiver, startReceiver } from '../../test/support/webhooks.ts';
import {
  Florin,
  FlorinAuthenticationError,
  FlorinBadRequestError,
  FlorinConflictError,
  FlorinConnectionError,
  FlorinError,
  FlorinNotFoundError,
  type FlorinOptions,
  FlorinPermissionError,
  FlorinRateLimitError,
  FlorinServerError,
  FlorinTimeoutError,
} from './florin.ts';
import { backoffMs } from './request.ts';

/** A real server that gives the scripted answers in turn, and then `{}`. */
let server: Receiver;
let script: Answer[] = [];
const answers = (...given: Answer[]) => {
  script = given;
};

beforeEach(async () => {
  script = [];
  server = await startReceiver((response, received, count) => {
    (script[count - 1] ?? json(200, {}))(response, received, count);
  });
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { error: { code, message: `${code}, in words`, traceId: 'trace-1' } }, headers);
/** Tells the client to come back at once, so that no test waits. */
const atOnce = { 'retry-after': '0' };
const breaks: Answer = (response) => response.destroy();
const hangs: Answer = () => {};

const client = (options: Partial<FlorinOptions> = {}) =>
  new Florin({ baseUrl: server.url, apiKey: 'fl_dev_key', ...options });
const failure = (result: PromiseLike<unknown>) =>
  Promise.resolve(result).then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => error as FlorinError,
  );
const keysSent = () => server.received.map(({ headers }) => headers['idempotency-key']);

const order = { amountCents: 100, orderId: 'a' };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a request', () => {
  test('carries the key, the body with every digit, and an Idempotency-Key of its own', async () => {
    await client().intents.create({ amountCents: 2n ** 63n - 1n, orderId: 'ü' });
    await client().intents.create(order);
    expect(server.received[0]).toMatchObject({
      path: '/api/merchants/intents',
      headers: { authorization: 'Bearer fl_dev_key', 'content-type': 'application/json' },
      body: '{"amountCents":9223372036854775807,"orderId":"ü"}',
    });
    const [first, second] = keysSent();
    expect([first, second]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(first).not.toBe(second);
  });

  test('takes options of its own', async () => {
    const florin = client({ headers: ({ method, path }) => ({ 'x-seen': `${method} ${path}` }) });
    const own = { apiKey: 'fl_dev_other', idempotencyKey: 'mine', headers: { 'x-more': '1' } };
    await florin.customers.create({ projectId: 'p' }, own);
    expect(server.received[0]!.headers).toMatchObject({
      authorization: 'Bearer fl_dev_other',
      'idempotency-key': 'mine',
      'x-seen': 'POST /api/v2/customers',
      'x-more': '1',
    });
  });

  test('lets a header of one’s own replace any other, however its name is written', async () => {
    const florin = client({ headers: () => ({ 'X-Mine': 'client' }) });
    await florin.merchant.retrieve({ headers: { Authorization: 'Bearer mine', 'x-mine': 'request' } });
    expect(server.received[0]!.headers).toMatchObject({ authorization: 'Bearer mine', 'x-mine': 'request' });
  });

  test('writes a query as the service reads it', async () => {
    await client({ baseUrl: `${server.url}/behind/` }).intents.list({
      status: ['pending', 'underpaid'],
      createdFrom: new Date('2026-11-15T07:00:00Z'),
      orderId: 'a&b',
      terminalId: undefined,
      limit: 5,
    });
    expect(server.received[0]!.path).toBe(
      '/behind/api/merchants/intents?status=pending&status=underpaid&createdFrom=2026-11-15T07%3A00%3A00.000Z&orderId=a%26b&limit=5',
    );
  });

  test('sends no key where none is needed, and none when there is none', async () => {
    await client().publicLinks.retrieve('token');
    await client().portal.retrieveVisit();
    await new Florin({ baseUrl: server.url }).merchant.retrieve();
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('never asks for another path than its own', async () => {
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      await expect(client().customers.retrieve(id)).rejects.toThrow('customerId must be an id');
      await expect(client().customers.listBalanceEntries(id)).rejects.toThrow('customerId must be an id');
    }
    expect(server.received).toEqual([]);
  });

  test('encodes what is in the path', async () => {
    await client().publicLinks.retrieve('a/../b?c');
    expect(server.received[0]!.path).toBe('/api/v2/payment-links/a%2F..%2Fb%3Fc');
  });

  test('goes through another fetch, with cookies, when told', async () => {
    const seen: RequestInit[] = [];
    const florin = new Florin({
      baseUrl: '',
      credentials: 'same-origin',
      fetch: (url, init) => {
        seen.push(init);
        return fetch(server.url + url, init);
      },
    });
    await florin.merchant.retrieve();
    expect(seen[0]).toMatchObject({ credentials: 'same-origin', redirect: 'manual' });
    expect(server.received[0]!.path).toBe('/api/b2b/merchants/me');
  });
});

test('a client that could not work is refused when it is made', () => {
  expect(() => new Florin({ baseUrl: server.url, apiKey: undefined })).toThrow('is the variable set?');
  expect(() => new Florin({ baseUrl: server.url, apiKey: '' })).toThrow('apiKey is empty');
  for (const baseUrl of ['', 'pay.example', 'ftp://pay.example', undefined as unknown as string]) {
    expect(() => new Florin({ baseUrl })).toThrow('baseUrl must be where the service is');
  }
});

describe('it is tried again', () => {
  test.each([429, 500, 502, 503, 504])('after %i, with the same key and bytes', async (status) => {
    answers(refusal(status, 'X', atOnce), refusal(status, 'X', atOnce), json(200, { id: 'i1' }));
    expect(await client().intents.create(order)).toEqual({ id: 'i1' });
    expect(server.received).toHaveLength(3);
    expect(new Set(keysSent()).size).toBe(1);
    expect(new Set(server.received.map(({ body }) => body)).size).toBe(1);
  });

  test('while the first try is still being worked on', async () => {
    answers(refusal(409, 'IDEMPOTENCY_IN_PROGRESS', atOnce), json(200, { id: 'i1' }));
    expect(await client().intents.create(order)).toEqual({ id: 'i1' });
  });

  test('after a broken connection and after a timeout', async () => {
    answers(breaks, hangs, ...Array.from({ length: 20 }, () => json(200, { id: 'i1' })));
    // More tries than needed: on a busy machine the good answer may be late too.
    expect(await client({ timeoutMs: 500, maxRetries: 20 }).intents.create(order)).toEqual({ id: 'i1' });
    expect(new Set(keysSent()).size).toBe(1);
  });

  test('a buyer’s checkout carries its key in the body', async () => {
    answers(breaks, json(201, {}));
    await client().publicLinks.checkOut('token', { idempotencyKey: undefined, clientReferenceId: null });
    const bodies = server.received.map(({ body }) => JSON.parse(body));
    expect(bodies[0]).toEqual({ clientReferenceId: null, idempotencyKey: expect.stringMatching(UUID) });
    expect(bodies[1]).toEqual(bodies[0]);
    await client().publicLinks.checkOut('token', { idempotencyKey: 'mine' });
    expect(server.received[2]!.body).toBe('{"idempotencyKey":"mine"}');
  });

  test('two times by default, as often as told otherwise, and the last error is given', async () => {
    answers(...Array.from({ length: 9 }, () => refusal(500, 'INTERNAL_ERROR', atOnce)));
    expect(await failure(client().merchant.retrieve())).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(server.received).toHaveLength(3);
    await failure(client({ maxRetries: 0 }).merchant.retrieve());
    expect(server.received).toHaveLength(4);
    await failure(client({ maxRetries: 0 }).merchant.retrieve({ maxRetries: 1 }));
    expect(server.received).toHaveLength(6);
  });

  test('a change without a key, only when it was refused unread', async () => {
    answers(refusal(429, 'X', atOnce), refusal(503, 'X', atOnce), json(200, { id: 'c1' }));
    expect(await client().customers.update('c1', {})).toEqual({ id: 'c1' });
    answers(...script, breaks, refusal(500, 'X', atOnce));
    expect(await failure(client().customers.update('c1', {}))).toBeInstanceOf(FlorinConnectionError);
    expect(await failure(client().customers.update('c1', {}))).toBeInstanceOf(FlorinServerError);
    expect(server.received).toHaveLength(5);
  });

  test('not after an answer that would stay the same', async () => {
    for (const status of [400, 401, 402, 403, 404, 409, 410, 413, 501]) {
      const before = server.received.length;
      answers(...script, refusal(status, 'X', atOnce));
      expect((await failure(client().merchant.retrieve())).status).toBe(status);
      expect(server.received.length - before).toBe(1);
    }
  });

  test('not where the service asks for a longer time than anyone waits', async () => {
    answers(refusal(429, 'PROJECT_REQUEST_LIMIT_EXCEEDED', { 'retry-after': '61' }));
    const error = await failure(client().merchant.retrieve());
    expect(error).toBeInstanceOf(FlorinRateLimitError);
    expect(error.retryAfterSeconds).toBe(61);
  });

  test('after as long as Retry-After says, or half a second doubled with each try', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout');
    answers(refusal(503, 'X', { 'retry-after': '1' }));
    await client().merchant.retrieve();
    expect(timer.mock.calls.map(([, delay]) => delay)).toContain(1000);
    timer.mockRestore();
    expect([0, 1, 2, 3, 4, 5].map((attempt) => backoffMs(attempt, 0))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000,
    ]);
    expect(backoffMs(0, 1)).toBe(250);
  });
});

describe('an error', () => {
  test('has code, status, traceId and the service’s own words, in a class by its status', async () => {
    const kinds = {
      400: FlorinBadRequestError,
      401: FlorinAuthenticationError,
      403: FlorinPermissionError,
      404: FlorinNotFoundError,
      409: FlorinConflictError,
      410: FlorinError,
      500: FlorinServerError,
    };
    for (const [status, kind] of Object.entries(kinds)) {
      answers(...script, refusal(Number(status), 'X'));
      const error = await failure(client({ maxRetries: 0 }).merchant.retrieve());
      expect(error).toBeInstanceOf(FlorinError);
      expect([error.constructor, error.name]).toEqual([kind, kind.name]);
      expect(error).toMatchObject({
        code: 'X',
        status: Number(status),
        traceId: 'trace-1',
        message: 'X, in words',
      });
    }
  });

  test('of a proxy is recognised by its status', async () => {
    const gateway: Answer = (response) => response.writeHead(502, { 'x-request-id': 'r1' }).end('<html>');
    answers(gateway, (response) => response.end('<html>Welcome'));
    const none = client({ maxRetries: 0 });
    const error = await failure(none.merchant.retrieve());
    expect(error).toMatchObject({ code: 'HTTP_502', status: 502, traceId: 'r1' });
    const unread = await failure(none.merchant.retrieve());
    expect(unread).toMatchObject({ code: 'INVALID_ANSWER', status: 200 });
    expect(unread.message).toContain('<html>Welcome');
  });

  test('says where a redirect leads instead of following it', async () => {
    answers((response) => response.writeHead(301, { location: 'https://pay.example/' }).end());
    const error = await failure(client().intents.create(order));
    expect(error).toMatchObject({ code: 'HTTP_301', status: 301 });
    expect(error.message).toContain('redirects to https://pay.example/: is the base URL right?');
    expect(server.received).toHaveLength(1);
  });

  test('of the connection says why, and has no status', async () => {
    const port = await closedPort();
    const none = new Florin({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
    const error = await failure(none.merchant.retrieve());
    expect(error).toBeInstanceOf(FlorinConnectionError);
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: undefined, traceId: undefined });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  test('in one’s own headers function is one’s own', async () => {
    const florin = client({
      headers: () => {
        throw new Error('mine');
      },
    });
    await expect(florin.merchant.retrieve()).rejects.toThrow(/^mine$/);
  });
});

async function closedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as { port: number };
  await new Promise((resolve) => listener.close(resolve));
  cleanUp(async () => listener.close());
  return port;
}

describe('time', () => {
  test('that is over is a timeout, before the answer and within it', async () => {
    const none = client({ maxRetries: 0, timeoutMs: 300 });
    answers(hangs, (response) => response.writeHead(200).write('{"id":'));
    for (const result of [() => none.merchant.retrieve(), () => none.merchant.retrieve()]) {
      const error = await failure(result());
      expect(error).toBeInstanceOf(FlorinTimeoutError);
      expect(error).toBeInstanceOf(FlorinConnectionError);
      expect(error).toMatchObject({ code: 'TIMEOUT', message: 'No answer within 300 ms.' });
    }
  });

  test('may be without end', async () => {
    expect(await client().merchant.retrieve({ timeoutMs: Number.POSITIVE_INFINITY })).toEqual({});
  });

  test('ends with one’s own signal, during a request and before it', async () => {
    const mine = new Error('mine');
    const controller = new AbortController();
    answers(() => controller.abort(mine));
    const options = { signal: controller.signal };
    expect(await failure(client().merchant.retrieve(options))).toBe(mine);
    expect(await failure(client().merchant.retrieve(options))).toBe(mine);
    expect(server.received).toHaveLength(1);
  });

  test.each(['with the answer', 'while waiting'])(
    'ends with one’s own signal %s, between two tries',
    async (when) => {
      const mine = new Error('mine');
      const controller = new AbortController();
      let asked = 0;
      answers(refusal(503, 'X', { 'retry-after': '60' }));
      const florin = client({
        async fetch(url, init) {
          asked++;
          const answer = await fetch(url, init);
          const text = await answer.text();
          if (when === 'with the answer') controller.abort(mine);
          else setTimeout(() => controller.abort(mine), 50);
          return new Response(text, answer);
        },
      });
      const timer = vi.spyOn(globalThis, 'setTimeout');
      expect(await failure(florin.merchant.retrieve({ signal: controller.signal }))).toBe(mine);
      expect(asked).toBe(1);
      const waits = timer.mock.calls.filter(([, delay]) => delay === 60_000).length;
      timer.mockRestore();
      expect(waits).toBe(when === 'while waiting' ? 1 : 0);
    },
  );
});
