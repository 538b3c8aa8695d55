import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.ts';
import type { App } from '../http/route.ts';
import { readTraceparent } from '../http/traceparent.ts';
import { realNow } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { redact } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { LoggedRequest } from './logged-request.ts';
import { maskBody } from './mask-body.ts';
import { insertRequests } from './queries.ts';

export interface RecordParts {
  db: Database;
  log: Logger;
  metrics: Metrics;
  /** 0: nothing is recorded. */
  keepDays: number;
}

const EVERY_MS = 1_000;
/** What waits to be written. More would be kept from requests: it is dropped, and counted. */
const MOST_WAITING = 5_000;
const DROPPED = 'florin_request_log_dropped_total';
const DROPPED_HELP =
  'Requests that are missing in the request log, because there were too many or the database did not take them.';

/** Keeps what API keys ask and get, written once a second in one statement: no request waits for it. */
export function recordRequests(app: App, { db, log, metrics, keepDays }: RecordParts): void {
  metrics.count(DROPPED, DROPPED_HELP, 0);
  if (keepDays === 0) return;
  let waiting: LoggedRequest[] = [];
  let isWriting = false;
  app.addHook('onResponse', (request, reply, done) => {
    const entry = entryOf(request, reply);
    if (entry && waiting.length < MOST_WAITING) waiting.push(entry);
    else if (entry) metrics.count(DROPPED, DROPPED_HELP);
    done();
  });
  async function write(): Promise<void> {
    if (isWriting || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    isWriting = true;
    await insertRequests(db, batch).catch((error: unknown) => {
      metrics.count(DROPPED, DROPPED_HELP, batch.length);
      log.warn({ err: error, requests: batch.length }, 'requests could not be recorded');
    });
    isWriting = false;
  }
  const timer = setInterval(write, EVERY_MS);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await write();
  });
}

/** Only of keys: what the dashboard asks for is nobody's integration. */
function entryOf(request: FastifyRequest, reply: FastifyReply): LoggedRequest | undefined {
  const { principal, refusal } = request;
  if (!principal || principal.member) return undefined;
  const { statusCode: status, elapsedTime } = reply;
  const key = request.headers['idempotency-key'];
  return {
    id: request.id,
    merchantId: principal.merchantId,
    keyId: principal.callerId,
    method: request.method,
    path: clean(request.url.split('?')[0]!, 500)!,
    status,
    durationMs: Math.round(elapsedTime),
    errorCode: refusal?.code ?? null,
    errorMessage: clean(refusal?.message, 500),
    callerTraceId: readTraceparent(request)?.traceId ?? null,
    idempotencyKey: clean(typeof key === 'string' ? key : undefined, 255),
    requestBody: status >= 400 ? maskBody(request.body) : null,
    createdAt: realNow(),
  };
}

/** No secrets, no e-mail addresses, and nothing that PostgreSQL would refuse. */
function clean(text: string | undefined, longest: number): string | null {
  if (text === undefined) return null;
  return redact(text)
    .replaceAll(/[^\s@/"]+@[^\s@/"]+/g, '[redacted]')
    .replaceAll('\0', '')
    .slice(0, longest)
    .toWellFormed();
}
