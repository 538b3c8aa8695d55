import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { untilBlocked } from '../../../test/support/database.ts';
import { type TestService, testService } from '../../../test/support/service.ts';

/** A page that listens; the answer ends it. */
async function listen({ url }: TestService, path: string, address: string) {
  const controller = new AbortController();
  cleanUp(async () => controller.abort());
  const answer = await fetch(url + path, {
    headers: { accept: 'text/event-stream', 'x-forwarded-for': address },
    signal: controller.signal,
  });
  return { answer, close: () => controller.abort() };
}

async function newPage(env: Record<string, string>) {
  const service = await testService({ TRUST_PROXY: 'true', ...env });
  const shop = await service.createMerchant();
  const { body } = await shop.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'a' });
  return { service, path: `/intents/${body.id}/live` };
}

test('429 with every header for one stream too many of an address; others, and who closes one, are served', async () => {
  const { service, path } = await newPage({ LIVE_STREAMS_PER_ADDRESS: '3' });
  const open = [];
  for (let i = 0; i < 3; i++) open.push(await listen(service, path, '192.0.2.1'));
  expect(open.map(({ answer }) => answer.status)).toEqual([200, 200, 200]);
  const { answer } = await listen(service, path, '192.0.2.1');
  expect(answer.status).toBe(429);
  expect(answer.headers.get('ratelimit-limit')).toBe('3');
  expect(answer.headers.get('ratelimit-remaining')).toBe('0');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.headers.get('ratelimit-reset')).toBe(answer.headers.get('retry-after'));
  expect((await listen(service, path, '192.0.2.2')).answer.status).toBe(200);
  // A client that is refused a stream can still poll.
  const asked = await fetch(service.url + path, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  expect([asked.status, Object.keys((await asked.json()) as object)]).toEqual([200, ['version']]);
  open[0]!.close();
  let status = 429;
  while (status === 429) status = (await listen(service, path, '192.0.2.1')).answer.status;
  expect(status).toBe(200);
});

test('an IPv6 network counts as one address, and terminals count with intents', async () => {
  const { service, path } = await newPage({ LIVE_STREAMS_PER_ADDRESS: '2' });
  const shop = await service.createMerchant('Other');
  const { body: terminal } = await shop.call('POST', '/api/b2b/merchants/terminals', {});
  expect((await listen(service, path, '2001:db8::1')).answer.status).toBe(200);
  expect((await listen(service, `/terminals/${terminal.id}/live`, '2001:db8::2')).answer.status).toBe(200);
  expect((await listen(service, path, '2001:db8::3')).answer.status).toBe(429);
});

test('a stream carries the headers that every answer has', async () => {
  const { service, path } = await newPage({ PUBLIC_URL: 'https://pay.example.com' });
  const { answer } = await listen(service, path, '192.0.2.1');
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
});

test('in the sandbox streams are not limited by default', async () => {
  const { service, path } = await newPage({});
  const all = await Promise.all(Array.from({ length: 250 }, () => listen(service, path, '192.0.2.1')));
  expect(all.every(({ answer }) => answer.status === 200)).toBe(true);
});

test('a page that went away while it was looked up holds no stream', async () => {
  const { service, path } = await newPage({ LIVE_STREAMS_PER_ADDRESS: '1' });
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      service.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const before = await connections();
  const gone = connect(Number(new URL(service.url).port), '127.0.0.1');
  await service.db.transaction(async (tx) => {
    await tx.query('lock table payment_intents in access exclusive mode');
    gone.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n`,
    );
    await untilBlocked(service.db, new Promise(() => {}));
    gone.destroy();
    while ((await connections()) > before) await setImmediate();
  });
  // Requests that waited for the lock are answered before new ones.
  expect((await fetch(service.url + path)).status).toBe(200);
  expect((await listen(service, path, '192.0.2.1')).answer.status).toBe(200);
});
