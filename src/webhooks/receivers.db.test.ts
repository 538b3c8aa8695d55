import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../../test/support/clean-up.ts';
import { selfSigned } from '../../test/support/self-signed.ts';
import { type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import {
  emitEvents,
  eventually,
  type Receiver,
  setUrl,
  startReceiver,
  startWorker,
} from '../../test/support/webhooks.ts';
import { retryDelayMs } from './retry.ts';

/** Every kind of bad receiver at once, beside a good one: what the log says of each, and what follows. */
const HOUR_MS = 3_600_000;
/** The worker's time stands still, so that the next attempt is known to the millisecond. */
const NOW = new Date('2026-02-01T00:00:00.000Z');

let patient: TestService;
/** Gives up early, for those that would never answer anyway. */
let hasty: TestService;
let canary: Receiver;
let plain: Receiver;

beforeAll(async () => {
  [patient, hasty] = [await testService(), await testService()];
  [canary, plain] = [await startReceiver(), await startReceiver()];
  startWorker(patient, { now: () => NOW });
  startWorker(hasty, { now: () => NOW, timeoutMs: 400 });
});

const answering = async (answer: (response: ServerResponse) => unknown) => (await startReceiver(answer)).url;
const status = (code: number, headers: Record<string, string> = {}) =>
  answering((response) => response.writeHead(code, headers).end('no'));

async function onSocket(handle: (socket: Socket) => unknown): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    handle(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function untrusted(): Promise<string> {
  const server = createTlsServer(selfSigned, (_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 5);
  response.on('close', () => clearInterval(timer));
}

const flood = (response: ServerResponse) => {
  const more = () => {
    while (response.write('x'.repeat(16_384)));
  };
  response.on('drain', more);
  more();
};

const inAnHour = (ms = 0) => new Date(NOW.getTime() + HOUR_MS + ms);
const httpDate = (ms: number) => new Date(Date.now() + ms).toUTCString();

interface Seen {
  status: string;
  httpStatus: number | null;
  error: string | null | RegExp;
  /** Default for what is retried: the ordinary time. */
  nextAttemptAt?: Date;
}

const timedOut = { status: 'retrying', httpStatus: null, error: 'timed out after 0.4 s' };
const closed = { status: 'retrying', httpStatus: null, error: /^the connection was closed/ };
const accepted = { status: 'succeeded', httpStatus: 200, error: null };
const refused = (code: number): Seen => ({ status: 'retrying', httpStatus: code, error: `HTTP ${code}` });

const RECEIVERS: [string, () => Promise<string>, Seen][] = [
  ['hangs', () => answering(() => {}), timedOut],
  ['takes the connection and says nothing', () => onSocket(() => {}), timedOut],
  [
    'trickles headers',
    () =>
      onSocket((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('X-A: b\r\n'), 5);
        socket.on('close', () => clearInterval(timer));
      }),
    timedOut,
  ],
  [
    'gives early hints forever',
    () =>
      onSocket((socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
        socket.on('close', () => clearInterval(timer));
      }),
    timedOut,
  ],
  [
    'says “continue” to who did not ask',
    () => onSocket((socket) => socket.once('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\n'))),
    closed,
  ],
  ['accepts and trickles its body', () => answering((response) => drip(response.writeHead(200))), accepted],
  ['accepts and floods', () => answering((response) => flood(response.writeHead(200))), accepted],
  ['refuses and floods', () => answering((response) => flood(response.writeHead(500))), refused(500)],
  [
    'redirects',
    () => status(307, { location: canary.url }),
    { status: 'retrying', httpStatus: 307, error: 'HTTP 307: redirects are not followed' },
  ],
  [
    'redirects to a metadata service',
    () => status(302, { location: 'http://169.254.169.254/latest/' }),
    { status: 'retrying', httpStatus: 302, error: 'HTTP 302: redirects are not followed' },
  ],
  ['resets', () => onSocket((socket) => socket.once('data', () => socket.resetAndDestroy())), closed],
  [
    'wants to change the protocol',
    () =>
      onSocket((socket) =>
        socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n')),
      ),
    { status: 'retrying', httpStatus: null, error: /./ },
  ],
  ['answers 400', () => status(400), refused(400)],
  ['answers 404', () => status(404), refused(404)],
  ['answers 500', () => status(500), refused(500)],
  ['answers 999', () => status(999), refused(999)],
  ['answers 410', () => status(410), { status: 'failed', httpStatus: 410, error: /gone permanently/ }],
  [
    'asks for 120 seconds',
    () => status(503, { 'retry-after': '120' }),
    { ...refused(503), nextAttemptAt: new Date(NOW.getTime() + 120_000) },
  ],
  [
    'asks for a day',
    () => status(429, { 'retry-after': '86400' }),
    { ...refused(429), nextAttemptAt: inAnHour() },
  ],
  [
    'asks for more seconds than there are',
    () => status(429, { 'retry-after': '9'.repeat(20) }),
    { ...refused(429), nextAttemptAt: inAnHour() },
  ],
  [
    'asks for the day after tomorrow',
    () => status(503, { 'retry-after': httpDate(48 * HOUR_MS) }),
    { ...refused(503), nextAttemptAt: inAnHour() },
  ],
  ['asks for the past', () => status(503, { 'retry-after': httpDate(-HOUR_MS) }), refused(503)],
  ['asks for nonsense', () => status(503, { 'retry-after': 'soon' }), refused(503)],
  [
    'has a certificate nobody vouches for',
    untrusted,
    { status: 'retrying', httpStatus: null, error: /^TLS: / },
  ],
  [
    'speaks no TLS',
    async () => plain.url.replace('http:', 'https:'),
    {
      status: 'retrying',
      httpStatus: null,
      error: /^TLS: /,
    },
  ],
];

async function firstResult(shop: TestMerchant) {
  return eventually(async () => {
    const { body } = await shop.call('GET', '/api/v2/webhook-deliveries');
    return body.data[0]?.attempts.length > 0 && body.data[0];
  });
}

test.each(RECEIVERS)('one that %s', async (_, start, { nextAttemptAt, ...seen }) => {
  const service = seen.error === timedOut.error ? hasty : patient;
  const shop = await service.createMerchant();
  await setUrl(service.db, shop.id, await start());
  await emitEvents(service.db, shop.id);
  const delivery = await firstResult(shop);
  const error = seen.error instanceof RegExp ? expect.stringMatching(seen.error) : seen.error;
  const ordinary = new Date(NOW.getTime() + retryDelayMs(delivery.id, 2, null));
  expect(delivery).toMatchObject({
    ...seen,
    error,
    nextAttemptAt: seen.status === 'retrying' ? (nextAttemptAt ?? ordinary).toISOString() : null,
    attempts: [{ number: 1, httpStatus: seen.httpStatus }],
  });
  expect((delivery.responseBody ?? '').length).toBeLessThanOrEqual(2_048);
});

test('one that asks for a moment within the hour is left alone until then', async () => {
  const shop = await patient.createMerchant();
  await setUrl(patient.db, shop.id, await status(503, { 'retry-after': httpDate(HOUR_MS / 2) }));
  await emitEvents(patient.db, shop.id);
  const { nextAttemptAt } = await firstResult(shop);
  const waitMs = Date.parse(nextAttemptAt) - NOW.getTime();
  // A date has whole seconds, and the asking and the reading take their time.
  expect(waitMs).toBeLessThanOrEqual(HOUR_MS / 2);
  expect(waitMs).toBeGreaterThan(HOUR_MS / 4);
});

test('nobody was led to the canary, and a good receiver got all of its own beside them', async () => {
  const shop = await patient.createMerchant();
  const receiver = await startReceiver();
  await setUrl(patient.db, shop.id, receiver.url);
  await emitEvents(patient.db, shop.id, [randomUUID(), randomUUID(), randomUUID()]);
  await eventually(() => receiver.received.length === 3);
  expect([canary.connections(), plain.received.length]).toEqual([0, 0]);
});
