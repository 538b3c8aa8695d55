/** Node tries each address of a name, and says what went wrong with each. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ');
  const { message, code } = cause as { message?: string; code?: string };
  return message || code || String(cause);
}

/** No connection was available. */
export class DatabaseUnavailable extends Error {}

/** No host of several could be used; each has its reason. */
export class NoHostUsable extends Error {
  readonly reasons: readonly unknown[];

  constructor(failed: readonly { place: string; reason: unknown }[]) {
    super(failed.map(({ place, reason }) => withPlace(place, reasonOf(reason))).join('; '));
    this.reasons = failed.map(({ reason }) => reason);
  }
}

const withPlace = (place: string, text: string) => (text.includes(place) ? text : `${place}: ${text}`);

/** Reasons why no connection can be made, the most telling first: what a server answers says more than none that answers. */
const OUTAGES: readonly [RegExp, string][] = [
  [/^28/, 'the database refuses our user or password'],
  [/^(3D000|42501)$/, 'the server has no such database, or our user may not connect to it'],
  [/^53300$/, 'the database has no connection left for us'],
  [/CERT|ERR_TLS|ERR_SSL|UNABLE_TO_(VERIFY|GET)/, 'the certificate of the database is not accepted'],
  [/does not support SSL/, 'the database speaks no TLS, and the settings ask for it'],
  [/takes no writes/, 'the database takes no writes: it is a standby, or was set so'],
  [/^57P0/, 'the database is stopping, starting or recovering'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the name of the database’s host cannot be resolved'],
  [/^(ECONNREFUSED|ENOENT)$/, 'nothing listens where the database should be'],
];

/** Why nobody gets a connection, for a page that anybody may read: without names and addresses. */
export function explainOutage(error: unknown): string {
  const signs = signsOf(error);
  return (
    OUTAGES.find(([sign]) => signs.some((text) => sign.test(text)))?.[1] ?? 'the database does not answer'
  );
}

function signsOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  const inner =
    error instanceof NoHostUsable ? error.reasons : error instanceof AggregateError ? error.errors : [];
  const own = [code, message].filter((text) => typeof text === 'string');
  return [...own, ...signsOf(cause), ...inner.flatMap(signsOf)];
}

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
