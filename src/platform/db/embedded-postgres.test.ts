import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { postgresPid, temporaryFolder } from '../../../test/support/process.ts';
import { DataFolderInUse, findHolder, lockDataFolder, processStart } from './data-folder-lock.ts';
import { openDatabase } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { ensurePrivateFolder } from './private-folder.ts';
import { giveTo, namedUser, SERVER_UID } from './server-user.ts';

const start = (dataFolder: string, purpose: 'service' | 'command' = 'service') =>
  startEmbeddedPostgres({ dataFolder, purpose });

/** Waits for something another process does; ends only when it happened or the test's own limit is reached. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

/** Starts a server from a process of its own and leaves it running. */
async function startElsewhere(dataFolder: string): Promise<ChildProcess> {
  const code = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))});
    await startEmbeddedPostgres({ dataFolder: ${JSON.stringify(dataFolder)}, purpose: 'service' });
    console.log('ready');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
}

test('starts in a private folder with a very long path, keeps its data, and leaves no process behind', async () => {
  const parent = await temporaryFolder(cleanUp);
  await chmod(parent, 0o700);
  const folder = join(parent, 'x'.repeat(120), 'data');
  const first = await start(folder);
  const db = openDatabase({ connection: first.connection });
  await db.query('create table kept (value bigint)');
  await db.query('insert into kept values (9223372036854775807)');
  await db.close();
  const pid = first.pid()!;
  await first.stop();
  expect(await processStart(pid)).toBeUndefined();
  expect(await findHolder(folder)).toBeUndefined();

  const second = await start(folder);
  const again = openDatabase({ connection: second.connection });
  expect(await again.query('select value from kept')).toEqual([{ value: 9223372036854775807n }]);
  expect(
    await again.query(
      `select current_setting('fsync') as fsync, current_setting('data_checksums') as sums, current_setting('listen_addresses') as listen`,
    ),
  ).toEqual([{ fsync: 'on', sums: 'on', listen: '' }]);
  await again.close();
  await second.stop();
  expect((await stat(join(folder, 'postgres'))).mode & 0o777).toBe(0o700);
});

const isRoot = process.getuid?.() === 0;
const OWN_UID = isRoot ? SERVER_UID : process.getuid!();

/** Owner of a process, as the kernel has it. */
async function uidOf(pid: number): Promise<number> {
  return Number(/^Uid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]);
}

async function ownersIn(folder: string): Promise<Set<number>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const owners = await Promise.all(
    entries.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).uid),
  );
  return new Set([(await stat(folder)).uid, ...owners]);
}

test('the server lets in us by what the kernel says, and nobody by trust, also in a cluster that trusted', async () => {
  const folder = await temporaryFolder(cleanUp);
  const cluster = join(folder, 'postgres', 'cluster');
  for (let round = 0; round < 2; round++) {
    const server = await start(folder);
    const db = openDatabase({ connection: server.connection });
    expect(
      await db.query('select type, database, user_name, auth_method, error from pg_hba_file_rules'),
    ).toEqual([{ type: 'local', database: ['all'], userName: ['florin'], authMethod: 'peer', error: null }]);
    await db.query('create role stranger login superuser');
    const other = new pg.Client({ ...server.connection, user: 'stranger' });
    await expect(other.connect()).rejects.toThrow('no pg_hba.conf entry');
    await db.query('drop role stranger');
    await db.close();
    await server.stop();
    await writeFile(join(cluster, 'pg_hba.conf'), 'local all all trust\n');
    await writeFile(join(cluster, 'pg_ident.conf'), 'florin /^.*$ florin\n');
  }
});

test('the server runs as a user of its own under root, also one that ran as nobody, and else as we do', async () => {
  const folder = await temporaryFolder(cleanUp);
  const postgres = join(folder, 'postgres');
  const first = await start(folder);
  expect(await uidOf(first.pid()!)).toBe(OWN_UID);
  const db = openDatabase({ connection: first.connection });
  await db.query('create table kept as select 7 as value');
  await db.close();
  await first.stop();
  expect(await ownersIn(join(postgres, 'cluster'))).toEqual(new Set([OWN_UID]));
  if (isRoot) await giveTo(await namedUser(), postgres);

  const second = await start(folder);
  expect(await uidOf(second.pid()!)).toBe(OWN_UID);
  expect(await ownersIn(join(postgres, 'cluster'))).toEqual(new Set([OWN_UID]));
  const again = openDatabase({ connection: second.connection });
  expect(await again.query('select value from kept')).toEqual([{ value: 7 }]);
  await again.close();
  await second.stop();
});

test('under root an operator may choose the user, and it stays chosen', async () => {
  const folder = await temporaryFolder(cleanUp);
  const uids = [];
  for (const serverUid of [undefined, 60_721, undefined]) {
    const server = await startEmbeddedPostgres({ dataFolder: folder, purpose: 'service', serverUid });
    uids.push(await uidOf(server.pid()!));
    await server.stop();
  }
  expect(uids).toEqual(isRoot ? [SERVER_UID, 60_721, 60_721] : [OWN_UID, OWN_UID, OWN_UID]);
});

