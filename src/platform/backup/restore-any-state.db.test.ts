import { expect, test } from 'vitest';
import { backupOf, inPieces } from '../../../test/support/backups.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { fillTables, readTables } from '../../../test/support/rows.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { dumpSchema } from '../db/schema-dump.ts';
import { restore } from './restore.ts';

/** The schema in which merchants can first be closed. */
const FIRST_CLOSED = 100;
const SHOP = '01900000-0000-7000-8000-000000000001';

const emptyDatabase = () => testDatabase({ template: 'template0' });

async function expectRestored(source: Database): Promise<Database> {
  const target = await emptyDatabase();
  await restore(target, inPieces(await backupOf(source)));
  expect(await readTables(target)).toEqual(await readTables(source));
  return target;
}

test('a merchant that was closed for a move comes back closed, and so does everybody else', async () => {
  const source = await testDatabase();
  await fillTables(source);
  await source.query('update merchants set closed_at = now() where id = $1', [SHOP]);
  const target = await expectRestored(source);
  expect(await dumpSchema(target)).toEqual(await dumpSchema(source));
  // The triggers that guard rows are active again.
  await expect(target.query('delete from audit_entries')).rejects.toThrow();
  await expect(
    target.query(
      `insert into audit_entries (id, merchant_id, actor, action, created_at) values (gen_random_uuid(), $1, 'a', 'b', now())`,
      [SHOP],
    ),
  ).rejects.toThrow('the merchant is closed');
});

test('a closed merchant in a backup of an earlier release comes back, too', async () => {
  const source = await emptyDatabase();
  await migrate(source, FIRST_CLOSED);
  await source.query(`insert into merchants (id, webhook_secret, created_at) values ($1, '', now())`, [SHOP]);
  await source.query(
    `insert into audit_entries (id, merchant_id, actor, action, created_at) values (gen_random_uuid(), $1, 'a', 'b', now())`,
    [SHOP],
  );
  await source.query('update merchants set closed_at = now()');
  const file = await backupOf(source);
  const target = await emptyDatabase();
  await restore(target, inPieces(file));
  expect(await target.query('select from audit_entries')).toHaveLength(1);
  await migrate(source);
  expect(await dumpSchema(target)).toEqual(await dumpSchema(source));
});

test('rows that are older than a rule come back, and the rule is for new rows as before', async () => {
  const source = await testDatabase();
  await fillTables(source);
  const rules = await source.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where not convalidated order by 1, 2`,
  );
  expect(rules.length).toBeGreaterThan(20);
  const rule = rules.find(({ name }) => name === 'customers_country_check')!;
  await source.query(`alter table customers drop constraint ${rule.name}`);
  await source.query(`update customers set country = 'de' where erased_at is null`);
  await source.query(`alter table customers add constraint ${rule.name} ${rule.definition}`);
  const target = await expectRestored(source);
  expect(await dumpSchema(target)).toEqual(await dumpSchema(source));
  await expect(target.query(`update customers set name = 'x' where country = 'de'`)).rejects.toThrow(
    rule.name,
  );
});
