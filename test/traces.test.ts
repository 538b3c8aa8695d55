import { expect, test } from 'vitest';
import { attributesOf, type ReceivedSpan, startCollector } from './support/collector.ts';
import { newDataFolder } from './support/data-folder.ts';
import { type Running, startProcess } from './support/process.ts';
import { call } from './support/service.ts';
import { startReceiver } from './support/webhooks.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`;

/** Everything that an attribute can be about. A new one belongs here once it is known that it holds no value of anybody's. */
const ATTRIBUTES = [
  'db.query.summary',
  'db.response.status_code',
  'db.system.name',
  'error.type',
  'florin.node',
  'florin.request_id',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'rpc.method',
  'rpc.system.name',
];

test('requests, statements, jobs, node calls and webhooks are traced as trees without a value in them, and a stop is announced first', async () => {
  const collector = await startCollector();
  const receiver = await startReceiver();
  const service = await startProcess({
    FLORIN_DATA: await newDataFolder(),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=topsecret',
    OTEL_SERVICE_NAME: 'my-shop',
    SANDBOX_SLOT_MS: '10',
    WATCH_FINALITY_MS: '20',
    STOP_GRACE_SECONDS: '5',
  });
  const authorization = `Bearer ${service.apiKey}`;
  const ask = (method: string, path: string, body?: object, headers = {}) =>
    call(service.url + path, method, body, { authorization, ...headers });
  await ask('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: receiver.url });
  const order = { amountCents: 1250, orderId: 'order-of-ada' };
  const made = await ask('POST', '/api/merchants/intents', order, { traceparent: TRACEPARENT });
  expect(made.headers.get('traceparent')).toBe(TRACEPARENT);
  const { id } = made.body;
  await ask('GET', `/api/merchants/intents/${id}`, undefined, {
    traceparent: TRACEPARENT.replace(/1$/, '0'),
  });
  await ask('POST', '/api/v2/sandbox/payments', { paymentIntentId: id });
  await expect
    .poll(async () => (await ask('GET', `/api/merchants/intents/${id}`)).body.status)
    .toBe('succeeded');
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  expect((await ask('GET', '/api/merchants/intents/ada@shop.example')).status).toBe(404);
  await seeStop(service);

  const spans = collector.spans();
  const server = spans.filter(({ traceId, kind }) => traceId === TRACE && kind === 2);
  expect(server).toMatchObject([{ name: 'POST /api/merchants/intents', parentSpanId: CALLER }]);
  expect(attributesOf(server[0]!)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/merchants/intents',
    'http.response.status_code': '200',
    'florin.request_id': made.headers.get('x-request-id'),
  });
  const below = spans.filter(({ traceId }) => traceId === TRACE).map(({ name }) => name);
  expect(below).toContain('insert payment_intents');
  expect(orphansAmong(spans)).toEqual([]);
  const names = new Set(spans.map(({ name }) => name));
  for (const name of ['webhook delivery', 'read account', 'getTransaction', 'transaction'])
    expect(names).toContain(name);

  // Jobs whose statements changed nothing: no payment link, no refund and no sponsored payment was ever there.
  for (const name of ['close payment links', 'check refunds', 'follow sponsored payments'])
    expect(names).not.toContain(name);

  const keys = new Set(spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)));
  expect([...keys].filter((key) => !ATTRIBUTES.includes(key))).toEqual([]);
  const sent = collector.received.map(({ body }) => body).join();
  expect(sent).toContain('my-shop');
  for (const value of [service.apiKey!, id, order.orderId, 'ada@', 'topsecret', receiver.url])
    expect(sent).not.toContain(value);
});

/** It says that it stops while it still serves, sends its last spans, and ends well. */
async function seeStop(service: Running): Promise<void> {
  const ended = service.end('SIGTERM');
  await expect.poll(() => service.output()).toContain('"stopping"');
  const ready = await fetch(`${service.url}/health/ready`);
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
  expect(await ready.text()).toContain('stopping');
  // An orderly stop alarms nobody.
  expect(service.output()).not.toContain('"level":"error"');
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  expect(await ended).toBe(0);
}

/** Returns spans whose parent was not sent: every span but the first of a trace has one. */
function orphansAmong(spans: readonly ReceivedSpan[]): string[] {
  const ids = new Set(spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
  return spans
    .filter(({ parentSpanId }) => parentSpanId !== undefined && parentSpanId !== CALLER)
    .filter(({ traceId, parentSpanId }) => !ids.has(`${traceId} ${parentSpanId}`))
    .map(({ name }) => name);
}
