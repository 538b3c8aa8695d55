import { hash } from 'node:crypto';
import pg from 'pg';

/** What an operation may do with the database: run a statement. Values are always parameters. */
export interface Queryable {
  query<Row = unknown>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A transaction in progress. Only `transaction()` creates one, so business code can never commit. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
  /** Whether what happens here is also queued as e-mails. */
  readonly queuesEmails: boolean;
}

export interface Database extends Queryable {
  /** Runs `work` in one transaction; deadlocks and serialization failures are tried again. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** A dedicated connection, for COPY and session locks. */
  withConnection<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
  /** Whether transactions queue e-mails: where a mail server is set. */
  queuesEmails: boolean;
  readonly pool: pg.Pool;
}

export interface DatabaseOptions {
  connection: pg.PoolConfig;
  poolSize?: number;
  /** Off behind a transaction-mode pooler, which hands each statement to another server connection. */
  preparedStatements?: boolean;
  /** Off unless set. */
  queuesEmails?: boolean;
  /** Called on errors of idle connections; without a listener they would crash the process. */
  onIdleError?: (error: Error) => void;
}

const LOCK_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;

export function openDatabase(options: DatabaseOptions): Database {
  const prepared = options.preparedStatements ?? true;
  const pool = openPool(options, prepared);

  async function run<Row>(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<Row[]> {
    const config = prepared ? { name: nameOf(text), text, values } : { text, values };
    const result = await client.query(config as pg.QueryConfig);
    return result.rows as Row[];
  }

  function attempt<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return withClient(pool, async (client) => {
      await client.query('begin');
      try {
        const result = await work({
          inTransaction: true,
          queuesEmails: database.queuesEmails,
          query: (text, values = []) => run(client, text, values),
        });
        await client.query('commit');
        return result;
      } catch (error) {
        // A connection that cannot even roll back is of no more use; the server rolls back when it closes.
        await client.query('rollback').catch((failure: Error) => client.emit('error', failure));
        throw error;
      }
    });
  }

  const database: Database = {
    pool,
    queuesEmails: options.queuesEmails ?? false,
    query: (text, values = []) =>
      unlessOutdated(() => withClient(pool, (client) => run(client, text, values))),
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await unlessOutdated(() => attempt(work));
        } catch (error) {
          if (tries >= 3 || !isTransient(error)) throw error;
        }
      }
    },
    withConnection: (work) => withClient(pool, work),
    close: () => pool.end(),
  };
  return database;
}

function openPool(options: DatabaseOptions, prepared: boolean): pg.Pool {
  const pool = new pg.Pool({
    max: options.poolSize ?? 8,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    application_name: 'florin',
    types: { getTypeParser },
    // Poolers refuse start-up parameters they do not know, and have their own timeouts.
    ...(prepared && {
      lock_timeout: LOCK_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 2 * STATEMENT_TIMEOUT_MS,
    }),
    ...options.connection,
  });
  pool.on('error', options.onIdleError ?? (() => {}));
  // A new connection may break before withClient can listen; then its first statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** A connection for as long as `work` takes. If it broke meanwhile, it is closed and not reused. */
async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw new DatabaseUnavailable('the database cannot be reached', { cause });
  });
  let broken: Error | undefined;
  // Without a listener a lost connection would end the process.
  const noteBroken = (error: Error) => {
    broken = error;
  };
  client.on('error', noteBroken);
  try {
    return await work(client);
  } catch (error) {
    if (isUnavailable(error) || isOutdated(error)) broken ??= error as Error;
    throw error;
  } finally {
    client.removeListener('error', noteBroken);
    client.release(broken);
  }
}

/**
 * After a migration changed a column that a statement returns, connections that prepared it before refuse it. Each is
 * closed when it does: at the latest when all are new, the statement runs.
 */
async function unlessOutdated<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}

function isOutdated(error: unknown): boolean {
  return sqlState(error) === '0A000' && /cached plan must not change/.test((error as Error).message);
}

/** No connection was available. */
export class DatabaseUnavailable extends Error {}

const names = new Map<string, string>();

/** Every statement is prepared under a name made from its text: parsed and planned once per connection. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `s${hash('sha1', text, 'hex').slice(0, 16)}`;
  names.set(text, name);
  return name;
}

const OID_INT8 = 20;
const OID_INT8_ARRAY = 1016;
const OID_NUMERIC = 1700;

/** int8 and whole numerics are bigint inside the service; a fraction in a numeric is an error, not a rounding. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === OID_INT8 || oid === OID_NUMERIC) return BigInt as unknown as (value: string) => unknown;
  if (oid === OID_INT8_ARRAY) return parseInt8Array;
  return pg.types.getTypeParser(oid, format as 'text');
}

function parseInt8Array(text: string): bigint[] {
  const items = pg.types.getTypeParser(OID_INT8_ARRAY as 20, 'text')(text) as unknown as string[];
  return items.map(BigInt);
}

function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505';
}

/** A lock was waited for longer than allowed. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03';
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
