import { beforeEach, expect, test, vi } from 'vitest';
import { type Answer, type Receiver, startReceiver } from '../../test/support/webhooks.ts';
import { Florin, FlorinError, type FlorinOptions, type RequestEvent, type ResponseEvent } from './florin.ts';

/** A real server that gives the scripted answers in turn, and then `{"id":"c"}`. */
let server: Receiver;
let script: Answer[] = [];

beforeEach(async () => {
  script = [];
  server = await startReceiver((response, received, count) => {
    (script[count - 1] ?? json(200, { id: 'c' }))(response, received, count);
  });
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'trace-1', ...headers })
      .end(JSON.stringify(body));
const breaks: Answer = (response) => response.destroy();

const KEY = 'fl_dev_secret';
const client = (options: Partial<FlorinOptions> = {}) =>
  new Florin({ baseUrl: server.url, apiKey: KEY, ...options });

test('a result says what its answer was, without another shape', async () => {
  const customer = await client().customers.retrieve('c');
  expect(customer.lastResponse).toMatchObject({ status: 200, traceId: 'trace-1' });
  expect(customer.lastResponse.headers.get('content-type')).toBe('application/json');
  expect(Object.keys(customer)).toEqual(['id']);
  expect(JSON.stringify(customer)).toBe('{"id":"c"}');
  expect({ ...customer }).not.toHaveProperty('lastResponse');
  expect(structuredClone(customer)).toStrictEqual({ id: 'c' });
});

test('so do a page of a list, an array and bytes; nothing is put on what is nothing', async () => {
  script = [
    json(200, { data: [{ id: 'c' }], hasMore: false, nextCursor: null }),
    json(200, [{ id: 't' }]),
    (response) => response.writeHead(200, { 'x-request-id': 'trace-2' }).end('%PDF-'),
    (response) => response.writeHead(204).end(),
  ];
  const page = await client().customers.list();
  const terminals = await client().terminals.list();
  const pdf = await client().invoices.pdf('i');
  expect([page, terminals, pdf].map(({ lastResponse }) => lastResponse.traceId)).toEqual([
    'trace-1',
    'trace-1',
    'trace-2',
  ]);
  expect([JSON.stringify(terminals), pdf.length]).toEqual(['[{"id":"t"}]', 5]);
  expect(await client().projects.delete('p')).toBeUndefined();
});

test('hooks hear of every try: of the client and of one request, and never of the key', async () => {
  const atOnce = { 'retry-after': '0' };
  script = [
    json(503, { error: { code: 'SERVICE_UNAVAILABLE', message: 'later', traceId: 'trace-e' } }, atOnce),
    json(200, { id: 'c' }),
  ];
  const requests: RequestEvent[] = [];
  const responses: ResponseEvent[] = [];
  const own: number[] = [];
  const florin = client({
    onRequest: (event) => requests.push(event),
    onResponse: (event) => responses.push(event),
  });
  await florin.customers.list(
    { projectId: 'p', email: 'ann@shop.example' },
    { onResponse: ({ attempt }) => own.push(attempt) },
  );
  const call = { method: 'GET', path: '/api/v2/customers' };
  expect(requests).toEqual([
    { ...call, attempt: 1 },
    { ...call, attempt: 2 },
  ]);
  const durationMs = expect.any(Number);
  expect(responses).toEqual([
    { ...call, attempt: 1, durationMs, status: 503, traceId: 'trace-e', error: expect.any(FlorinError) },
    { ...call, attempt: 2, durationMs, status: 200, traceId: 'trace-1', error: undefined },
  ]);
  expect(own).toEqual([1, 2]);
  expect(JSON.stringify([requests, responses])).not.toMatch(/fl_dev_|ann@/);
});

test('where no answer came there is no status; where the caller gave up, the reason is theirs', async () => {
  script = [breaks];
  const responses: ResponseEvent[] = [];
  const florin = client({ maxRetries: 0, onResponse: (event) => responses.push(event) });
  await expect(florin.merchant.retrieve()).rejects.toThrow(FlorinError);
  const reason = new Error('enough');
  await expect(florin.merchant.retrieve({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(responses.map(({ status, traceId, error }) => [status, traceId, (error as Error).message])).toEqual([
    [undefined, undefined, expect.stringContaining('connection failed')],
    [undefined, undefined, 'enough'],
  ]);
});

test('a hook that fails is printed, and the request continues', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    const florin = client({
      onRequest: () => {
        throw new Error('no disk');
      },
      onResponse: async () => {
        throw new Error('no network');
      },
    });
    expect(await florin.customers.retrieve('c')).toEqual({ id: 'c' });
    await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(2));
    expect(printed.mock.calls.map(([, error]) => (error as Error).message)).toEqual([
      'no disk',
      'no network',
    ]);
  } finally {
    printed.mockRestore();
  }
});
