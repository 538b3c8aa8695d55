import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/platform/db/database.ts';
import { appendEvents } from '../../src/platform/events/append-events.ts';
import { realNow } from '../../src/platform/lib/clock.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import type { SecretBox } from '../../src/platform/lib/secret-box.ts';
import { dispatchEvents } from '../../src/webhooks/dispatch-events.ts';
import { createSender } from '../../src/webhooks/send.ts';
import { WebhookWorker, type WorkerParts } from '../../src/webhooks/worker.ts';
import { cleanUp } from './clean-up.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Returns the number of connections that were opened. */
  connections(): number;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, received: Received, count: number) => unknown;

const ok: Answer = (response) => response.end('ok');

/** A merchant's endpoint: a real HTTP server that keeps what it gets and answers as told. */
export async function startReceiver(answer: Answer = ok, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  const listen: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const one = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      answer(response, one, received.length);
    });
  };
  const server = createServer(listen).on('connection', () => connections++);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  cleanUp(close);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received, connections: () => connections, close };
}

/** Writes events as an operation would, one per ordering key given, and answers their ids in order. */
export async function emitEvents(
  db: Database,
  merchantId: string,
  orderingKeys: readonly string[] = [randomUUID()],
): Promise<string[]> {
  const sequences = new Map<string, number>();
  const events = orderingKeys.map((orderingKey) => ({
    merchantId,
    event: 'payment_intent.succeeded',
    objectType: 'test',
    objectId: randomUUID(),
    sequence: 1,
    status: 'succeeded',
    previousStatus: null,
    orderingKey,
    data: {
      orderingKey,
      place: sequences.set(orderingKey, (sequences.get(orderingKey) ?? 0) + 1).get(orderingKey),
      amountCents: 2n ** 63n - 1n,
    },
  }));
  const objectIds = events.map((event) => event.objectId);
  await db.transaction((tx) => appendEvents(tx, events, realNow()));
  const rows = await db.query<{ id: string }>(
    'select id from events where object_id = any($1::uuid[]) order by ordinal',
    [objectIds],
  );
  return rows.map((row) => row.id);
}

/** Makes deliveries of all events there are, and starts none. */
export async function dispatchAll(db: Database, now = realNow()): Promise<void> {
  const rooms = { slots: 0, usual: 0, known: new Map<string, number>() };
  while ((await dispatchEvents(db, rooms, 500, now)).taken > 0);
}

/** Limits that never apply, to send everything that is due. */
export const EVERYTHING = { slots: 1_000, usual: 1_000, known: new Map<string, number>() };

export async function setUrl(db: Database, merchantId: string, url: string | null): Promise<void> {
  await db.query('update merchants set webhook_url = $2 where id = $1', [merchantId, url]);
}

/** A worker on real sockets; loopback is allowed. It is stopped when the test file is done. */
export function startWorker(
  { db, secrets }: { db: Database; secrets: SecretBox },
  parts: Partial<WorkerParts> & { timeoutMs?: number } = {},
): WebhookWorker {
  const sender = createSender({ allowPrivate: true }, parts.timeoutMs);
  const worker = new WebhookWorker({
    db,
    secrets,
    sender,
    log: createLog('silent'),
    metrics: new Metrics(),
    headerName: 'Service',
    userAgent: 'Florin/test',
    publicUrl: () => 'https://pay.example',
    ...parts,
  });
  cleanUp(async () => {
    await worker.stop();
    await sender.close();
  });
  return worker;
}

/** Waits until `check` answers something; the time only ends what hangs. */
export async function eventually<Value>(
  check: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const deadlineMs = performance.now() + 100_000;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadlineMs) throw new Error('it never happened');
    await sleep(5);
  }
}
