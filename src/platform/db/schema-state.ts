import type { Queryable } from './database.ts';
import { type Migration, readMigrations } from './migrations.ts';

/** How this release and the schema of a database fit together. */
export interface SchemaState {
  /** How many migrations the database lacks. */
  pending: number;
  /** How many it has that this release does not know. */
  beyond: number;
  /** Why this release cannot work with what it does not know, if it cannot. */
  problem: string | undefined;
}

export async function readSchemaState(db: Queryable, given?: readonly Migration[]): Promise<SchemaState> {
  const migrations = given ?? (await readMigrations());
  const applied = (await hasTable(db)) ? await listApplied(db) : [];
  const difference = applied.length - migrations.length;
  return {
    pending: Math.max(0, -difference),
    beyond: Math.max(0, difference),
    problem: whyUnfit(applied, migrations),
  };
}

/** How many migrations this release has that the database lacks. */
export async function countPendingMigrations(
  db: Queryable,
  migrations?: readonly Migration[],
): Promise<number> {
  return (await readSchemaState(db, migrations)).pending;
}

export interface AppliedMigration {
  number: number;
  name: string;
  checksum: string;
  needsSchema: number | null;
}

/** Also of a table without `needs_schema`, as a version before 0.1.0 may have left it: what it names is refused. */
export function listApplied(db: Queryable): Promise<AppliedMigration[]> {
  return db.query<AppliedMigration>(
    `select number, name, checksum, (to_jsonb(m) ->> 'needs_schema')::integer as needs_schema
       from schema_migrations m order by number`,
  );
}

/**
 * Refuses a database that begins otherwise, whose applied files were edited, or that a newer release has taken further
 * than this one can follow. One that was only expanded is fine: in a rolling upgrade this release may be restarted on it.
 */
export function refuseUnfit(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const problem = whyUnfit(applied, migrations);
  if (problem) throw new Error(problem);
  for (const { number, checksum } of applied) {
    const known = migrations[number - 1];
    if (known && known.checksum !== checksum)
      throw new Error(`migration ${number} (${known.name}) was changed after this database applied it`);
  }
}

/** Refusal of a database or a backup that began with other migrations. */
export const BEFORE_BASELINE =
  'was made by a version before 0.1.0, whose data cannot be carried over: start with an empty database, or keep using that version';

function whyUnfit(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): string | undefined {
  const [first] = applied;
  if (first && migrations[0] && first.name !== migrations[0].name) return `this database ${BEFORE_BASELINE}`;
  return whyTooNew(applied, migrations.length);
}

function whyTooNew(applied: readonly AppliedMigration[], known: number): string | undefined {
  const unfit = applied.find(
    ({ number, needsSchema }) => number > known && (needsSchema === null || needsSchema > known),
  );
  if (!unfit) return undefined;
  const needs = unfit.needsSchema === null ? 'is not for older ones' : `needs ${unfit.needsSchema}`;
  return (
    `the database is at schema ${applied.length}, this release knows ${known}, ` +
    `and migration ${unfit.number} (${unfit.name}) ${needs}: start a newer release`
  );
}

async function hasTable(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  return row!.exists;
}

/** Creates the table of the applied migrations; false if it was there. */
export async function ensureMigrationsTable(db: Queryable): Promise<boolean> {
  if (await hasTable(db)) return false;
  await db.query(CREATE_TABLE);
  return true;
}

const CREATE_TABLE = `
  create table schema_migrations (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    needs_schema integer
  )`;
