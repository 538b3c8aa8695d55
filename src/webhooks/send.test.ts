import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { selfSigned } from '../../test/support/self-signed.ts';
import { eventually, startReceiver } from '../../test/support/webhooks.ts';
import { createSender } from './send.ts';

const sender = createSender({ allowPrivate: true });
/** Gives up early; how early makes no difference to what it says. */
const hasty = createSender({ allowPrivate: true }, 150);
afterAll(() => Promise.all([sender.close(), hasty.close()]));

const post = (url: string, by = sender) =>
  by.post({ url, headers: ['content-type', 'application/json'], body: Buffer.from('{"a":1}') });

/** A server below HTTP. */
async function startSocketServer(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.each([200, 201, 202, 204, 299])('%i is accepted', async (status) => {
  const receiver = await startReceiver((response) => response.writeHead(status).end());
  expect(await post(`${receiver.url}/hook?a=1#x`)).toMatchObject({ httpStatus: status, error: null });
  expect(receiver.received).toMatchObject([{ path: '/hook?a=1', body: '{"a":1}' }]);
});

test.each([400, 401, 404, 409, 410, 422, 429, 500, 502, 503, 599])(
  '%i is not, and its answer is kept',
  async (status) => {
    const receiver = await startReceiver((response) =>
      response.writeHead(status, { 'retry-after': '7' }).end('no'),
    );
    expect(await post(receiver.url)).toMatchObject({
      httpStatus: status,
      error: `HTTP ${status}`,
      responseBody: 'no',
      retryAfter: '7',
    });
  },
);

test.each([301, 302, 303, 307, 308])('%i: the redirect is not followed', async (status) => {
  const canary = await startReceiver();
  const receiver = await startReceiver((response) =>
    response.writeHead(status, { location: canary.url }).end(),
  );
  expect((await post(receiver.url)).error).toBe(`HTTP ${status}: redirects are not followed`);
  expect([receiver.received.length, canary.connections()]).toEqual([1, 0]);
});

test('a receiver that hangs fails, and its connection is closed', async () => {
  let isClosed = false;
  const receiver = await startReceiver((response) => {
    response.on('close', () => {
      isClosed = true;
    });
  });
  expect(await post(receiver.url, hasty)).toMatchObject({
    httpStatus: null,
    error: 'timed out after 0.15 s',
    responseBody: null,
  });
  await eventually(() => isClosed);
  expect(receiver.received).toHaveLength(1);
});

test('a receiver that accepts the connection and says nothing fails', async () => {
  const url = await startSocketServer(() => {});
  expect((await post(url, hasty)).error).toBe('timed out after 0.15 s');
});

test('a receiver that trickles headers forever fails', async () => {
  const url = await startSocketServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 5);
    socket.on('close', () => clearInterval(drip));
  });
  expect((await post(url, hasty)).error).toBe('timed out after 0.15 s');
});

test('one that has said 2xx has accepted, even if its body trickles forever or breaks off', async () => {
  const trickling = await startReceiver((response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'), 5);
    response.on('close', () => clearInterval(drip));
  });
  expect(await post(trickling.url, hasty)).toMatchObject({ httpStatus: 200, error: null });
  const breaking = await startReceiver((response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half', () => response.destroy());
  });
  expect(await post(breaking.url)).toMatchObject({ httpStatus: 200, error: null });
  const failing = await startReceiver((response) => {
    response.writeHead(500, { 'content-length': 100 });
    response.write('half', () => response.destroy());
  });
  expect(await post(failing.url)).toMatchObject({ httpStatus: 500, error: 'HTTP 500', responseBody: 'half' });
});

test('of a huge body 64 KiB are read and 2 KiB kept', async () => {
  let isClosed = false;
  const receiver = await startReceiver((response) => {
    response.writeHead(200);
    const more = () => {
      while (response.write('é'.repeat(8_192)));
    };
    response.on('drain', more).on('close', () => {
      isClosed = true;
    });
    more();
  });
  const { httpStatus, error, responseBody } = await post(receiver.url);
  expect([httpStatus, error, responseBody]).toEqual([200, null, 'é'.repeat(1_024)]);
  await eventually(() => isClosed);
});

test('what is kept is text the database can hold, and shows no secret', async () => {
  const bytes = Buffer.from([0x61, 0x00, 0xff, 0xfe, 0x62]);
  const odd = await startReceiver((response) => response.end(bytes));
  expect((await post(odd.url)).responseBody).toBe('a\ufffd\ufffd\ufffdb');
  const cut = await startReceiver((response) => response.end(`x${'é'.repeat(3_000)}`));
  expect((await post(cut.url)).responseBody).toBe(`x${'é'.repeat(1_023)}`);
  const leaking = await startReceiver((response) => response.end('key=fl_live_abc whsec_def'));
  expect((await post(leaking.url)).responseBody).toBe('key=[redacted] [redacted]');
});

test.each([
  ['closes at once', (socket: Socket) => socket.destroy(), /^the connection was closed/],
  ['resets', (socket: Socket) => socket.resetAndDestroy(), /^the connection was closed/],
  [
    'resets after reading',
    (socket: Socket) => socket.once('data', () => socket.resetAndDestroy()),
    /^the connection was closed/,
  ],
  [
    'is no HTTP',
    (socket: Socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')),
    /^the answer is not HTTP$/,
  ],
  [
    'has endless headers',
    (socket: Socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(70_000)}\r\n`)),
    /headers of the answer are too large/,
  ],
])('one that %s', async (_, onSocket, error) => {
  const result = await post(await startSocketServer(onSocket));
  expect(result.httpStatus).toBeNull();
  expect(result.error).toMatch(error);
});

test('nobody listens; the name does not exist', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  expect((await post(`http://127.0.0.1:${port}/`)).error).toBe('the connection was refused');
  expect((await post('http://does-not-exist.invalid/')).error).toBe('the host name cannot be resolved');
});

test('a certificate nobody vouches for, and plain HTTP where TLS is spoken', async () => {
  let requests = 0;
  const server = createTlsServer(selfSigned, (_request, response) => {
    requests++;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  const { port } = server.address() as AddressInfo;
  for (const host of ['127.0.0.1', 'localhost'])
    expect((await post(`https://${host}:${port}/`)).error).toMatch(/^TLS: .*self.signed certificate/);
  expect((await post(`http://127.0.0.1:${port}/`)).httpStatus).not.toBe(200);
  const receiver = await startReceiver();
  expect((await post(receiver.url.replace('http:', 'https:'))).error).toMatch(/^TLS: /);
  expect([requests, receiver.received.length]).toEqual([0, 0]);
});

test('a connection is used again, and one that the other side closed meanwhile does no harm', async () => {
  const receiver = await startReceiver((response, _, count) => {
    if (count % 3 === 0) response.setHeader('connection', 'close');
    response.end('ok');
  });
  for (let i = 0; i < 9; i++) expect((await post(receiver.url)).error).toBeNull();
  expect(receiver.connections()).toBeLessThan(9);
});
