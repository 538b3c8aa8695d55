import type { ErrorCode } from './generated/types.ts';
import { traceIdOf } from './last-response.ts';

/** Codes for errors of the client itself, before or instead of an answer of the service. */
export type ClientErrorCode = 'CONNECTION_FAILED' | 'TIMEOUT' | 'INVALID_ANSWER' | 'INVALID_SIGNATURE';

export interface ErrorDetails {
  status?: number | undefined;
  traceId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** Everything the client throws, apart from your own signal's reason and a TypeError or RangeError for a wrong argument. */
export class FlorinError extends Error {
  /** Decide by this. A newer service may know codes that this client does not. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** HTTP status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** Quote it when you ask about an error: it is in the service's log. */
  readonly traceId: string | undefined;
  /** How long the service asks to wait before the next try. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: FlorinError['code'], message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'FlorinError';
    this.code = code;
    this.status = details.status;
    this.traceId = details.traceId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** No answer came: the service could not be reached, or the connection broke. What was asked may have happened. */
export class FlorinConnectionError extends FlorinError {
  constructor(code: FlorinError['code'], message: string, details?: ErrorDetails) {
    super(code, message, details);
    this.name = 'FlorinConnectionError';
  }
}

/** No answer came in time. What was asked may have happened. */
export class FlorinTimeoutError extends FlorinConnectionError {
  constructor(message: string, details?: ErrorDetails) {
    super('TIMEOUT', message, details);
    this.name = 'FlorinTimeoutError';
  }
}

/** 400: the message names the field that is to blame. */
export class FlorinBadRequestError extends FlorinError {
  override name = 'FlorinBadRequestError';
}

/** 401: the key is missing, wrong, expired or revoked; in the portal, the visit is over. */
export class FlorinAuthenticationError extends FlorinError {
  override name = 'FlorinAuthenticationError';
}

/** 403: the key lacks a scope, or a limit does not allow it. */
export class FlorinPermissionError extends FlorinError {
  override name = 'FlorinPermissionError';
}

/** 404: nothing with this id, or nothing of yours. */
export class FlorinNotFoundError extends FlorinError {
  override name = 'FlorinNotFoundError';
}

/** 409: not possible in the present state; `code` says why. */
export class FlorinConflictError extends FlorinError {
  override name = 'FlorinConflictError';
}

/** 429: `retryAfterSeconds` says when to come back. */
export class FlorinRateLimitError extends FlorinError {
  override name = 'FlorinRateLimitError';
}

/** 5xx: the service failed, and still did after the retries. */
export class FlorinServerError extends FlorinError {
  override name = 'FlorinServerError';
}

export type SignatureProblem =
  | 'missing_header'
  | 'malformed_header'
  | 'payload_not_raw'
  | 'no_match'
  | 'too_old'
  | 'in_the_future'
  | 'not_an_event';

/** A webhook that must not be believed; `reason` says why. */
export class FlorinSignatureError extends FlorinError {
  override name = 'FlorinSignatureError';
  readonly reason: SignatureProblem;

  constructor(reason: SignatureProblem, message: string, cause?: unknown) {
    super('INVALID_SIGNATURE', message, { cause });
    this.reason = reason;
  }
}

const byStatus: Record<number, typeof FlorinError> = {
  400: FlorinBadRequestError,
  401: FlorinAuthenticationError,
  403: FlorinPermissionError,
  404: FlorinNotFoundError,
  409: FlorinConflictError,
  429: FlorinRateLimitError,
};

/** The error for an answer: from its envelope where it has one, from its status where a proxy wrote it. */
export function errorOf(answer: Response, body: unknown): FlorinError {
  const { status, headers } = answer;
  const envelope = (body as { error?: { code?: unknown; message?: unknown; traceId?: unknown } } | null)
    ?.error;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const code = text(envelope?.code) ?? `HTTP_${status}`;
  const message =
    text(envelope?.message) ?? redirectText(answer) ?? `The answer was ${status}, and not the service's own.`;
  const details = {
    status,
    traceId: text(envelope?.traceId) ?? traceIdOf(headers),
    retryAfterSeconds: retryAfterSeconds(headers.get('retry-after')),
  };
  const Kind = byStatus[status] ?? (status >= 500 ? FlorinServerError : FlorinError);
  return new Kind(code, message, details);
}

/** A browser does not tell where a redirect leads. */
function redirectText({ type, headers }: Response): string | undefined {
  const target = headers.get('location') ?? (type === 'opaqueredirect' ? 'another address' : undefined);
  return target && `The service redirects to ${target}: is the base URL right?`;
}

/** `Retry-After` is a number of seconds or a date. */
export function retryAfterSeconds(header: string | null, nowMs: number = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
