import { expect, test, vi } from 'vitest';
import { testDatabase, untilBlocked } from '../../../test/support/database.ts';
import { testService } from '../../../test/support/service.ts';
import { type Database, openDatabase } from './database.ts';
import { measureMigrations } from './measure-migrations.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { type Migration, parseMigration, readMigrations } from './migrations.ts';
import { dumpSchema } from './schema-dump.ts';
import { countPendingMigrations, readSchemaState } from './schema-state.ts';

const known = await readMigrations();
const ALONE = '-- @expands\n-- @each-statement-alone';
const BATCHES = '-- @expands\n-- @in-batches';

/** The migrations of the next release, after all that this one knows. */
const release = (...files: string[]): Migration[] => [
  ...known,
  ...files.map((sql, i) => parseMigration(known.length + 1 + i, `next_${i + 1}`, sql)),
];

/** Migrates over its own connections, as another process does. */
async function migrateBeside(db: Database, migrations: Migration[], options: MigrateOptions = {}) {
  const other = openDatabase({ connection: db.pool.options });
  try {
    return await migrate(other, Number.POSITIVE_INFINITY, { migrations, ...options });
  } finally {
    await other.close();
  }
}

test('no request fails while another process expands the tables it uses', async () => {
  const { db, createMerchant } = await testService();
  const { call } = await createMerchant();
  const next = release(
    `-- @expands
     alter table payment_intents add column colour text, add column shade integer not null default 1;
     alter table payment_intents add constraint shade_check check (shade > 0) not valid;
     create table colours (id uuid primary key)`,
    `${ALONE}\ncreate index concurrently payment_intents_by_colour on payment_intents (merchant_id, colour);
     alter table payment_intents validate constraint shade_check`,
    `${BATCHES}\nupdate payment_intents set colour = 'red' where (merchant_id, id) in (
       select merchant_id, id from payment_intents where colour is null and created_at < now() limit 5)`,
  );
  const statuses: number[] = [];
  let isMigrated = false;
  let afterwards = 0;
  const client = async (name: string) => {
    for (let i = 0; afterwards < 40; i++) {
      const created = await call('POST', '/api/merchants/intents', {
        amountCents: 100,
        orderId: `${name}-${i}`,
      });
      const read = await call('GET', `/api/merchants/intents/${created.body.id}`);
      statuses.push(created.status, read.status);
      if (isMigrated) afterwards++;
    }
  };
  const clients = Promise.all(['a', 'b', 'c', 'd'].map(client));
  const applied = await migrateBeside(db, next.slice(0, -1));
  isMigrated = true;
  await clients;
  expect(applied).toEqual([known.length + 1, known.length + 2]);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [{ count }] = (await db.query('select count(*)::int as count from payment_intents')) as [
    { count: number },
  ];
  expect(count).toBe(statuses.length / 2);

  expect(await migrateBeside(db, next)).toEqual([known.length + 3]);
  expect(await db.query('select from payment_intents where colour is null')).toEqual([]);
  // This release does not know them, and is restarted all the same.
  expect(await migrate(db)).toEqual([]);
  expect(await readSchemaState(db)).toEqual({ pending: 0, beyond: 3, problem: undefined });
});

test('a release starts on a newer schema only if everything it does not know suits it', async () => {
  const last = known.length;
  const files = [
    '-- @expands\ncreate table a (id uuid)',
    `-- @needs-schema ${last}\ncreate table b (id uuid)`,
  ];
  const db = await testDatabase();
  await migrateBeside(db, release(...files));
  expect(await migrate(db)).toEqual([]);

  files.push(`-- @needs-schema ${last + 1}\ndrop table a`);
  await migrateBeside(db, release(...files));
  const reason = `the database is at schema ${last + 3}, this release knows ${last}, and migration ${last + 3} (next_3) needs ${last + 1}: start a newer release`;
  await expect(migrate(db)).rejects.toThrow(reason);
  // One that is running already is not ready any more.
  expect(await readSchemaState(db)).toEqual({ pending: 0, beyond: 3, problem: reason });
});