test('the data folder is for its owner alone: made so, and closed where it was open; a shared one is left', async () => {
  const parent = await temporaryFolder(cleanUp);
  const folder = join(parent, 'new', 'data');
  const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;
  await (await start(folder)).stop();
  expect(await modeOf(folder)).toBe(0o700);
  await chmod(folder, 0o755);
  const server = await start(folder);
  expect(await modeOf(folder)).toBe(0o700);
  expect(await modeOf(join(folder, 'postgres'))).toBe(0o700);
  await server.stop();
  await mkdir(join(parent, 'shared'));
  await chmod(join(parent, 'shared'), 0o1777);
  await ensurePrivateFolder(join(parent, 'shared'));
  expect(await modeOf(join(parent, 'shared'))).toBe(0o1777);
});

test('a data folder that is a file is called one, and so is a part of its path', async () => {
  const path = join(await temporaryFolder(cleanUp), 'data');
  await writeFile(path, '');
  await expect(ensurePrivateFolder(path)).rejects.toThrow(`${path} is a file, not a folder`);
  await expect(ensurePrivateFolder(join(path, 'inner'))).rejects.toThrow('is a file, not a folder');
});

test('a half-made cluster and a half-made lock are no obstacle', async () => {
  const folder = await temporaryFolder(cleanUp);
  await mkdir(join(folder, 'postgres', 'cluster.new', 'base'), { recursive: true });
  await writeFile(join(folder, 'postgres', 'cluster.new', 'PG_VERSION'), '18\n');
  await writeFile(join(folder, 'florin.lock'), '{"pid":');
  const server = await start(folder);
  expect(await readdir(join(folder, 'postgres'))).not.toContain('cluster.new');
  await server.stop();
});

test('a stale pid file is no obstacle, also when its number now belongs to somebody else', async () => {
  const folder = await temporaryFolder(cleanUp);
  await (await start(folder)).stop();
  const path = join(folder, 'postgres', 'cluster', 'postmaster.pid');
  for (const pid of [process.pid, 999_999_999, 1]) {
    await writeFile(path, `${pid}\n/somewhere\n1\n5432\n\n\n  1  1\nready\n`);
    const server = await start(folder);
    await server.stop();
  }
  expect(await processStart(process.pid)).toBeDefined();
});

test('kill -9 of the owner: the server does not stay behind, and the next start is clean', async () => {
  const folder = await temporaryFolder(cleanUp);
  const owner = await startElsewhere(folder);
  const pid = await postgresPid(folder);
  owner.kill('SIGKILL');
  await until(async () => (await processStart(pid)) === undefined);
  const server = await start(folder);
  await server.stop();
});

test('a server that outlived its owner and its guard is ended by the next start', async () => {
  const folder = await temporaryFolder(cleanUp);
  const owner = await startElsewhere(folder);
  const pid = await postgresPid(folder);
  const guards = await guardsOf(pid);
  expect(guards).toHaveLength(1);
  for (const guard of guards) process.kill(guard, 'SIGKILL');
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  expect(await processStart(pid)).toBeDefined();
  const server = await start(folder);
  expect(await processStart(pid)).toBeUndefined();
  await server.stop();
});

async function guardsOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids
    .filter((_name, i) => lines[i]!.includes('florin-guard') && lines[i]!.endsWith(`\0${pid}\0`))
    .map(Number);
}

test('kill -9 of PostgreSQL: it is started again and accepts connections', async () => {
  const folder = await temporaryFolder(cleanUp);
  const messages: string[] = [];
  const server = await startEmbeddedPostgres({
    dataFolder: folder,
    purpose: 'service',
    onCrash: (message) => messages.push(message),
  });
  const db = openDatabase({ connection: server.connection });
  await db.query('create table kept as select generate_series(1, 1000) as n');
  for (let round = 0; round < 3; round++) {
    const pid = server.pid()!;
    process.kill(pid, 'SIGKILL');
    let rows: unknown[] | undefined;
    await until(async () => {
      if (server.pid() !== pid) rows = await count(server.connection).catch(() => undefined);
      return rows !== undefined;
    });
    expect(rows).toEqual([{ n: 1000 }]);
  }
  expect(messages.length).toBeGreaterThanOrEqual(3);
  await db.close();
  await server.stop();
});

/** On a connection of its own: those to a server that was killed may still answer for a moment. */
async function count(connection: pg.PoolConfig): Promise<unknown[]> {
  const db = openDatabase({ connection, poolSize: 1 });
  return db.query('select count(*)::integer as n from kept').finally(() => db.close());
}

test('a second service on the folder is refused, a command waits for a command', async () => {
  const folder = await temporaryFolder(cleanUp);
  const server = await start(folder);
  await expect(start(folder)).rejects.toThrow(DataFolderInUse);
  await expect(start(folder)).rejects.toThrow(`process ${process.pid}`);
  await server.stop();
  const unlock = await lockDataFolder(folder, 'command');
  const waiting = lockDataFolder(folder, 'command');
  await unlock();
  await (await waiting)();
});

test('fifty rivals for one lock: exactly one at a time holds it', async () => {
  const folder = await temporaryFolder(cleanUp);
  await writeFile(
    join(folder, 'florin.lock'),
    JSON.stringify({ pid: 999_999_999, startedAt: '1', purpose: 'service' }),
  );
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => lockDataFolder(folder, 'service')),
  );
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  await rm(join(folder, 'florin.lock'));
});
