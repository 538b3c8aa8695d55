/** Node tries each address of a name, and says what went wrong with each. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ');
  const { message, code } = cause as { message?: string; code?: string };
  return message || code || String(cause);
}

/** No connection was available. */
export class DatabaseUnavailable extends Error {}

export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505';
}

/** The merchant is being moved to another installation, or was: a trigger lets nothing more be written of it. */
export function isOfClosedMerchant(error: unknown): boolean {
  return sqlState(error) === 'FLMOV';
}

/** Address the merchant of such an error has moved to; undefined while it is being moved. */
export function newAddressOf(error: unknown): string | undefined {
  return (error as { detail?: string }).detail || undefined;
}

/** A lock was waited for longer than allowed. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** The database works, but others kept it from doing this in time: a lock, a long statement, a deadlock. */
export function isBusy(error: unknown): boolean {
  const state = sqlState(error);
  return state === '55P03' || state === '57014' || isTransient(error);
}

/** The statement itself was refused: nothing of it was written, and trying its parts alone is safe. */
export function isStatementError(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && /^(22|23|40|55)/.test(state);
}

const UNAVAILABLE_STATES = /^(08|53|57P|58|25006)/;
const UNAVAILABLE_ERRNOS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The database is unreachable, full or shutting down: the caller can retry, so the answer is a 503. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = sqlState(error);
  if (code !== undefined) return UNAVAILABLE_STATES.test(code) || UNAVAILABLE_ERRNOS.has(code);
  const message = error instanceof Error ? error.message : '';
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
    message,
  );
}
