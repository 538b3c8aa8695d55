import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { startDatabaseProxy } from '../../../test/support/database-proxy.ts';
import { requireTool } from '../../../test/support/debian.ts';
import { withNextMigrations } from '../../../test/support/next-migrations.ts';
import { freePort, temporaryFolder } from '../../../test/support/process.ts';
import { type Database, openDatabase } from './database.ts';
import { isBusy } from './database-errors.ts';
import { migrate } from './migrate.ts';
import { namedUser } from './server-user.ts';

/** The real one, in transaction mode, with fewer connections than its clients have. */
async function startPgBouncer(database: string): Promise<string> {
  requireTool('pgbouncer');
  const [{ port: upstream }, port, folder] = await Promise.all([
    startDatabaseProxy(),
    freePort(),
    temporaryFolder(cleanUp),
  ]);
  const settings = join(folder, 'pgbouncer.ini');
  await chmod(folder, 0o755);
  await writeFile(
    settings,
    `[databases]
${database} = host=127.0.0.1 port=${upstream} user=florin
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn('/usr/sbin/pgbouncer', [settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && (await namedUser())),
  });
  cleanUp(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  for await (const line of createInterface(child.stderr)) if (line.includes('process up')) break;
  child.stderr.resume();
  return `postgres://florin@127.0.0.1:${port}/${database}?sslmode=disable`;
}

function openThrough(url: string): Database {
  const db = openDatabase({ connection: [url], poolSize: 2, preparedStatements: false });
  cleanUp(() => db.close());
  return db;
}

test('behind PgBouncer in transaction mode: many processes migrate at once, and no lock or timeout stays behind', async () => {
  const direct = await testDatabase({ template: 'template0' });
  const url = await startPgBouncer(direct.pool.options.database!);
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
