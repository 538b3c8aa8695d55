import { expect, test } from 'vitest';
import { backupOf, inPieces } from '../../../test/support/backups.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { NEXT_ROWS, withNextMigrations } from '../../../test/support/next-migrations.ts';
import { fillTables, readTables, SHOP } from '../../../test/support/rows.ts';
import type { Database } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import { dumpSchema } from '../../platform/db/schema-dump.ts';
import { restore } from './restore.ts';

const known = (await readMigrations()).length;

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
  await migrate(source);
  await source.query(`insert into merchants (id, webhook_secret, created_at) values ($1, '', now())`, [SHOP]);
  await source.query(
    `insert into audit_entries (id, merchant_id, actor, action, created_at) values (gen_random_uuid(), $1, 'a', 'b', now())`,
    [SHOP],
  );
  await source.query('update merchants set closed_at = now()');
  const file = await backupOf(source);
  const target = await emptyDatabase();
  await restore(target, inPieces(file), undefined, { migrations: withNextMigrations });
  expect(await target.query('select from audit_entries')).toHaveLength(1);
  await migrate(source, undefined, { migrations: withNextMigrations });
  expect(await dumpSchema(target)).toEqual(await dumpSchema(source));
});

test('rows that are older than a rule come back, and the rule is for new rows as before', async () => {
  const migrations = withNextMigrations.slice(0, known + 1);
  const source = await emptyDatabase();
  await migrate(source, undefined, { migrations });
  await fillTables(source, NEXT_ROWS);
  const [rule] = await source.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where not convalidated`,
  );
  await source.query(`alter table payment_intents drop constraint ${rule!.name}`);
  await source.query('update payment_intents set shade = -1');
  await source.query(`alter table payment_intents add constraint ${rule!.name} ${rule!.definition}`);
  const target = await emptyDatabase();
  await restore(target, inPieces(await backupOf(source)), undefined, { migrations });
  expect(await readTables(target)).toEqual(await readTables(source));
  expect(await dumpSchema(target)).toEqual(await dumpSchema(source));
  await expect(target.query('update payment_intents set sequence = 9 where shade = -1')).rejects.toThrow(
    rule!.name,
  );
});
