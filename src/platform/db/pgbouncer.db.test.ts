import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { startDatabaseProxy } from '../../../test/support/database-proxy.ts';
import { withNextMigrations } from '../../../test/support/next-migrations.ts';
import { startPgBouncer } from '../../../test/support/pgbouncer.ts';
import { type Database, openDatabase } from './database.ts';
import { isBusy } from './database-errors.ts';
import { migrate } from './migrate.ts';

/** In transaction mode, with fewer connections than its clients have. */
async function throughPgBouncer(database: string): Promise<string> {
  const { port: upstream } = await startDatabaseProxy();
  const { port } = await startPgBouncer({ database, port: upstream, mode: 'transaction', poolSize: 3 });
  return `postgres://florin@127.0.0.1:${port}/${database}?sslmode=disable`;
}

function openThrough(url: string): Database {
  const db = openDatabase({ connection: [url], poolSize: 2, preparedStatements: false });
  cleanUp(() => db.close());
  return db;
}

test('behind PgBouncer in transaction mode: many processes migrate at once, and no lock or timeout stays behind', async () => {
  const direct = await testDatabase({ template: 'template0' });
  const url = await throughPgBouncer(direct.pool.options.database!);
  const migrations = withNextMigrations;
  const all = migrations.map(({ number }) => number);

  const first = await Promise.all(
    Array.from({ length: 8 }, () => migrate(openThrough(url), undefined, { migrations })),
  );
  expect(first.flat().sort((a, b) => a - b)).toEqual(all);
  const restarted = await Promise.all(
    Array.from({ length: 8 }, () => migrate(openThrough(url), undefined, { migrations })),
  );
  expect(restarted.flat()).toEqual([]);
  expect(
    await direct.query(`select from pg_locks where locktype = 'advisory' and database = (
      select oid from pg_database where datname = current_database())`),
  ).toEqual([]);

  // Transactions have their timeouts all the same, and leave them to nobody.
  const db = openThrough(url);
  const timeout = (tx: Pick<Database, 'query'>) => tx.query(`select current_setting('lock_timeout') as is`);
  expect(await db.transaction(timeout)).toEqual([{ is: '5s' }]);
  expect(await timeout(db)).toEqual([{ is: '0' }]);
  await direct.withConnection(async (client) => {
    await client.query('begin; lock table merchants');
    const blocked = await db.transaction((tx) => tx.query('delete from merchants')).catch((error) => error);
    expect(isBusy(blocked)).toBe(true);
    await client.query('rollback');
  });
});
