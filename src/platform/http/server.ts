import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { isBusy, isOfClosedMerchant, isUnavailable, newAddressOf } from '../db/database-errors.ts';
import { realNow } from '../lib/clock.ts';
import {
  AppError,
  badField,
  type ErrorCode,
  merchantMoved,
  merchantMoving,
  statusOf,
} from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { JsonError, parseJson } from '../lib/json.ts';
import { countWaits } from './count-waits.ts';
import { rememberConnections } from './drain-server.ts';
import { warnOfUntrustedProxy } from './forwarded.ts';
import { hasTooManyParameters, MAX_PARAMETERS, parseQuery } from './query.ts';
import { setLimitHeaders } from './rate-limit-headers.ts';
import type { App } from './route.ts';
import { repeatedHeader } from './single-headers.ts';
import { callerTrace, readTraceparent } from './traceparent.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused or failed. */
    refusal: AppError | undefined;
  }
}

export interface ServerOptions {
  log: Logger;
  /** Proxies whose X-Forwarded-For is trusted: none, all, or those at these addresses. */
  trustProxy: boolean | string[];
  /** Only reachable by https: browsers learn never to try http. */
  isSecure: boolean;
}

const BODY_LIMIT_BYTES = 64 * 1024;
/** How long a request may take to arrive. One that drips in byte by byte would hold a socket permanently. */
const RECEIVE_TIMEOUT_MS = 60_000;

/** A year. Without subdomains: those may be someone else's, without https. */
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' };

const TOO_MANY = `must have at most ${MAX_PARAMETERS} parameters`;

