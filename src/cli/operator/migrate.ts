import { LOCKS, tryAlone } from '../../platform/db/advisory-locks.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { ensureInstallation } from '../../platform/db/installation.ts';
import { type MeasuredMigration, measureMigrations } from '../../platform/db/measure-migrations.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { BLOCKS, type ExpectedLock, examineMigration } from '../../platform/db/migration-locks.ts';
import { type Migration, readMigrations } from '../../platform/db/migrations.ts';
import { readSchemaState } from '../../platform/db/schema-state.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { type CommandContext, CommandFailed } from './context.ts';

export interface MigrateCommandOptions {
  check?: boolean;
  on?: string;
}

/** `known` is every migration of this release. */
export async function migrateCommand(
  context: CommandContext,
  options: MigrateCommandOptions,
  known?: readonly Migration[],
): Promise<void> {
  const migrations = known ?? (await readMigrations());
  if (options.on && !options.check) throw new CommandFailed('--on is for --check only');
  if (options.on && !/^postgres(ql)?:\/\//.test(options.on))
    throw new CommandFailed('--on takes the URL of a copy, such as postgres://florin@db3/copy');
  if (options.on) return measureCommand(context, options.on, migrations);
  if (options.check) return checkCommand(context, migrations);
  const { db, config, secrets, print, say } = context;
  const applied = await migrate(db, undefined, {
    migrations,
    onBlocked: (problem) => say(`Waiting for a lock, and trying again: ${problem}`),
  });
  await ensureInstallation(db, config.FLORIN_NETWORK, secrets, realNow());
  print(
    { applied },
    applied.length === 0 ? 'The schema is up to date.' : `Applied migrations ${applied.join(', ')}.`,
  );
}

/** Reads only, so it is safe on a database in use: what each pending migration locks, and how large the tables are. */
async function checkCommand({ db, print }: CommandContext, all: readonly Migration[]): Promise<void> {
  const { pending, beyond, problem } = await readSchemaState(db, all);
  if (problem) throw new CommandFailed(problem);
  const sizes = await readSizes(db);
  const migrations = all.slice(all.length - pending).map((migration) => {
    const { number, name, mode, needsSchema } = migration;
    const locks = locksOf(migration, sizes);
    return { number, name, mode, needsSchema, locks };
  });
  const nothing =
    beyond > 0
      ? `The schema is newer than this release by ${beyond}, and fits.`
      : 'The schema is up to date.';
  print(
    { pending: migrations },
    pending === 0 ? nothing : [...migrations.flatMap(expectedLines), '', HOW_TO_MEASURE].join('\n'),
  );
}

const HOW_TO_MEASURE =
  'How long a lock is held depends on the data: measure it on a copy of this database, with --on <its URL>.';

interface TableSize {
  table: string;
  /** Row count of the last analyze; null if it never ran. */
  rows: number | null;
  /** Size with its indexes. */
  bytes: number;
}

async function readSizes(db: Database): Promise<Map<string, TableSize>> {
  const sizes = await db.query<TableSize>(
    `select relname::text as table, nullif(reltuples, -1)::float8 as rows, pg_total_relation_size(oid)::float8 as bytes
       from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  );
  return new Map(sizes.map((size) => [size.table, size]));
}

type SizedLock = ExpectedLock & { blocks: string } & Omit<TableSize, 'table'>;

/** A table that is not there yet is made by the migrations, and nobody waits for it. */
function locksOf(migration: Migration, sizes: Map<string, TableSize>): SizedLock[] {
  const locks = new Map(examineMigration(migration).locks.map((lock) => [JSON.stringify(lock), lock]));
  return [...locks.values()]
    .filter(({ table }) => sizes.has(table))
    .map((lock) => {
      const { rows, bytes } = sizes.get(lock.table)!;
      return { ...lock, blocks: BLOCKS[lock.mode]!, rows, bytes };
    });
}

const MODES: Record<Migration['mode'], string> = {
  transaction: 'in one transaction',
  statements: 'each statement alone',
  batches: 'in batches',
};

const WORK: Record<ExpectedLock['work'], string> = {
  moment: 'for a moment',
  scan: 'while it reads the whole table',
  rewrite: 'while it rewrites the whole table',
};

function expectedLines({
  number,
  name,
  mode,
  locks,
}: Pick<Migration, 'number' | 'name' | 'mode'> & { locks: SizedLock[] }) {
  return [
    `${number} ${name}, ${MODES[mode]}`,
    ...locks.map(({ table, blocks, work, rows, bytes }) => {
      const size = rows === null ? sizeOf(bytes) : `about ${rows.toLocaleString('en')} rows`;
      return `  ${table} (${size}): blocks ${blocks} ${WORK[work]}`;
    }),
  ];
}

const sizeOf = (bytes: number) => `${Math.ceil(bytes / 1_000_000).toLocaleString('en')} MB`;

/** Longer than this, customers notice. */
const LONGEST_MS = 1_000;

/** Applies the pending migrations to a copy, and measures. */
async function measureCommand(
  { db, print }: CommandContext,
  url: string,
  migrations: readonly Migration[],
): Promise<void> {
  const copy = openDatabase({ connection: [url], poolSize: 4 });
  try {
    await refuseOriginal(db, copy);
    const measured = await measureMigrations(copy, migrations);
    const isSlow = measured.some(({ locks }) => locks.some(({ heldMs }) => heldMs > LONGEST_MS));
    const text =
      measured.length === 0
        ? 'The schema of the copy is up to date.'
        : measured.flatMap(measuredLines).join('\n');
    print({ measured }, text);
    if (isSlow) process.exitCode = 1;
  } finally {
    await copy.close();
  }
}

/** A lock belongs to one database: found taken, the two are the same, whatever the addresses say. */
async function refuseOriginal(db: Database, copy: Database): Promise<void> {
  const isChecking = await tryAlone(db, LOCKS.migrationCheck, async () => {
    if (!(await tryAlone(copy, LOCKS.migrationCheck, async () => {})))
      throw new CommandFailed('--on is the database of this installation: name a copy of it');
  });
  if (!isChecking) throw new CommandFailed('another check is running');
  const others = await copy.query(
    `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and application_name = 'florin'`,
  );
  if (others.length > 0)
    throw new CommandFailed('--on is a database in use: name a copy that nobody is connected to');
}

function measuredLines({ number, name, mode, durationMs, locks }: MeasuredMigration): string[] {
  return [
    `${number} ${name}, ${MODES[mode]}: ${durationMs} ms`,
    ...locks.map(({ table, blocks, heldMs }) => {
      const warning = heldMs > LONGEST_MS ? ', longer than a second' : '';
      return `  ${table}: blocks ${blocks} for ${heldMs} ms${warning}`;
    }),
  ];
}
