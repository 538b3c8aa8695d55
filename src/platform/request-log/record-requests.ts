import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/database.ts';
import type { App } from '../http/route.ts';
import { readTraceparent } from '../http/traceparent.ts';
import { realNow } from '../lib/clock.ts';
import { isUuid } from '../lib/ids.ts';
import type { Logger } from '../lib/log.ts';
import { redact } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type LoggedRequest, requestLogs } from './logged-request.ts';
import { maskBody } from './mask-body.ts';
import { maskPath } from './mask-path.ts';

export interface RecordParts {
  db: Database;
  log: Logger;
  metrics: Metrics;
  /** 0: nothing is recorded. */
  keepDays: number;
}

const EVERY_MS = 1_000;
/** Requests waiting to be written. More would take time from requests: they are dropped, and counted. */
const MAX_WAITING = 5_000;
/** Successful reads of a merchant kept per second: more would tell nobody anything, and take time from requests. */
const MAX_READS = 100;
/** Written in one statement. More would hold up requests while it is put together. */
const MAX_TOGETHER = 500;
/** Look-ups of keys that were sent to paths that do not exist. */
const MAX_ASKING = 20;
const DROPPED = 'florin_request_log_dropped_total';
const DROPPED_HELP =
  'Requests that are missing in the request log, because there were too many or the database did not take them.';

/** Keeps what API keys ask and get, written once a second, many in one statement: no request waits for it. */
export function recordRequests(app: App, { db, log, metrics, keepDays }: RecordParts): void {
  metrics.count(DROPPED, DROPPED_HELP, 0);
  if (keepDays === 0) return;
  const waiting: LoggedRequest[] = [];
  const reads = new Map<string, number>();
  let isWriting = false;
  let asking = 0;
  function keep(request: FastifyRequest, reply: FastifyReply, principal: Principal): void {
    // Requests of the dashboard are nobody's integration.
    if (principal.member) return;
    const hasRoom = waiting.length < MAX_WAITING && (isTelling(request, reply) || takesRead(principal));
    if (hasRoom) waiting.push(entryOf(request, reply, principal));
    else metrics.count(DROPPED, DROPPED_HELP);
  }
  function takesRead({ merchantId }: Principal): boolean {
    const before = reads.get(merchantId) ?? 0;
    reads.set(merchantId, before + 1);
    return before < MAX_READS;
  }
  /** A path or method that does not exist has no route to look at the key, so that is done here, after the answer. */
  async function keepUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    asking++;
    try {
      const principal = await app.authenticator.authenticate(request.headers.authorization);
      if (principal.allowedAddresses?.allows(request.ip) !== false) keep(request, reply, principal);
    } catch {
      // Nobody's key, or the database does not say whose.
    }
    asking--;
  }
  app.addHook('onResponse', (request, reply, done) => {
    if (request.principal) keep(request, reply, request.principal);
    else if (isUnrouted(request, reply) && asking < MAX_ASKING) void keepUnrouted(request, reply);
    done();
  });
  async function write(): Promise<void> {
    reads.clear();
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_TOGETHER);
      await requestLogs.insert(db, batch, 'on conflict do nothing').catch((error: unknown) => {
        metrics.count(DROPPED, DROPPED_HELP, batch.length);
        log.warn({ err: error, requests: batch.length }, 'requests could not be recorded');
      });
    }
    isWriting = false;
  }
  const timer = setInterval(write, EVERY_MS);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await write();
  });
}

/** It changed something, or failed. */
function isTelling({ method }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return method !== 'GET' || statusCode >= 400;
}

function isUnrouted({ url, headers }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return (
    (statusCode === 404 || statusCode === 405) &&
    headers.authorization !== undefined &&
    url.startsWith('/api/')
  );
}

function entryOf(request: FastifyRequest, reply: FastifyReply, principal: Principal): LoggedRequest {
  const { refusal } = request;
  const { statusCode: status, elapsedTime } = reply;
  const key = request.headers['idempotency-key'];
  return {
    id: request.id,
    merchantId: principal.merchantId,
    keyId: principal.callerId,
    method: request.method,
    path: maskPath(request.url.split('?')[0]!, request.routeOptions.url).slice(0, 500),
    status,
    durationMs: Math.round(elapsedTime),
    errorCode: refusal?.code ?? null,
    errorMessage: clean(refusal && withoutValues(refusal.message), 500),
    callerTraceId: readTraceparent(request)?.traceId ?? null,
    idempotencyKey: clean(typeof key === 'string' ? key : undefined, 255),
    requestBody: status >= 400 ? maskBody(request.body) : null,
    createdAt: realNow(),
  };
}

/** Without what was written into the request: texts that are quoted, and the names people gave to metadata. */
function withoutValues(message: string): string {
  return message
    .replaceAll(/"[^"]*"|“[^”]*”/g, '"…"')
    .replaceAll(/\bmetadata(\.[^\s:]+|\[[^\]]*\])/g, 'metadata.…');
}

/** No secrets, no e-mail addresses, and nothing that PostgreSQL would refuse. */
function clean(text: string | undefined, longest: number): string | null {
  if (text === undefined) return null;
  // Most keys are UUIDs. Looking for an address in a long text that has none takes quadratic time.
  if (isUuid(text)) return text;
  return (text.includes('@') ? redact(text).replaceAll(/[^\s@/"]+@[^\s@/"]+/g, '[redacted]') : redact(text))
    .replaceAll('\0', '')
    .slice(0, longest)
    .toWellFormed();
}
