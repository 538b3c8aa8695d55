import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { NEXT_ROWS, withNextMigrations } from '../../../test/support/next-migrations.ts';
import { fillTables, readTables } from '../../../test/support/rows.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { parseMigration, readMigrations } from './migrations.ts';
import { dumpSchema } from './schema-dump.ts';
import { countPendingMigrations, readSchemaState } from './schema-state.ts';

/** The migrations of this release, and one of each kind that may come. */
const migrations = withNextMigrations;
const numbers = migrations.map((migration) => migration.number);
const last = numbers.length;
const known = (await readMigrations()).length;

const emptyDatabase = () => testDatabase({ template: 'template0' });

async function appliedNumbers(db: Database): Promise<number[]> {
  const rows = await db.query<{ number: number }>('select number from schema_migrations order by number');
  return rows.map((row) => row.number);
}

test('an empty database gets every migration, and a second run does nothing', async () => {
  const db = await emptyDatabase();
  expect(await countPendingMigrations(db, migrations)).toBe(last);
  expect(await migrate(db, undefined, { migrations })).toEqual(numbers);
  expect(await migrate(db, undefined, { migrations })).toEqual([]);
  expect(await appliedNumbers(db)).toEqual(numbers);
  expect(await countPendingMigrations(db, migrations)).toBe(0);
});

test('a new database gets in one transaction what can share one', async () => {
  const db = await emptyDatabase();
  await migrate(db, undefined, { migrations });
  const rows = await db.query<{ numbers: number[] }>(
    'select array_agg(number order by number) as numbers from schema_migrations group by xmin::text order by min(number)',
  );
  const together: number[][] = [];
  let before = '';
  for (const { number, mode } of migrations) {
    if (mode === 'transaction' && before === mode) together.at(-1)!.push(number);
    else together.push([number]);
    before = mode;
  }
  expect(rows.map((row) => row.numbers)).toEqual(together);
  expect(together.some((some) => some.length > 1)).toBe(true);
});

test('of those that fail together, the one that fails is named, and those before it are applied', async () => {
  const db = await emptyDatabase();
  const migrations = [
    parseMigration(1, 'first', 'create table a_first (id uuid)'),
    parseMigration(2, 'second', 'create table a_second (id uuid) -- without an end'),
    parseMigration(3, 'broken', 'create table a_third (id uuid); create table a_third (id uuid)'),
  ];
  await expect(migrate(db, undefined, { migrations })).rejects.toThrow(
    'migration 3 (broken) failed: relation "a_third" already exists',
  );
  expect(await appliedNumbers(db)).toEqual([1, 2]);
});

/** Grows by one migration for each test that clones it: to start from none each time would double the work. */
let growing: Database;
let lastSchema: string;
beforeAll(async () => {
  growing = await emptyDatabase();
  const whole = await emptyDatabase();
  await migrate(whole, undefined, { migrations });
  lastSchema = await dumpSchema(whole);
});

async function databaseAt(upTo: number): Promise<Database> {
  const { options } = growing.pool;
  const step = openDatabase({ connection: options });
  await migrate(step, upTo, { migrations });
  expect(await appliedNumbers(step)).toEqual(numbers.slice(0, upTo));
  // Only a database that nobody is connected to can be cloned.
  await step.close();
  return testDatabase({ template: options.database! });
}

/** Columns of the migrations to come, which fill them. */
const OWN = ['colour', 'shade', 'usual_colour'];

test.each(numbers)(
  'a database in use at schema %i keeps its rows, and ends at the same schema',
  async (upTo) => {
    const db = await databaseAt(upTo);
    await fillTables(db, NEXT_ROWS);
    const before = await readTables(db);
    expect(await migrate(db, undefined, { migrations })).toEqual(numbers.slice(upTo));
    const kept = Object.fromEntries(
      Object.entries(before).map(([name, { columns, rows }]) => {
        const places = columns.flatMap((column, i) => (OWN.includes(column) ? [] : [i]));
        const pick = <Value>(values: readonly Value[]) => places.map((i) => values[i]!);
        return [name, { ...before[name]!, columns: pick(columns), rows: rows.map(pick) }];
      }),
    );
    expect(await readTables(db, kept)).toEqual(kept);
    expect(await dumpSchema(db)).toBe(lastSchema);
  },
);

test('many processes that start at once apply each migration once', async () => {
  const db = await emptyDatabase();
  const rivals = Array.from({ length: 5 }, () => openDatabase({ connection: db.pool.options }));
  const applied = await Promise.all(rivals.map((rival) => migrate(rival, undefined, { migrations })));
  await Promise.all(rivals.map((rival) => rival.close()));
  expect(applied.flat().sort((a, b) => a - b)).toEqual(numbers);
  expect(await appliedNumbers(db)).toEqual(numbers);
});

test('a migration that was edited after it was applied is refused', async () => {
  const db = await testDatabase();
  await db.query(`update schema_migrations set checksum = 'other' where number = 1`);
  await expect(migrate(db)).rejects.toThrow('migration 1 (baseline) was changed after');
});

test('a database that a newer release has migrated is refused', async () => {
  const db = await testDatabase();
  await db.query(`insert into schema_migrations values ($1, 'from_the_future', 'x')`, [known + 1]);
  await expect(migrate(db)).rejects.toThrow(
    `the database is at schema ${known + 1}, this release knows ${known}`,
  );
  await expect(migrate(db, 1)).rejects.toThrow('start a newer release');
});

test('a database of other beginnings is refused, whatever it has and knows, with what to do', async () => {
  const sentence =
    'this database was made by a version before 0.1.0, whose data cannot be carried over: start with an empty database, or keep using that version';
  for (const applied of [1, 2, 134]) {
    const db = await emptyDatabase();
    // As it was before `needs_schema`.
    await db.query('create table schema_migrations (number integer primary key, name text, checksum text)');
    await db.query(
      `insert into schema_migrations select n, case n when 1 then 'merchants_and_keys' else 'next' end, 'x'
         from generate_series(1, $1) as n`,
      [applied],
    );
    await expect(migrate(db)).rejects.toThrow(sentence);
    await expect(migrate(db, 1)).rejects.toThrow(sentence);
    expect(await readSchemaState(db)).toMatchObject({ problem: sentence });
    expect(await appliedNumbers(db)).toHaveLength(applied);
  }
});

test('a migration that fails leaves nothing behind, and works when the cause is gone', async () => {
  const db = await emptyDatabase();
  await migrate(db);
  // In the way of the last statement of the next migration, when most of it is done.
  await db.query('create table colours (in_the_way integer)');
  const before = await dumpSchema(db);

  await expect(migrate(db, undefined, { migrations })).rejects.toThrow(
    `migration ${known + 1} (colours) failed`,
  );
  expect(await dumpSchema(db)).toBe(before);
  expect(await appliedNumbers(db)).toEqual(numbers.slice(0, known));

  await db.query('drop table colours');
  expect(await migrate(db, undefined, { migrations })).toEqual(numbers.slice(known));
});

test('a refused migration lets go of its lock', async () => {
  const db = await testDatabase();
  await db.query(`update schema_migrations set checksum = 'other' where number = 1`);
  await expect(migrate(db)).rejects.toThrow();
  const held = await db.query(`select from pg_locks where locktype = 'advisory' and database = (
    select oid from pg_database where datname = current_database())`);
  expect(held).toEqual([]);
});
