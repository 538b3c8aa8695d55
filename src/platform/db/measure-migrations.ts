import type pg from 'pg';
import { elapsedMs } from '../lib/clock.ts';
import type { Database } from './database.ts';
import { migrate, runMigration } from './migrate.ts';
import { BLOCKS } from './migration-locks.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { countPendingMigrations } from './schema-state.ts';
import { splitStatements } from './split-statements.ts';

export interface MeasuredMigration {
  number: number;
  name: string;
  mode: Migration['mode'];
  durationMs: number;
  /** Only those that keep others from something, on tables that were there before. */
  locks: { table: string; mode: string; blocks: string; heldMs: number }[];
}

/** Applies what a copy of a database lacks, and tells how long each lock was held. Nobody else may use the copy. */
export async function measureMigrations(
  copy: Database,
  migrations?: readonly Migration[],
): Promise<MeasuredMigration[]> {
  const all = migrations ?? (await readMigrations());
  const pending = await countPendingMigrations(copy, all);
  const measured: MeasuredMigration[] = [];
  for (const migration of all.slice(all.length - pending)) {
    measured.push(await measure(copy, migration, all));
  }
  return measured;
}

async function measure(
  copy: Database,
  { number, name, mode }: Migration,
  migrations: readonly Migration[],
): Promise<MeasuredMigration> {
  const taken = new Map<string, TakenLock>();
  const startedMs = elapsedMs();
  await migrate(copy, number, {
    migrations,
    run: (db, client, migration, lockTimeoutMs) =>
      migration.mode === 'transaction'
        ? runWatched(client, migration, taken)
        : runMigration(db, client, migration, lockTimeoutMs),
  });
  const endedMs = elapsedMs();
  const locks = [...taken.values()].map(({ table, mode, takenMs }) => ({
    ...{ table, mode, blocks: BLOCKS[mode]!, heldMs: Math.ceil(endedMs - takenMs) },
  }));
  return { number, name, mode, durationMs: Math.ceil(endedMs - startedMs), locks };
}

interface TakenLock {
  table: string;
  mode: string;
  /** When the statement that takes it began: it may have waited for nobody, so it was held from about then. */
  takenMs: number;
}

/** Statement by statement, in the same transaction: a lock stays until its end. */
async function runWatched(
  client: pg.PoolClient,
  { sql }: Migration,
  taken: Map<string, TakenLock>,
): Promise<void> {
  const { rows: before } = await client.query(
    `select oid from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  );
  const existing = before.map(({ oid }) => oid);
  for (const statement of splitStatements(sql)) {
    const takenMs = elapsedMs();
    await client.query(statement);
    const { rows } = await client.query(LIST_LOCKS, [existing, Object.keys(BLOCKS)]);
    for (const { table, mode } of rows) {
      const key = `${table} ${mode}`;
      if (BLOCKS[mode] !== 'nothing' && !taken.has(key)) taken.set(key, { table, mode, takenMs });
    }
  }
}

const LIST_LOCKS = `
  select relation::regclass::text as table, mode from pg_locks
   where pid = pg_backend_pid() and locktype = 'relation' and relation = any($1::oid[]) and mode = any($2)
   order by 1, 2`;
