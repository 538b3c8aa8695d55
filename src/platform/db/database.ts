import { hash } from 'node:crypto';
import pg from 'pg';
import { elapsedMs } from '../lib/clock.ts';
import { countWait, currentWait, patienceLeft } from '../lib/request-wait.ts';
import { CamelCaseClient } from './column-names.ts';
import { DatabaseUnavailable, isTransient, isUnavailable, reasonOf, sqlState } from './database-errors.ts';
import { DatabaseHosts } from './database-hosts.ts';
import { getTypeParser } from './row-types.ts';
import { SilentConnections } from './silent-connections.ts';

/** The one thing an operation can do with the database: run a statement. Values are always parameters. */
export interface Queryable {
  query<Row = unknown>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A transaction in progress. Only `transaction()` creates one, so business code can never commit. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
  /** True if changes made here are also queued as e-mails. */
  readonly queuesEmails: boolean;
}

export interface Database extends Queryable {
  /** Runs `work` in one transaction; deadlocks and serialization failures are tried again. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** A dedicated connection, for COPY and session locks. Its statements may take as long as they do. */
  withConnection<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  /** The same without the time limits that statements have otherwise. */
  withoutTimeouts<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  /**
   * The same database for callers who wait at most this long, because someone waits for them. Within a request it is for
   * all that the request waits for, together.
   */
  withPatience(ms: number): Database;
  /** True if a write failed within the last seconds because the disk is full. */
  isDiskFull(): boolean;
  /** For the end of a process: no statement is waited for longer than this any more. */
  hurry(mostMs: number): void;
  close(): Promise<void>;
  /** True if transactions queue e-mails: there is a mail server. */
  queuesEmails: boolean;
  readonly pool: pg.Pool;
}

