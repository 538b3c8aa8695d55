import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { dumpSchema } from './schema-dump.ts';

const checkedIn = new URL('../../../migrations/schema.sql', import.meta.url);

test('migrations/schema.sql shows what the migrations make', async () => {
  const dump = await dumpSchema(await testDatabase());
  const file = await readFile(checkedIn, 'utf8').catch(() => '');
  expect(file, 'migrations/schema.sql is stale: run `npm run schema` and commit what it wrote').toBe(dump);
});

test.each([
  ['an index is gone', 'drop index payment_intents_due'],
  ['a trigger is gone', 'drop trigger audit_entries_only_grow on audit_entries'],
  ['a constraint is gone', 'alter table merchants drop constraint merchants_check'],
  ['a default is another', 'alter table terminals alter is_active set default false'],
  ['a column may be null', 'alter table events alter body drop not null'],
  ['a column is new', 'alter table events add note text collate "C"'],
  ['a column is generated', 'alter table events add size integer generated always as (length(body)) stored'],
  ['a sequence is new', 'alter table events add position bigint generated always as identity'],
  [
    'a function does something else',
    `create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'`,
  ],
  ['a table setting is another', 'alter table events set (fillfactor = 50)'],
])('the dump differs when %s', async (_, change) => {
  const db = await testDatabase();
  const before = await dumpSchema(db);
  await db.query(change);
  expect(await dumpSchema(db)).not.toBe(before);
});

test.each([
  ['a view', 'create view v as select 1 as one'],
  ['a type', `create type v as enum ('a')`],
])('the dump refuses %s, which it would not show', async (_, change) => {
  const db = await testDatabase();
  await db.query(change);
  await expect(dumpSchema(db)).rejects.toThrow('the schema dump cannot show v');
});
