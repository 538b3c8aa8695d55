import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

/** Sends bytes as they are and reads until the server closes. */
function raw(bytes: string, { url } = service): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')));
  });
}

describe('every error is the envelope and nothing else', () => {
  const INTENTS = '/api/merchants/intents';
  const cases: [number, string, string, string, unknown?, Record<string, string>?][] = [
    [404, 'NOT_FOUND', 'GET', '/nothing'],
    [404, 'NOT_FOUND', 'GET', '/api/nothing'],
    [404, 'NOT_FOUND', 'POST', '/api/merchants/intents/'],
    [404, 'NOT_FOUND', 'GET', `/${'x'.repeat(5_000)}`],
    [404, 'NOT_FOUND', 'GET', `${INTENTS}/${'x'.repeat(1_000)}`],
    [400, 'BAD_REQUEST', 'GET', '/%zz'],
    [405, 'METHOD_NOT_ALLOWED', 'PUT', INTENTS, {}],
    [405, 'METHOD_NOT_ALLOWED', 'DELETE', INTENTS],
    [405, 'METHOD_NOT_ALLOWED', 'POST', '/health/live', {}],
    [405, 'METHOD_NOT_ALLOWED', 'PUT', '/api/b2b/merchants/me', 'nonsense'],
    [413, 'PAYLOAD_TOO_LARGE', 'POST', INTENTS, { orderId: 'x'.repeat(65_536) }],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'POST', INTENTS, '{}', { 'content-type': 'text/plain' }],
    [
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'POST',
      INTENTS,
      '{}',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    [
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'POST',
      INTENTS,
      '{}',
      { 'content-type': 'application/json; charset=latin1' },
    ],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'POST', INTENTS, '{}', { 'content-encoding': 'gzip' }],
    [400, 'BAD_REQUEST', 'POST', INTENTS, '{'],
    [400, 'BAD_REQUEST', 'POST', INTENTS, undefined],
  ];

  test.each(cases)('%i %s for %s %s', async (status, code, method, path, body, headers) => {
    const answer = await shop.call(method, path, body, headers);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(Object.keys(answer.body.error)).toEqual(['code', 'message', 'traceId']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toBe(answer.body.error.traceId);
  });

  test('405 says which methods there are', async () => {
    expect((await call(`${service.url}/api/merchants/intents`, 'PUT', {})).headers.get('allow')).toBe(
      'POST, GET, HEAD',
    );
  });

  test('what is not even HTTP gets the envelope too', async () => {
    const answer = await raw('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"error":{"code":"BAD_REQUEST"');
    const huge = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(80_000)}\r\n\r\n`);
    expect(huge).toContain('{"error":{"code":"BAD_REQUEST","message":"headers are too large"');
  });

  test('500 tells the caller nothing, and the log everything, under one traceId', async () => {
    await service.db.query('alter table terminals rename to terminals_away');
    const answer = await shop.call('GET', '/api/b2b/merchants/terminals');
    await service.db.query('alter table terminals_away rename to terminals');
    expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.text).not.toContain('terminals');
    const line = service.log.find(
      (entry) => entry.includes(answer.body.error.traceId) && entry.includes('"error"'),
    );
    expect(line).toContain('relation \\"terminals\\" does not exist');
  });

  test('503 with Retry-After while the database is away', async () => {
    const lonely = await testService();
    const merchant = await lonely.createMerchant();
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).status).toBe(200);
    const [row] = await lonely.db.query<{ name: string }>('select current_database() as name');
    await service.db.query(`alter database ${row!.name} with allow_connections false`);
    await service.db.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      row!.name,
    ]);
    const answer = await merchant.call('GET', '/api/b2b/merchants/terminals');
    expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ]);
    await service.db.query(`alter database ${row!.name} with allow_connections true`);
    expect((await merchant.call('GET', '/api/b2b/merchants/terminals')).status).toBe(200);
  });
});

describe('a query string of 16 KB', () => {
  test.each(['a&', 'status=pending&', '&', '%20=1&', 'a[]=1&'])(
    '400 or less work for %s again and again',
    async (part) => {
      const query = part.repeat(Math.floor(15_000 / part.length));
      for (const path of ['/api/merchants/intents', '/health/live', '/intents/x']) {
        const answer = await shop.call('GET', `${path}?${query}`);
        if (part === '&') expect(answer.status).not.toBe(400);
        else expect(answer.status).toBe(400);
        if (answer.body?.error && part !== '&')
          expect(answer.body.error.message).toBe('query must have at most 100 parameters');
      }
    },
  );
});

test('the root leads to the dashboard', async () => {
  const answer = await fetch(`${service.url}/`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/dashboard']);
});

describe('behind https', () => {
  test('every answer tells browsers to stay with https; by http none does', async () => {
    const secure = await testService({ PUBLIC_URL: 'https://pay.example.com' });
    const paths = ['/health/live', '/api/nothing', '/api/merchants/intents', '/%zz', '/docs', '/intents/x'];
    for (const path of [...paths, '/dashboard', '/openapi.json', '/icon.svg']) {
      const { headers } = await call(secure.url + path, 'GET');
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
      const plain = await call(service.url + path, 'GET');
      expect(plain.headers.get('strict-transport-security')).toBeNull();
    }
    expect((await call(`${secure.url}/health/live`, 'PUT')).headers.get('strict-transport-security')).toBe(
      'max-age=31536000',
    );
    expect(await raw('NONSENSE\r\n\r\n', secure)).toContain(
      'Strict-Transport-Security: max-age=31536000\r\n',
    );
  });
});

test('the trace of a caller comes back with the answer, and is in the log beside our own id', async () => {
  const callerTraceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${callerTraceId}-00f067aa0ba902b7-01`;
  const ask = (text: string) =>
    call(`${service.url}/api/v2/nothing`, 'GET', undefined, { traceparent: text });
  const answer = await ask(traceparent);
  expect(answer.headers.get('traceparent')).toBe(traceparent);
  const { traceId } = answer.body.error;
  const lines = () => service.log.map((line) => JSON.parse(line)).filter((line) => line.traceId === traceId);
  await expect.poll(lines).toContainEqual(expect.objectContaining({ msg: 'request', callerTraceId }));
  expect((await ask('nonsense')).headers.get('traceparent')).toBeNull();
});

describe('operations', () => {
  test('health, readiness and metrics answer', async () => {
    expect((await call(`${service.url}/health/live`, 'GET')).body).toEqual({ status: 'ok' });
    expect((await call(`${service.url}/health/ready`, 'GET')).body).toEqual({ status: 'ok' });
    const metrics = await call(`${service.url}/metrics`, 'GET');
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(metrics.text).toMatch(
      /florin_http_request_duration_seconds_count\{method="GET",route="\/health\/live",status="200"\} [1-9]/,
    );
    expect(metrics.text).toContain('florin_resident_memory_bytes');
    for (const line of metrics.text.trimEnd().split('\n'))
      expect(line).toMatch(/^(#|[a-z_]+(\{[^}]*\})? [0-9.e+-]+$)/);
  });

  test.each([
    'Forwarded',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Real-IP',
    'CF-Connecting-IP',
  ])('403 for metrics that come through a proxy, known by %s', async (header) => {
    for (const value of ['127.0.0.1', '']) {
      const answer = await call(`${service.url}/metrics`, 'GET', undefined, { [header]: value });
      expect(answer.status).toBe(403);
    }
  });

  test('403 for metrics without the token, where there is one', async () => {
    const guarded = await testService({ METRICS_TOKEN: 'let-me-in' });
    expect((await call(`${guarded.url}/metrics`, 'GET')).status).toBe(403);
    expect(
      (await call(`${guarded.url}/metrics`, 'GET', undefined, { authorization: 'Bearer let-me-in' })).status,
    ).toBe(200);
  });

  test('every request has its own traceId, and failed ones are in the log with it', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call(`${service.url}/api/nothing`, 'GET')));
    const ids = answers.map((answer) => answer.headers.get('x-request-id')!);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(service.log.some((line) => line.includes(`"traceId":"${id}"`))).toBe(true);
  });
});