export interface DatabaseOptions {
  /** One server, or the URLs of several, of which the one that takes writes is used. */
  connection: pg.PoolConfig | readonly string[];
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

/** How long a connection may be silent while a statement runs; the server itself ends it earlier. */
const PATIENCE_MS = STATEMENT_TIMEOUT_MS + 5_000;

const DISK_FULL = '53100';
const DISK_FULL_MS = 15_000;

/** A pooler hands each transaction to another connection of the server, so each brings its own timeouts. */
const BEGIN_THROUGH_POOLER = `begin; set local lock_timeout = ${LOCK_TIMEOUT_MS};
  set local statement_timeout = ${STATEMENT_TIMEOUT_MS};
  set local idle_in_transaction_session_timeout = ${2 * STATEMENT_TIMEOUT_MS}`;

export function openDatabase(options: DatabaseOptions): Database {
  const prepared = options.preparedStatements ?? true;
  const pool = openPool(options, prepared);
  return databaseWith(
    {
      pool,
      prepared,
      connect: connectorOf(pool, options.connection),
      silent: new SilentConnections(),
      state: { queuesEmails: options.queuesEmails ?? false, diskFullMs: Number.NEGATIVE_INFINITY },
    },
    { patienceMs: PATIENCE_MS, isCounted: false },
  );
}

interface Connections {
  pool: pg.Pool;
  prepared: boolean;
  connect(): Promise<pg.PoolClient>;
  silent: SilentConnections;
  state: { queuesEmails: boolean; diskFullMs: number };
}

interface Waits {
  patienceMs: number;
  /**
   * True if waits count toward what a request waits for in total; otherwise each statement is waited for on its own.
   */
  isCounted: boolean;
}

function databaseWith(connections: Connections, { patienceMs, isCounted }: Waits): Database {
  const { pool, silent, state } = connections;
  const leftAfter = (waitedMs: number) =>
    patienceLeft(patienceMs, (isCounted ? currentWait()?.ms : undefined) ?? waitedMs);
  const sendAfter = (waitedMs: number) => sender(connections, () => leftAfter(waitedMs));
  const connect = () => silent.connect(leftAfter(0), connections.connect);
  const counted: typeof countWait = isCounted ? countWait : (work) => work();
  return {
    pool,
    get queuesEmails() {
      return state.queuesEmails;
    },
    set queuesEmails(value) {
      state.queuesEmails = value;
    },
    query: (text, values = []) =>
      counted(() =>
        unlessOutdated(() =>
          withClient(connect, (client, waitedMs) => sendAfter(waitedMs)(client, text, values)),
        ),
      ),
    transaction: (work) =>
      counted(async () => {
        for (let tries = 1; ; tries++) {
          try {
            return await unlessOutdated(() => attempt({ ...connections, connect }, sendAfter, work));
          } catch (error) {
            if (tries >= 3 || !isTransient(error)) throw error;
          }
        }
      }),
    withConnection: (work) => withClient(connect, work),
    withoutTimeouts: (work) => withClient(connect, unlimited(connections.prepared, work)),
    withPatience: (ms) => databaseWith(connections, { patienceMs: ms, isCounted: true }),
    isDiskFull: () => elapsedMs() - state.diskFullMs < DISK_FULL_MS,
    hurry: (mostMs) => silent.hurry(mostMs),
    close: () => pool.end().finally(() => silent.stop()),
  };
}

type Send = <Row>(client: pg.PoolClient, text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Sends a statement: prepared where it has values, alone otherwise. */
function sender({ prepared, silent, state }: Connections, patienceMs: () => number): Send {
  return (client, text, values) => {
    const config = values && prepared ? { name: nameOf(text), text, values } : { text, values };
    return silent.wait(client, patienceMs(), async () => {
      try {
        const { rows, rowCount } = await client.query(config as pg.QueryConfig);
        if (rowCount && rows.length === 0) changed.add(rows);
        return rows;
      } catch (error) {
        if (sqlState(error) === DISK_FULL) state.diskFullMs = elapsedMs();
        throw error;
      }
    });
  };
}

/** The answers, all of them empty, of statements that changed rows and return none. */
const changed = new WeakSet<readonly unknown[]>();

/** True if a statement with this answer found any rows, to return or to change. */
export const hasFound = (rows: readonly unknown[]) => rows.length > 0 || changed.has(rows);

function attempt<Result>(
  { prepared, connect, state }: Connections,
  sendAfter: (waitedMs: number) => Send,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return withClient(connect, async (client, waitedMs) => {
    const send = sendAfter(waitedMs);
    await send(client, prepared ? 'begin' : BEGIN_THROUGH_POOLER);
    try {
      const result = await work({
        inTransaction: true,
        queuesEmails: state.queuesEmails,
        query: (text, values = []) => send(client, text, values),
      });
      await send(client, 'commit');
      return result;
    } catch (error) {
      // A connection that cannot even roll back is of no more use; the server rolls back when it closes.
      await send(client, 'rollback').catch((failure: Error) => client.emit('error', failure));
      throw error;
    }
  });
}

function openPool(options: DatabaseOptions, prepared: boolean): pg.Pool {
  const pool = new pg.Pool({
    Client: CamelCaseClient,
    max: options.poolSize ?? 8,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    // Finds out about a host that is gone while a connection idles.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'florin',
    types: { getTypeParser },
    // Poolers refuse start-up parameters they do not know, and have their own timeouts.
    ...(prepared && {
      lock_timeout: LOCK_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 2 * STATEMENT_TIMEOUT_MS,
    }),
    ...(!isList(options.connection) && options.connection),
  });
  // While the pool is closing, its server may stop first; no connection in use is lost.
  pool.on('error', (error) => pool.ending || options.onIdleError?.(error));
  // A new connection may break before withClient can listen; then its first statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function connectorOf(pool: pg.Pool, connection: DatabaseOptions['connection']): () => Promise<pg.PoolClient> {
  if (!isList(connection)) return () => pool.connect();
  if (connection.length === 1) {
    pool.options.connectionString = connection[0]!;
    return () => pool.connect();
  }
  const hosts = new DatabaseHosts(pool, connection);
  return () => hosts.connect();
}

const isList = (connection: DatabaseOptions['connection']): connection is readonly string[] =>
  Array.isArray(connection);

/** A connection for as long as `work` takes. If it broke meanwhile, it is closed and not reused. */
async function withClient<Result>(
  connect: () => Promise<pg.PoolClient>,
  work: (client: pg.PoolClient, waitedMs: number) => Promise<Result>,
): Promise<Result> {
  const startedMs = elapsedMs();
  const client = await connect().catch((cause: unknown) => {
    throw new DatabaseUnavailable(`the database cannot be reached: ${reasonOf(cause)}`, { cause });
  });
  let broken: Error | undefined;
  // Without a listener a lost connection would end the process.
  const noteBroken = (error: Error) => {
    broken = error;
  };
  client.on('error', noteBroken);
  try {
    return await work(client, elapsedMs() - startedMs);
  } catch (error) {
    if (isUnavailable(error) || isOutdated(error)) broken ??= error as Error;
    throw error;
  } finally {
    client.removeListener('error', noteBroken);
    client.release(broken);
  }
}

/** A pooler's connections have no limits of ours, and would hand on what is set. */
function unlimited<Result>(isDirect: boolean, work: (client: pg.PoolClient) => Promise<Result>) {
  if (!isDirect) return work;
  return async (client: pg.PoolClient) => {
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    try {
      return await work(client);
    } finally {
      const reset = client.query('reset statement_timeout; reset lock_timeout');
      await reset.catch((failure: Error) => client.emit('error', failure));
    }
  };
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

const names = new Map<string, string>();

/** Every statement is prepared under a name made from its text: parsed and planned once per connection. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `s${hash('sha1', text, 'hex').slice(0, 16)}`;
  names.set(text, name);
  return name;
}
