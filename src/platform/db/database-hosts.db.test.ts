import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { startDatabaseProxy } from '../../../test/support/database-proxy.ts';
import { freePort, temporaryFolder } from '../../../test/support/process.ts';
import { openDatabase } from './database.ts';
import { DatabaseHosts, urlsOfHosts } from './database-hosts.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

test.each([
  ['postgres://u:p@one:5432/florin', ['postgres://u:p@one:5432/florin']],
  ['postgres:///florin?host=/run/postgresql', ['postgres:///florin?host=/run/postgresql']],
  [
    'postgresql://u:p@one,two:5433,[::1]:5434/florin?sslmode=require&target_session_attrs=read-write',
    [
      'postgresql://u:p@one/florin?sslmode=require',
      'postgresql://u:p@two:5433/florin?sslmode=require',
      'postgresql://u:p@[::1]:5434/florin?sslmode=require',
    ],
  ],
])('%s', (url, urls) => expect(urlsOfHosts(url)).toEqual(urls));

test.each([
  ['mysql://one/florin', 'must be a URL that starts with postgres:// or postgresql://'],
  ['florin', 'must be a URL that starts with postgres:// or postgresql://'],
  ['postgres://one,,two/florin', 'has an empty host between commas'],
  ['postgres://one:port,two/florin', 'has a host or port that cannot be read'],
  ['postgres://one/florin?target_session_attrs=standby', 'target_session_attrs must be read-write'],
])('refused: %s', (url, reason) => expect(() => urlsOfHosts(url)).toThrow(reason));

async function startServer() {
  const server = await startEmbeddedPostgres({
    dataFolder: await temporaryFolder(cleanUp),
    purpose: 'service',
  });
  const db = openDatabase({ connection: server.connection, poolSize: 1 });
  cleanUp(async () => {
    await db.close();
    await server.stop();
  });
  await db.query('create table written (at text)');
  const { port } = await startDatabaseProxy(server.connection);
  return {
    port,
    db,
    database: server.connection.database!,
    setReadOnly: async (isReadOnly: boolean) => {
      await db.query(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
      await db.query('select pg_reload_conf()');
      while (
        (
          await db.query<{ now: string }>(`select current_setting('default_transaction_read_only') as now`)
        )[0]!.now !== (isReadOnly ? 'on' : 'off')
      );
    },
  };
}

test('of several hosts the one that takes writes is used, also after it has changed; a host that is away is passed over', async () => {
  const [one, two, away] = await Promise.all([startServer(), startServer(), freePort()]);
  await one.setReadOnly(true);
  const hosts = [away, one.port, two.port].map((port) => `127.0.0.1:${port}`).join(',');
  const db = openDatabase({
    connection: urlsOfHosts(`postgres://florin@${hosts}/${one.database}?sslmode=disable`),
    poolSize: 3,
  });
  cleanUp(() => db.close());
  const write = (at: string) => db.query('insert into written values ($1)', [at]);
  const written = ({ db: own }: typeof one) =>
    own.query<{ at: string }>('select at from written order by at');

  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(write));
  expect(await written(two)).toHaveLength(5);

  // The servers change places. Each of the old connections is refused once at most, then all writes go to the other.
  await two.setReadOnly(true);
  await one.setReadOnly(false);
  for (let i = 0; i < 3; i++) await write('lost').catch(() => {});
  await Promise.all(['f', 'g', 'h', 'i'].map(write));
  expect((await written(one)).filter(({ at }) => at !== 'lost')).toHaveLength(4);
  expect(await written(two)).toHaveLength(5);
});

test('if no host can be used, the error says why of each', async () => {
  const [one, away] = await Promise.all([startServer(), freePort()]);
  await one.setReadOnly(true);
  const url = `postgres://florin@127.0.0.1:${away},127.0.0.1:${one.port}/${one.database}?sslmode=disable`;
  const db = openDatabase({ connection: urlsOfHosts(url) });
  cleanUp(() => db.close());
  await expect(db.query('select')).rejects.toThrow(
    `the database cannot be reached: connect ECONNREFUSED 127.0.0.1:${away}; 127.0.0.1:${one.port} takes no writes`,
  );
});

/** "You are in", "ask me", in the words of PostgreSQL's protocol. */
const SIGNED_IN = Buffer.from('5200000008000000005a0000000549', 'hex');

test('a host that lets us in and then falls silent is passed over, also if it is silent for good', async () => {
  const frozen = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.write(SIGNED_IN));
  }).listen(0, '127.0.0.1');
  await once(frozen, 'listening');
  cleanUp(async () => frozen.close());
  const { port, database } = await startServer();
  const hosts = [(frozen.address() as AddressInfo).port, port].map((one) => `127.0.0.1:${one}`).join(',');
  const pool = new pg.Pool({ connectionTimeoutMillis: 300 });
  cleanUp(() => pool.end());
  const urls = urlsOfHosts(`postgres://florin@${hosts}/${database}?sslmode=disable`);
  const client = await new DatabaseHosts(pool, urls).connect();
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  client.release();
  expect(pool.totalCount).toBe(1);
});
