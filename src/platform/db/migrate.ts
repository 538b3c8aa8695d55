import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { elapsedMs } from '../lib/clock.ts';
import { LOCKS } from './advisory-locks.ts';
import type { Database, Queryable } from './database.ts';
import { isLockTimeout } from './database-errors.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { ensureMigrationsTable, listApplied, refuseUnfit } from './schema-state.ts';
import { splitStatements } from './split-statements.ts';

export interface MigrateOptions {
  migrations?: readonly Migration[];
  /** Instead of `runMigration`, to watch it. */
  run?: typeof runMigration;
  /** How long one try waits for a lock: those who come after it wait as long. */
  lockTimeoutMs?: number;
  /** Between two tries those who queued behind the first get their turn. */
  pauseMs?: number;
  /** After this long without its locks a migration fails. */
  patienceMs?: number;
  /** A migration waits for a lock; `problem` names the oldest transaction. */
  onBlocked?(problem: string): void;
}

/** How often a process looks whether another one has finished. */
const RIVAL_PAUSE_MS = 50;

const DEFAULTS = { lockTimeoutMs: 500, pauseMs: 2_000, patienceMs: 600_000, run: runMigration };

/**
 * Brings the schema up to date and returns the numbers it applied. Others keep working meanwhile: no lock is waited
 * for long. Refuses a database that this release cannot work with or whose applied files were edited.
 */
export async function migrate(
  db: Database,
  upTo = Number.POSITIVE_INFINITY,
  options: MigrateOptions = {},
): Promise<number[]> {
  const migrations = options.migrations ?? (await readMigrations());
  const { pauseMs, patienceMs, onBlocked, ...rest } = { ...DEFAULTS, ...options };
  const applied: number[] = [];
  const place: Place = { isNew: undefined };
  let blockedSinceMs: number | undefined;
  for (;;) {
    const step = await applyNext({ ...rest, db, migrations, upTo, place });
    if (step === 'none') return applied;
    if (step === 'again') continue;
    if (step === 'rival') await sleep(RIVAL_PAUSE_MS);
    else if (Array.isArray(step)) {
      applied.push(...step);
      blockedSinceMs = undefined;
    } else {
      if (blockedSinceMs === undefined) onBlocked?.((await explained(db, step)).message);
      blockedSinceMs ??= elapsedMs();
      if (elapsedMs() - blockedSinceMs >= patienceMs) throw await explained(db, step);
      await sleep(pauseMs);
    }
  }
}

/** Facts learned about a database on the way. */
interface Place {
  /** It had nothing when we came, so nobody works with it yet. Not known before the first look. */
  isNew: boolean | undefined;
}

interface Plan {
  db: Database;
  migrations: readonly Migration[];
  upTo: number;
  place: Place;
  lockTimeoutMs: number;
  run: typeof runMigration;
}

/** The numbers that were applied, or why none was. */
type Step = number[] | 'none' | 'again' | 'rival' | Error;

class MigrationFailed extends Error {}
class TogetherFailed extends Error {}

/** Applies what comes next. If ten processes start at the same time, each migration is run by one of them. */
function applyNext(plan: Plan): Promise<Step> {
  return plan.db.withConnection(async (client) => {
    await client.query(
      'begin; set local lock_timeout = 0; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    try {
      // `create index concurrently` waits for statements that are running: for one that waited here, too, and both forever.
      const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as is_mine', [
        LOCKS.migration,
      ]);
      const step = rows[0].isMine ? await applyAlone(plan, client) : 'rival';
      await client.query('commit');
      return step;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      if (error instanceof TogetherFailed) {
        // One by one, the one that fails has a name.
        plan.place.isNew = false;
        return 'again';
      }
      if (isLockTimeout(error instanceof MigrationFailed ? error.cause : error)) return error as Error;
      throw error;
    }
  });
}

async function applyAlone(plan: Plan, client: pg.PoolClient): Promise<Step> {
  const { migrations, upTo, lockTimeoutMs, place } = plan;
  // Alone in a transaction: readiness must be able to read the table however long the migration takes.
  const own: Queryable = {
    query: async (text, values) => (await client.query(text, values as unknown[])).rows,
  };
  await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
  if (await ensureMigrationsTable(own)) return 'again';
  const before = await listApplied(own);
  refuseUnfit(before, migrations);
  place.isNew ??= before.length === 0;
  const left = migrations.slice(before.length).filter(({ number }) => number <= upTo);
  const next = place.isNew ? left.slice(0, countTogether(left)) : left.slice(0, 1);
  if (next.length === 0) return 'none';
  if (next.length > 1 && plan.run === runMigration) await applyTogether(client, next);
  else for (const migration of next) await applyOne(plan, client, migration);
  return next.map(({ number }) => number);
}

