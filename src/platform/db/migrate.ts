import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { lazy } from '../lib/lazy.ts';
import { LOCKS } from './advisory-locks.ts';
import type { Database } from './database.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
}

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** The numbered files, in order and without a gap. Read once: readiness asks for them every few seconds. */
export const readMigrations = lazy(async (): Promise<Migration[]> => {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file, i) => {
      const number = Number(file.slice(0, 4));
      if (number !== i + 1) throw new Error(`migrations: expected number ${i + 1}, found ${file}`);
      const sql = await readFile(FOLDER + file, 'utf8');
      return { number, name: file.slice(5, -4), sql, checksum: hash('sha256', sql, 'hex') };
    }),
  );
});

/**
 * Brings the schema up to date, each migration in its own transaction, and returns the numbers it applied. Refuses a
 * database that a newer release has migrated or whose applied files were edited.
 */
export async function migrate(db: Database, upTo = Number.POSITIVE_INFINITY): Promise<number[]> {
  const migrations = await readMigrations();
  return db.withConnection(async (client) => {
    const applied: number[] = [];
    for (;;) {
      const number = await applyNext(client, migrations, upTo);
      if (number === undefined) return applied;
      applied.push(number);
    }
  });
}

/** Of ten processes that start at the same time each migration has one. */
async function applyNext(
  client: pg.PoolClient,
  migrations: Migration[],
  upTo: number,
): Promise<number | undefined> {
  // Waiting for another process to finish is not an error, however long its migration takes.
  await client.query(
    'begin; set local lock_timeout = 0; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
  );
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCKS.migration]);
    await client.query(CREATE_TABLE);
    const { rows } = await client.query('select number, checksum from schema_migrations order by number');
    checkApplied(rows, migrations);
    const next = migrations[rows.length];
    const isWanted = next !== undefined && next.number <= upTo;
    if (isWanted) await apply(client, next);
    await client.query('commit');
    return isWanted ? next.number : undefined;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

const CREATE_TABLE = `
  create table if not exists schema_migrations (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`;

function checkApplied(rows: { number: number; checksum: string }[], migrations: Migration[]): void {
  for (const row of rows) {
    const known = migrations[row.number - 1];
    if (!known) {
      throw new Error(
        `the database is at schema ${rows.length}, this release knows ${migrations.length}: start a newer release`,
      );
    }
    if (known.checksum !== row.checksum) {
      throw new Error(`migration ${row.number} (${known.name}) was changed after this database applied it`);
    }
  }
}

async function apply(client: pg.PoolClient, { number, name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    throw new Error(`migration ${number} (${name}) failed: ${(error as Error).message}`, { cause: error });
  }
  await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ]);
}

/** How many migrations this release has that the database lacks. */
export async function countPendingMigrations(db: Database): Promise<number> {
  const migrations = await readMigrations();
  const [row] = await db.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  if (!row?.exists) return migrations.length;
  const [{ count }] = (await db.query('select count(*)::int as count from schema_migrations')) as [
    { count: number },
  ];
  return migrations.length - count;
}
