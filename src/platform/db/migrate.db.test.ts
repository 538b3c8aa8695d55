import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { fillTables, readTables } from '../../../test/support/rows.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { parseMigration, readMigrations } from './migrations.ts';
import { dumpSchema } from './schema-dump.ts';
import { countPendingMigrations } from './schema-state.ts';

const numbers = (await readMigrations()).map((migration) => migration.number);
const last = numbers.length;

const emptyDatabase = () => testDatabase({ template: 'template0' });

async function appliedNumbers(db: Database): Promise<number[]> {
  const rows = await db.query<{ number: number }>('select number from schema_migrations order by number');
  return rows.map((row) => row.number);
}

test('an empty database gets every migration, and a second run does nothing', async () => {
  const db = await emptyDatabase();
  expect(await countPendingMigrations(db)).toBe(last);
  expect(await migrate(db)).toEqual(numbers);
  expect(await migrate(db)).toEqual([]);
  expect(await appliedNumbers(db)).toEqual(numbers);
  expect(await countPendingMigrations(db)).toBe(0);
});

test('a new database gets in one transaction what can share one', async () => {
  const db = await emptyDatabase();
  await migrate(db);
  const rows = await db.query<{ numbers: number[] }>(
    'select array_agg(number order by number) as numbers from schema_migrations group by xmin::text order by min(number)',
  );
  const together: number[][] = [];
  let before = '';
  for (const { number, mode } of await readMigrations()) {
    if (mode === 'transaction' && before === mode) together.at(-1)!.push(number);
    else together.push([number]);
    before = mode;
  }
  expect(rows.map((row) => row.numbers)).toEqual(together);
  expect(await dumpSchema(db)).toBe(presentSchema);
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

const presentSchema = await readFile(new URL('../../../migrations/schema.sql', import.meta.url), 'utf8');

/** Grows by one migration for each test that clones it: to start from none each time would double the work. */
let growing: Database;
beforeAll(async () => {
  growing = await emptyDatabase();
});

async function databaseAt(upTo: number): Promise<Database> {
  const { options } = growing.pool;
  const step = openDatabase({ connection: options });
  await migrate(step, upTo);
  expect(await appliedNumbers(step)).toEqual(numbers.slice(0, upTo));
  // Only a database that nobody is connected to can be cloned.
  await step.close();
  return testDatabase({ template: options.database! });
}

/** All the way from each would be thousands of migrations, more with every new one: most go only as far as one can trip over another. */
const NEAR = 6;
const WHOLE_EVERY = 10;

test.each(numbers)(
  'a database in use at schema %i keeps its rows, and ends at the same schema',
  async (upTo) => {
    const db = await databaseAt(upTo);
    await fillTables(db);
    const before = await readTables(db);
    const isWhole = upTo % WHOLE_EVERY === 1 || upTo >= last - NEAR;
    const end = isWhole ? last : upTo + NEAR;
    expect(await migrate(db, end)).toEqual(numbers.slice(upTo, end));
    expect(await readTables(db, before)).toEqual(before);
    if (isWhole) expect(await dumpSchema(db)).toBe(presentSchema);
  },
);

test('many processes that start at once apply each migration once', async () => {
  const db = await emptyDatabase();
  const rivals = Array.from({ length: 5 }, () => openDatabase({ connection: db.pool.options }));
  const applied = await Promise.all(rivals.map((rival) => migrate(rival)));
  await Promise.all(rivals.map((rival) => rival.close()));
  expect(applied.flat().sort((a, b) => a - b)).toEqual(numbers);
  expect(await appliedNumbers(db)).toEqual(numbers);
});

test('a migration that was edited after it was applied is refused', async () => {
  const db = await testDatabase();
  await db.query(`update schema_migrations set checksum = 'other' where number = 1`);
  await expect(migrate(db)).rejects.toThrow('migration 1 (merchants_and_keys) was changed after');
});

test('a database that a newer release has migrated is refused', async () => {
  const db = await testDatabase();
  await db.query(`insert into schema_migrations values ($1, 'from_the_future', 'x')`, [last + 1]);
  await expect(migrate(db)).rejects.toThrow(
    `the database is at schema ${last + 1}, this release knows ${last}`,
  );
  await expect(migrate(db, 1)).rejects.toThrow('start a newer release');
});

test('a migration that fails leaves nothing behind, and works when the cause is gone', async () => {
  const db = await emptyDatabase();
  await migrate(db, 1);
  // In the way of the last statements of the second migration, when most of it is done.
  await db.query('create table idempotency_keys (in_the_way integer)');
  const before = await dumpSchema(db);

  await expect(migrate(db)).rejects.toThrow('migration 2 (intents_and_events) failed');
  expect(await dumpSchema(db)).toBe(before);
  expect(await appliedNumbers(db)).toEqual([1]);

  await db.query('drop table idempotency_keys');
  expect(await migrate(db)).toEqual(numbers.slice(1));
});

test('a refused migration lets go of its lock', async () => {
  const db = await testDatabase();
  await db.query(`update schema_migrations set checksum = 'other' where number = 1`);
  await expect(migrate(db)).rejects.toThrow();
  const held = await db.query(`select from pg_locks where locktype = 'advisory' and database = (
    select oid from pg_database where datname = current_database())`);
  expect(held).toEqual([]);
});
