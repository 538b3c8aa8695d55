import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createLog } from '../lib/log.ts';
import { announceClose, drainServer } from './drain-server.ts';
import { createServer } from './server.ts';

/** A server with one page, which is answered when the test says so. */
async function newServer() {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const app = createServer({ log: createLog('fatal', () => {}), trustProxy: false, isSecure: false });
  app.get('/slow', async () => {
    asked.resolve();
    await answered.promise;
    return { isDone: true };
  });
  app.get('/quick', async () => ({ isDone: true }));
  app.get('/endless', (_, reply) => {
    reply.hijack();
    reply.raw.write('more and more');
    asked.resolve();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, port, isAsked: asked.promise, answer: () => answered.resolve() };
}

/** A client that sends these bytes and no more; `said` is all that it gets until the connection is closed. */
async function open(port: number, bytes: string): Promise<{ socket: Socket; said: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const said = once(socket, 'close').then(() => text);
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return { socket, said };
}

test('a connection on which nothing was asked, as browsers open them ahead, does not keep a server from closing', async () => {
  const { app, port } = await newServer();
  const { said } = await open(port, '');
  await drainServer(app);
  // Nothing: had the server waited until it lost patience, it would have said 408.
  expect(await said).toBe('');
});

test('what is under way when the server closes is answered, and its connection closed although it is kept alive', async () => {
  const { app, port, isAsked, answer } = await newServer();
  const { said } = await open(port, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await isAsked;
  const closed = drainServer(app);
  answer();
  await closed;
  expect(await said).toMatch(/^HTTP\/1\.1 200 .*\{"isDone":true\}$/s);
});

test('who never asks to the end, and who never stops listening, is cut off after a while', async () => {
  const { app, port, isAsked } = await newServer();
  const half = await open(port, 'GET /slow HTTP/1.1\r\nHost:');
  const endless = await open(port, 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
  await isAsked;
  await drainServer(app, 0);
  expect(await half.said).toBe('');
  expect(await endless.said).toContain('more and more');
});

test('a client that sends request after request on an open connection learns before it is closed, and loses none', async () => {
  const { app, port } = await newServer();
  const agent = new Agent({ keepAlive: true });
  let isAnnounced = false;
  const ask = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = get({ port, host: '127.0.0.1', path: '/quick', agent }, (response) =>
        response.resume().once('end', () => resolve(response)),
      );
      request.once('error', reject);
    });
  const beClient = async () => {
    for (let count = 0; ; count++) {
      const { statusCode, headers } = await ask();
      expect(statusCode).toBe(200);
      if (headers.connection === 'close') return;
      if (count < 20 || isAnnounced) continue;
      isAnnounced = true;
      announceClose(app);
    }
  };
  await Promise.all(Array.from({ length: 16 }, beClient));
  await drainServer(app);
  expect(isAnnounced).toBe(true);
});
