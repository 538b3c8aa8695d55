import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';

test('statements that connections know from before a migration run on: alone, and in a transaction', async () => {
  const db = await testDatabase();
  await db.query('create table changing (name text)');
  await db.query(`insert into changing values ('a')`);
  const read = () => db.query('select name from changing');
  // Several connections, each with the statement prepared.
  await Promise.all(Array.from({ length: 6 }, read));
  await db.query('alter table changing alter column name type varchar(20)');
  const answers = await Promise.all(Array.from({ length: 12 }, read));
  expect(answers).toEqual(Array.from({ length: 12 }, () => [{ name: 'a' }]));

  const inTransaction = () => db.transaction((tx) => tx.query('select name, 1 as one from changing'));
  await Promise.all(Array.from({ length: 6 }, inTransaction));
  await db.query('alter table changing alter column name type text');
  const more = await Promise.all(Array.from({ length: 12 }, inTransaction));
  expect(more).toEqual(Array.from({ length: 12 }, () => [{ name: 'a', one: 1 }]));
});
