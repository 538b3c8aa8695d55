import { expect, test } from 'vitest';
import { startCollector } from '../../../test/support/collector.ts';
import type { Received } from '../../../test/support/webhooks.ts';
import { createLog } from '../lib/log.ts';
import { SpanExporter } from './exporter.ts';
import { createSampler } from './sampler.ts';
import type { Span } from './span.ts';
import { summaryOf } from './trace-database.ts';

const span: Span = {
  traceId: 'ab'.repeat(16),
  spanId: 'cd'.repeat(8),
  parentId: undefined,
  name: 'GET /x/:id',
  kind: 'server',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_001.5,
  attributes: { 'http.response.status_code': 200, 'error.type': undefined },
  hasFailed: false,
};

function newExporter(url: string, everyMs = 0) {
  const counted = { sent: 0, dropped: 0 };
  const log: string[] = [];
  const exporter = new SpanExporter({
    collector: { url: `${url}/v1/traces`, headers: { 'api-key': 's3cret' } },
    origin: { attributes: { 'service.name': 'shop' }, version: '1' },
    log: createLog('warn', (line) => log.push(line)),
    onSent: (spans) => {
      counted.sent += spans;
    },
    onDropped: (spans) => {
      counted.dropped += spans;
    },
    everyMs,
  });
  return { exporter, counted, log };
}

test('spans are sent as OTLP in JSON, with the headers of the collector; those it rejects count as dropped', async () => {
  const collector = await startCollector((response) =>
    response.end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}'),
  );
  const { exporter, counted, log } = newExporter(collector.url);
  exporter.add(span);
  exporter.add({ ...span, parentId: 'ef'.repeat(8), hasFailed: true });
  await expect.poll(() => counted).toEqual({ sent: 1, dropped: 1 });
  await exporter.stop();
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ reason: 'too old' }]);
  const [{ path, headers, body }] = collector.received as [Received];
  expect(path).toBe('/v1/traces');
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'api-key': 's3cret' });
  expect(JSON.parse(body).resourceSpans[0].resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'shop' } },
  ]);
  expect(collector.spans()).toEqual([
    {
      traceId: 'ab'.repeat(16),
      spanId: 'cd'.repeat(8),
      name: 'GET /x/:id',
      kind: 2,
      startTimeUnixNano: '1700000000000250000',
      endTimeUnixNano: '1700000000001500000',
      attributes: [{ key: 'http.response.status_code', value: { intValue: '200' } }],
    },
    expect.objectContaining({ parentSpanId: 'ef'.repeat(8), status: { code: 2 } }),
  ]);
});

test('a collector that says 429 and Retry-After gets the batch again, and one that answers nonsense has taken it', async () => {
  const collector = await startCollector((response, _received, count) => {
    if (count === 1) response.writeHead(429, { 'retry-after': '0' }).end();
    else response.end('<html>\0 nonsense');
  });
  const { exporter, counted, log } = newExporter(collector.url);
  exporter.add(span);
  await expect.poll(() => counted).toEqual({ sent: 1, dropped: 0 });
  expect(collector.received[1]!.body).toBe(collector.received[0]!.body);
  expect(log.map((line) => JSON.parse(line).msg)).toEqual([
    'traces cannot be exported',
    'traces are exported again',
  ]);
  expect(log.join()).not.toContain('s3cret');
  await exporter.stop();
});

test.each([
  ['refuses them', async () => (await startCollector((response) => response.writeHead(401).end())).url],
  ['never answers', async () => (await startCollector(() => {})).url],
  ['is away', async () => 'http://127.0.0.1:1'],
])(
  'a collector that %s holds 4,096 waiting spans and one batch at most, and does not hold up the end',
  async (_, start) => {
    const { exporter, counted } = newExporter(await start(), 60_000);
    // Nothing is sent in between: adding waits for nobody.
    for (let i = 0; i < 10_000; i++) exporter.add(span);
    expect(counted.dropped).toBe(10_000 - 512 - 4_096);
    await exporter.stop();
    expect(counted).toEqual({ sent: 0, dropped: 10_000 });
  },
);

test('the samplers of the specification', () => {
  const low = '0'.repeat(32);
  const high = 'f'.repeat(32);
  const yes = { isSampled: true };
  const no = { isSampled: false };
  const half = createSampler('parentbased_traceidratio', 0.5);
  expect([half(low, undefined), half(high, undefined), half(low, yes), half(high, no)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(createSampler('traceidratio', 0.5)(low, yes)).toBe(false);
  expect(createSampler('traceidratio', 0)(high, yes)).toBe(false);
  expect(createSampler('traceidratio', 1)(low, no)).toBe(true);
  expect(createSampler('always_on', 0)(low, no)).toBe(true);
  expect(createSampler('parentbased_always_off', 1)(high, undefined)).toBe(false);
});

test.each([
  ['select id from merchants where id = $1 for update', 'select merchants', false],
  ['with due as (select id from emails for no key update) update emails set x = 1', 'update emails', true],
  [`insert into events (id) values ('secret') on conflict (id) do update set x = 1`, 'insert events', true],
  [
    'with a as (insert into keys select 1) insert into payment_intents select 1',
    'insert payment_intents',
    true,
  ],
  ['delete from portal_sessions', 'delete portal_sessions', true],
  [`select pg_notify('a', 'secret')`, 'statement', false],
])('%s is called %s', (text, name, isWrite) => {
  expect(summaryOf(text)).toEqual({ name, isWrite });
});