/** Fastify with our manners: lossless JSON in, the error envelope for everything that goes wrong. */
export function createServer({ log, trustProxy, isSecure }: ServerOptions): App {
  const security = isSecure ? HSTS : {};
  const app = Fastify({
    loggerInstance: log,
    // Requests are logged by observe.ts.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: RECEIVE_TIMEOUT_MS,
    trustProxy,
    genReqId: () => newId(realNow()),
    routerOptions: { querystringParser: parseQuery, maxParamLength: 512, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerNonsense(security),
    frameworkErrors: (error, request, reply) => {
      reply.headers(security);
      answerError(error, request, reply as unknown as FastifyReply);
    },
  }) as unknown as App;
  // A logger of its own for each request would cost more than it is worth.
  app.log.child = () => app.log;
  app.decorate('routeDescriptions', []);
  app.decorateRequest('refusal', undefined);
  countWaits(app);
  rememberConnections(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, readBody(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser(UPLOADED, { parseAs: 'buffer' }, (request, body, done) => {
    const isTaken = request.routeOptions.config?.uploadTypes?.includes(typeOf(request)) ?? false;
    done(isTaken && isPlain(request) ? null : unsupported(request), body);
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const trace = readTraceparent(request);
    if (trace) reply.header('traceparent', trace.text);
    reply.header('cache-control', 'no-store');
    if (isSecure) reply.headers(security);
    const repeated = repeatedHeader(request.raw.rawHeaders);
    if (repeated) return done(badField(repeated, 'must be sent once'));
    done(hasTooManyParameters(request.query) ? badField('query', TOO_MANY) : undefined);
  });
  warnOfUntrustedProxy(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => answerError(new AppError('NOT_FOUND'), request, reply));
  return app;
}

/** Every path answers 405 to the methods it does not have; call it after the last route. */
export function refuseOtherMethods(app: App): void {
  const methodsByUrl = new Map<string, Set<string>>();
  for (const { method, path } of app.routeDescriptions) {
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    if (!methodsByUrl.has(url)) methodsByUrl.set(url, new Set());
    methodsByUrl.get(url)!.add(method);
    if (method === 'GET') methodsByUrl.get(url)!.add('HEAD');
  }
  for (const [url, taken] of methodsByUrl) {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (method) => !taken.has(method),
    );
    app.route({
      method: others,
      url,
      // Before the body is looked at: the method is wrong whatever the body is.
      onRequest: (request, reply) => {
        if (Object.values(request.params as object).includes('')) throw new AppError('NOT_FOUND');
        reply.header('Allow', [...taken].join(', '));
        throw new AppError('METHOD_NOT_ALLOWED');
      },
      handler: () => undefined,
    });
  }
}

/** Files, for the routes that take them; which types each takes, it says itself. */
const UPLOADED = /^(image\/|application\/octet-stream)/i;

const typeOf = ({ headers }: FastifyRequest) => headers['content-type']!.split(';')[0]!.trim().toLowerCase();

const isPlain = ({ headers }: FastifyRequest) => (headers['content-encoding'] ?? 'identity') === 'identity';

/** Says what to send instead. */
function unsupported(request: FastifyRequest): AppError {
  const uploadTypes = request.routeOptions.config?.uploadTypes;
  if (!isPlain(request))
    return new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without a Content-Encoding.' });
  if (!uploadTypes) return new AppError('UNSUPPORTED_MEDIA_TYPE');
  const types = `${uploadTypes.slice(0, -1).join(', ')} or ${uploadTypes.at(-1)}`;
  return new AppError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the file itself, as ${types}.` });
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  if (!isPlain(request) || request.routeOptions.config?.uploadTypes) throw unsupported(request);
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset && !/^utf-?8$/i.test(charset)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send JSON as UTF-8.' });
  }
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw badField('body', 'is not valid UTF-8');
  try {
    return parseJson(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof JsonError) throw badField('body', error.message);
    throw error;
  }
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = noteError(error, request, reply);
  reply.removeHeader('content-disposition');
  reply
    .code(known.status)
    .header('X-Request-Id', request.id)
    .header('content-type', 'application/json; charset=utf-8')
    .send(envelope(known.code, known.message, request.id));
}

/** Converts an error to one of ours and logs it as needed; for callers that answer in another form. */
export function noteError(error: unknown, request: FastifyRequest, reply: FastifyReply): AppError {
  const known = toAppError(error, request);
  request.refusal = known;
  const named = { traceId: request.id, ...callerTrace(request) };
  if (known.status === 503 && !known.cause && !known.detail) {
    // Said on purpose, such as by a process that stops: nothing has failed.
    request.log.warn({ ...named, code: known.code, message: known.message }, 'request refused');
  } else if (known.status >= 500) {
    request.log.error(
      { ...named, code: known.code, detail: known.detail, err: known.cause ?? error },
      'request failed',
    );
  } else if (known.detail) {
    request.log.info({ ...named, code: known.code, detail: known.detail }, 'request refused');
  }
  // Every 401 says how to authenticate (RFC 9110), the same whatever was wrong.
  if (known.status === 401) reply.header('WWW-Authenticate', 'Bearer realm="florin"');
  if (known.retryAfterSeconds !== undefined) reply.header('Retry-After', String(known.retryAfterSeconds));
  if (known.rateLimit) setLimitHeaders(reply, known.rateLimit);
  return known;
}

function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request);
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new AppError('NOT_FOUND');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupported(request);
  if (isUnavailable(error) || isBusy(error))
    return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
  if (isOfClosedMerchant(error)) return refusalOfClosed(error);
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return badField('request', 'is malformed', { detail: (error as Error).message });
  }
  return new AppError('INTERNAL_ERROR', { cause: error });
}

function refusalOfClosed(error: unknown): AppError {
  const movedTo = newAddressOf(error);
  return movedTo ? merchantMoved(movedTo) : merchantMoving();
}

function tooLarge({ routeOptions }: FastifyRequest): AppError {
  const limitKib = (routeOptions.bodyLimit ?? BODY_LIMIT_BYTES) / 1024;
  return new AppError('PAYLOAD_TOO_LARGE', { message: `The request body is larger than ${limitKib} KiB.` });
}

function envelope(code: ErrorCode, message: string, traceId: string): string {
  return JSON.stringify({ error: { code, message, traceId } });
}

const NONSENSE: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request took too long to arrive',
};

/** Not even HTTP: there is no request to answer, so the envelope is written to the socket by hand. */
function answerNonsense(headers: Record<string, string>) {
  return (error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const traceId = newId(realNow());
    const message = NONSENSE[error.code ?? ''] ?? 'request is not valid HTTP';
    const body = envelope('BAD_REQUEST', message, traceId);
    const lines = Object.entries({
      'Content-Type': 'application/json; charset=utf-8',
      'X-Request-Id': traceId,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${statusOf('BAD_REQUEST')} Bad Request\r\n${lines.join('')}\r\n${body}`);
  };
}
