/**
 * Every error the service can answer with: its status and its default text. The text is what the caller
 * reads; `detail` of an AppError is for the log alone and never leaves the process.
 */
const table = {
  BAD_REQUEST: [400, 'The request is not valid.'],
  UNAUTHORIZED: [401, 'A valid API key is required: send it as "Authorization: Bearer <key>".'],
  SIGN_IN_REQUIRED: [401, 'You are not signed in, or your session has ended. Sign in again.'],
  SIGN_IN_FAILED: [401, 'Wrong e-mail or password.'],
  PORTAL_SESSION_REQUIRED: [401, 'Open the portal with a new link first.'],
  PAIRING_CODE_INVALID: [
    401,
    'This code does not work. A code works once, for 10 minutes; get a new one in the dashboard.',
  ],
  TILL_NOT_PAIRED: [401, 'This till is not paired. Pair it with a code from the dashboard.'],
  INSUFFICIENT_BALANCE: [402, 'The customer’s balance is not enough.'],
  INSUFFICIENT_SCOPE: [403, 'This API key lacks a required scope.'],
  INSUFFICIENT_ROLE: [403, 'Your role does not allow this.'],
  STEP_UP_REQUIRED: [403, 'Confirm your identity with your password or a passkey, then try again.'],
  PASSKEY_REQUIRED: [403, 'Owners of this merchant must use a passkey instead of a password.'],
  MERCHANT_NOT_VERIFIED: [403, 'This merchant is not verified yet.'],
  PROJECT_VOLUME_LIMIT_EXCEEDED: [403, 'This would exceed the project’s monthly volume limit.'],
  FORBIDDEN: [403, 'This is not allowed.'],
  NOT_FOUND: [404, 'Not found. Check the path and the ids in it.'],
  METHOD_NOT_ALLOWED: [405, 'This path does not support that method.'],
  IDEMPOTENCY_CONFLICT: [409, 'This Idempotency-Key was already used with a different request.'],
  IDEMPOTENCY_IN_PROGRESS: [
    409,
    'A request with this Idempotency-Key is still in progress; try again shortly.',
  ],
  ORDER_ALREADY_PAID: [409, 'This order has already been paid.'],
  TERMINAL_BUSY: [409, 'A payment is in progress on this terminal.'],
  TERMINAL_INACTIVE: [409, 'This terminal is not active.'],
  INVALID_STATE: [409, 'This is not possible in the current state.'],
  PAYMENT_LINK_ACTIVE: [409, 'Only an inactive payment link can be deleted.'],
  PROJECT_NOT_EMPTY: [409, 'This project still has an open invoice or a live subscription.'],
  PREVIEW_STALE: [409, 'Something has changed since this preview was created; request a new one.'],
  PROMOTION_CODE_EXISTS: [409, 'This project already has this promotion code.'],
  CUSTOMER_EXISTS: [409, 'This project already has a customer with this externalCustomerId.'],
  LOOKUP_KEY_TAKEN: [409, 'Another price of this project has this lookupKey.'],
  MEMBER_EXISTS: [409, 'Someone already signs in with this e-mail address.'],
  LAST_OWNER: [409, 'At least one owner must be able to sign in; make someone else an owner first.'],
  PAYOUT_ADDRESS_TAKEN: [
    409,
    'Another merchant on this server uses this address. Sign with its wallet to take it over.',
  ],
  WEBHOOK_NOT_CONFIGURED: [409, 'No webhook URL is set.'],
  DELIVERY_PRUNED: [409, 'The event of this delivery has been deleted, so it cannot be resent.'],
  PAYMENT_LINK_INACTIVE: [410, 'This payment link no longer accepts payments.'],
  PORTAL_LINK_EXPIRED: [410, 'This portal link was already used or has expired; request a new one.'],
  MERCHANT_MOVED: [410, 'This merchant has moved to another installation.'],
  MEMBER_LINK_EXPIRED: [410, 'This link was already used or has expired; request a new one.'],
  PAYLOAD_TOO_LARGE: [413, 'The request body is larger than 64 KiB.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as "Content-Type: application/json".'],
  RATE_LIMITED: [429, 'Too many requests; try again after the time in Retry-After.'],
  PROJECT_REQUEST_LIMIT_EXCEEDED: [
    429,
    'The project’s monthly request limit is reached; try again after the time in Retry-After, when the next month starts.',
  ],
  INTERNAL_ERROR: [500, 'Something went wrong on our side. Include the traceId when you contact support.'],
  MERCHANT_MOVING: [
    503,
    'This merchant is being moved to another installation; try again after the time in Retry-After.',
  ],
  SERVICE_UNAVAILABLE: [503, 'The service is temporarily unavailable; try again shortly.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof table;

export const errorCodes = Object.keys(table) as ErrorCode[];

export function statusOf(code: ErrorCode): number {
  return table[code][0];
}

export function textOf(code: ErrorCode): string {
  return table[code][1];
}

/** The state of a limit, for the RateLimit headers of a refusal. */
export interface LimitState {
  limit: number | bigint;
  remaining: number;
  resetSeconds: number;
}

export interface AppErrorOptions {
  /** Text for the caller instead of the one in the table. */
  message?: string;
  /** For the log only. */
  detail?: string;
  /** For our own pages, which explain it in the reader's language. */
  reason?: string;
  retryAfterSeconds?: number;
  /** The limit that was reached. */
  rateLimit?: LimitState;
  cause?: unknown;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimit: LimitState | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? textOf(code), { cause: options.cause });
    this.code = code;
    this.status = statusOf(code);
    this.detail = options.detail;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.rateLimit = options.rateLimit;
  }
}

/** A limit without tokens: refuses everything until the given time, which is also in RateLimit-Reset. */
export function limitReached(limit: number | bigint, retryAfterSeconds: number, message?: string): AppError {
  const rateLimit = { limit, remaining: 0, resetSeconds: retryAfterSeconds };
  return new AppError('RATE_LIMITED', { retryAfterSeconds, rateLimit, ...(message && { message }) });
}

/** Its rows are being copied, which takes from seconds to minutes. */
export function merchantMoving(): AppError {
  return new AppError('MERCHANT_MOVING', { retryAfterSeconds: 15 });
}

export function merchantMoved(movedTo: string): AppError {
  return new AppError('MERCHANT_MOVED', {
    message: `This merchant has moved to ${movedTo}. Go there instead; API keys, passwords and links are the same.`,
  });
}

/** Bad input in one field; its name comes first so that a person and a program both find it. */
export function badField(
  field: string,
  problem: string,
  more: { reason?: string; detail?: string } = {},
): AppError {
  return new AppError('BAD_REQUEST', { message: `${field} ${problem}`, ...more });
}
