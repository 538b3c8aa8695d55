import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Database } from './database.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
}

/** Held while migrating, so that ten processes starting concurrently migrate once. */
const MIGRATION_LOCK = 7_265_736;

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** The numbered files, in order and without a gap. */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file, i) => {
      const number = Number(file.slice(0, 4));
      if (number !== i + 1) throw new Error(`migrations: expected number ${i + 1}, found ${file}`);
      const sql = await readFile(FOLDER + file, 'utf8');
      return { number, name: file.slice(5, -4), sql, checksum: hash('sha256', sql, 'hex') };
    }),
  );
}

/**
 * Brings the schema up to date, each migration in its own transaction, and returns the numbers it applied. Refuses a
 * database that a newer release has migrated or whose applied files were edited.
 */
export async function migrate(db: Database, upTo = Number.POSITIVE_INFINITY): Promise<number[]> {
  const migrations = await readMigrations();
  return db.withConnection(async (client) => {
    // Waiting for another process to finish is not an error, however long its migration takes.
    await client.query('set lock_timeout = 0; set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      return await applyMissing(client, migrations, upTo);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await client.query('reset lock_timeout; reset statement_timeout');
    }
  });
}

async function applyMissing(client: pg.PoolClient, migrations: Migration[], upTo: number): Promise<number[]> {
  await client.query(
    `create table if not exists schema_migrations (
       number integer primary key,
       name text not null,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  );
  const { rows } = await client.query('select number, checksum from schema_migrations order by number');
  checkApplied(rows, migrations);
  const applied: number[] = [];
  for (const migration of migrations.slice(rows.length)) {
    if (migration.number > upTo) break;
    await apply(client, migration);
    applied.push(migration.number);
  }
  return applied;
}

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
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      number,
      name,
      checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${number} (${name}) failed: ${(error as Error).message}`, { cause: error });
  }
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