test('an index that an interruption left unfinished is made again, by one of many processes', async () => {
  const db = await testDatabase();
  await db.query('create table colours (id integer, name text)');
  await db.query(`insert into colours values (1, 'red'), (2, 'red')`);
  const next = release(`${ALONE}\ncreate unique index concurrently colours_once on colours (name);
    create index concurrently colours_by_id on colours (id)`);
  const isValid = () =>
    db.query(`select relname::text as name, indisvalid as valid from pg_index join pg_class on oid = indexrelid
               where indrelid = 'colours'::regclass order by 1`);
  await expect(migrateBeside(db, next)).rejects.toThrow(`migration ${known.length + 1} (next_1) failed`);
  expect(await isValid()).toEqual([{ name: 'colours_once', valid: false }]);
  expect(await countPendingMigrations(db, next)).toBe(1);

  await db.query(`update colours set name = 'blue' where id = 2`);
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrateBeside(db, next)));
  expect(applied.flat()).toEqual([known.length + 1]);
  expect(await isValid()).toEqual([
    { name: 'colours_by_id', valid: true },
    { name: 'colours_once', valid: true },
  ]);
});

test('a backfill continues where it was interrupted', async () => {
  const db = await testDatabase();
  await db.query('create table colours (id integer check (id <> 7 or name is null), name text)');
  await db.query('insert into colours select generate_series(1, 10)');
  const next = release(`${BATCHES}\nupdate colours set name = 'red' where id in (
    select id from colours where name is null order by id limit 3)`);
  const filled = () => db.query('select from colours where name is not null');
  await expect(migrateBeside(db, next)).rejects.toThrow('colours_check');
  expect(await filled()).toHaveLength(6);

  await db.query('alter table colours drop constraint colours_check');
  expect(await migrateBeside(db, next)).toEqual([known.length + 1]);
  expect(await filled()).toHaveLength(10);
});

test.each([
  ['in one transaction', '-- @expands\nalter table merchants add column colour text'],
  ['alone', `${ALONE}\nalter table merchants drop constraint if exists merchants_colour_check`],
])(
  'a migration %s behind a long transaction lets others pass, and gets its turn in the end',
  async (_, sql) => {
    const db = await testDatabase();
    const next = release(sql);
    const onBlocked = vi.fn<(problem: string) => void>();
    const impatient = { lockTimeoutMs: 20, pauseMs: 1, patienceMs: 0, onBlocked };
    await db.withConnection(async (reader) => {
      await reader.query('begin; select from merchants');
      const failed = migrateBeside(db, next, impatient);
      await expect(failed).rejects.toThrow(
        /next_1\) failed: .*lock timeout.* The oldest open transaction is that of process \d+ \(florin\)/,
      );
      expect(onBlocked.mock.calls).toEqual([[expect.stringContaining('The oldest open transaction')]]);
      const patient = migrateBeside(db, next, { ...impatient, patienceMs: Number.POSITIVE_INFINITY });
      for (let tries = 0; tries < 3; tries++) {
        await untilBlocked(db, patient);
        // Behind the migration in the queue of the table, and only for as long as one try of it.
        expect(await db.query('select id from merchants')).toEqual([]);
      }
      await reader.query('rollback');
      expect(await patient).toEqual([known.length + 1]);
    });
  },
);

test('a copy is migrated and tells what was locked, and ends at the same schema as any other', async () => {
  const copy = await testDatabase({ template: 'template0' });
  const measured = await measureMigrations(copy);
  expect(measured.map(({ number }) => number)).toEqual(known.map(({ number }) => number));
  expect(await dumpSchema(copy)).toBe(await dumpSchema(await testDatabase()));

  const next = release(
    `-- @expands
     create table colours (merchant_id uuid references merchants);
     create index colours_by_merchant on colours (merchant_id);
     alter table events add column colour text`,
    `${ALONE}\ncreate index concurrently events_by_colour on events (colour)`,
  );
  const locked = (await measureMigrations(copy, next)).map(({ mode, locks }) => [
    mode,
    locks.map(({ table, blocks }) => `${table}: ${blocks}`),
  ]);
  expect(locked).toEqual([
    ['transaction', ['merchants: writes', 'events: reads and writes']],
    ['statements', []],
  ]);
});