/**
 * Otherwise it is one at a time, so that others wait shortly for its locks. Nobody waits for those of a new database: what
 * can share a transaction does, because each commit waits for the disk.
 */
function countTogether(left: readonly Migration[]): number {
  const alone = left.findIndex(({ mode }) => mode !== 'transaction');
  return alone === -1 ? left.length : Math.max(alone, 1);
}

/** In one text: while the service is loaded, its thread has little time to send one after the other. */
async function applyTogether(client: pg.PoolClient, migrations: readonly Migration[]): Promise<void> {
  try {
    await client.query(migrations.map(({ sql }) => sql).join('\n;\n'));
  } catch (cause) {
    throw new TogetherFailed('migrations failed together', { cause });
  }
  await noteApplied(client, migrations);
}

async function applyOne(plan: Plan, client: pg.PoolClient, migration: Migration): Promise<void> {
  const { number, name } = migration;
  try {
    await plan.run(plan.db, client, migration, plan.lockTimeoutMs);
  } catch (cause) {
    const { message } = cause as Error;
    throw new MigrationFailed(`migration ${number} (${name}) failed: ${message}`, { cause });
  }
  await noteApplied(client, [migration]);
}

async function noteApplied(client: pg.PoolClient, migrations: readonly Migration[]): Promise<void> {
  await client.query(
    `insert into schema_migrations (number, name, checksum, needs_schema)
     select * from unnest($1::integer[], $2::text[], $3::text[], $4::integer[])`,
    [
      migrations.map(({ number }) => number),
      migrations.map(({ name }) => name),
      migrations.map(({ checksum }) => checksum),
      migrations.map(({ needsSchema }) => needsSchema),
    ],
  );
}

/** On `client`, whose transaction also notes that it was applied, or beside it. */
export async function runMigration(
  db: Database,
  client: pg.PoolClient,
  migration: Migration,
  lockTimeoutMs: number,
): Promise<void> {
  if (migration.mode === 'statements') await runStatements(db, splitStatements(migration.sql), lockTimeoutMs);
  else if (migration.mode === 'batches') await runBatches(db, migration.sql);
  else await client.query(migration.sql);
}

/** Each statement is its own transaction. After an interruption they run again, so what is done already is left out. */
function runStatements(db: Database, statements: readonly string[], lockTimeoutMs: number): Promise<void> {
  return db.withoutTimeouts(async (client) => {
    for (const statement of statements) {
      const index = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i.exec(
        statement,
      )?.[1];
      if (index && (await hasIndex(client, index))) continue;
      // Nobody waits behind these two, however long they wait themselves.
      if (/\bconcurrently\b|\bvalidate\s+constraint\b/i.test(statement)) await client.query(statement);
      else await runShortly(client, statement, lockTimeoutMs);
    }
  });
}

async function runShortly(client: pg.PoolClient, statement: string, lockTimeoutMs: number): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}; ${statement}; commit`);
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** True if the index is there and complete. One that an interruption left unfinished is of no use, and dropped. */
async function hasIndex(client: pg.PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query(
    'select indisvalid as is_valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (rows.length === 0) return false;
  if (!rows[0].isValid) await client.query(`drop index concurrently ${name}`);
  return rows[0].isValid;
}

/** The statement says which rows are left, and takes a few of them at a time. */
async function runBatches(db: Database, sql: string): Promise<void> {
  for (;;) {
    const { rowCount } = await db.withConnection((client) => client.query(sql));
    if (!rowCount) return;
  }
}

/** Says who is in the way, as far as the database tells. */
async function explained(db: Database, failed: Error): Promise<Error> {
  const [oldest] = await db.query<{ pid: number; name: string; seconds: number }>(
    `select pid, application_name as name, extract(epoch from clock_timestamp() - xact_start)::integer as seconds
       from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      order by xact_start limit 1`,
  );
  const blocker = oldest
    ? ` The oldest open transaction is that of process ${oldest.pid} (${oldest.name}), ${oldest.seconds} s old.`
    : '';
  return new Error(`${failed.message}.${blocker}`, { cause: failed.cause });
}
