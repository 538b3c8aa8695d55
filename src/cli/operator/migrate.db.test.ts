import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { withNextMigrations } from '../../../test/support/next-migrations.ts';
import { readConfig } from '../../config/config.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import { countPendingMigrations } from '../../platform/db/schema-state.ts';
import { secretBox } from '../../platform/lib/secret-box.ts';
import type { CommandContext } from './context.ts';
import { migrateCommand } from './migrate.ts';

/** The release that follows this one, on a database of this one. */
const all = withNextMigrations;
const before = (await readMigrations()).length;
const pending = all.slice(before).map(({ number }) => number);

let template: string;
beforeAll(async () => {
  const { options } = (await testDatabase({ template: 'template0' })).pool;
  // Only a database that nobody is connected to can be cloned.
  const step = openDatabase({ connection: options });
  await migrate(step, before);
  await step.close();
  template = options.database!;
});

/** Nobody is connected to it before its first statement. */
const databaseBefore = () => testDatabase({ template });

const urlOf = ({ pool: { options } }: Database) =>
  `postgres://florin@localhost/${options.database}?host=${encodeURIComponent(options.host!)}`;

async function run(db: Database, options: { check?: boolean; on?: string }) {
  const printed: { result: object; text: string }[] = [];
  const context: CommandContext = {
    ...{ db, config: readConfig({}), secrets: secretBox(randomBytes(32)), keyFile: undefined },
    print: (result, text) => printed.push({ result, text }),
    say: () => {},
  };
  await migrateCommand(context, options, all);
  return printed[0]!;
}

test('--check names what is pending and what it locks, and changes nothing', async () => {
  const db = await databaseBefore();
  await db.query('analyze payment_intents');
  const { result, text } = await run(db, { check: true });
  expect(result).toMatchObject({ pending: pending.map((number) => ({ number })) });
  expect(text).toContain(
    `${before + 1} colours, in one transaction\n  payment_intents (about 0 rows): blocks reads and writes for a moment\n`,
  );
  expect(text).toContain(`${before + 3} fill_colours, in batches`);
  expect(text).toMatch(/ {2}merchants \(1 MB\): blocks/);
  expect(await countPendingMigrations(db, all)).toBe(pending.length);

  expect((await run(db, {})).text).toContain(`Applied migrations ${pending.join(', ')}.`);
  expect((await run(db, { check: true })).text).toBe('The schema is up to date.');
});

test('--on migrates a copy and says how long each lock was held; the database itself stays as it is', async () => {
  const [db, copy] = [await databaseBefore(), await databaseBefore()];
  const url = urlOf(copy);
  const { result, text } = await run(db, { check: true, on: url });
  expect(result).toMatchObject({ measured: pending.map((number) => ({ number })) });
  expect(text).toMatch(
    /^\d+ colours, in one transaction: \d+ ms\n {2}payment_intents: blocks reads and writes for \d+ ms$/m,
  );
  expect(await countPendingMigrations(db, all)).toBe(pending.length);
  expect((await run(db, { check: true, on: url })).text).toBe('The schema of the copy is up to date.');
});

test('--on refuses the database itself, and one that others use', async () => {
  const db = await databaseBefore();
  await expect(run(db, { check: true, on: urlOf(db) })).rejects.toThrow(
    '--on is the database of this installation',
  );
  const used = await databaseBefore();
  await used.query('select 1');
  await expect(run(db, { check: true, on: urlOf(used) })).rejects.toThrow('--on is a database in use');
  expect(await countPendingMigrations(used, all)).toBe(pending.length);
  await expect(run(db, { on: urlOf(db) })).rejects.toThrow('--on is for --check only');
  await expect(run(db, { check: true, on: 'copy' })).rejects.toThrow('--on takes the URL of a copy');
});

test('a database of other beginnings is refused with what to do, to look and to change', async () => {
  const db = await databaseBefore();
  await db.query(`update schema_migrations set name = 'merchants_and_keys', checksum = 'x' where number = 1`);
  const sentence = /was made by a version before 0\.1\.0, .*: start with an empty database/;
  await expect(run(db, {})).rejects.toThrow(sentence);
  await expect(run(db, { check: true })).rejects.toThrow(sentence);
});
