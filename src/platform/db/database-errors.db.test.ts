import { expect, test } from 'vitest';
import { ownPostgres } from '../../../test/support/own-postgres.ts';
import { freePort } from '../../../test/support/process.ts';
import { openDatabase } from './database.ts';
import { explainOutage } from './database-errors.ts';
import { urlsOfHosts } from './database-hosts.ts';

/** Tries one statement over a connection to these hosts. */
async function failureOf(url: string): Promise<Error> {
  const db = openDatabase({ connection: urlsOfHosts(url), poolSize: 1 });
  try {
    return await db.query('select 1').then(
      () => new Error('it works'),
      (error: Error) => error,
    );
  } finally {
    await db.close();
  }
}

test('each outage has its reason: user, database, connections, TLS, name, address', async () => {
  const server = await ownPostgres();
  const { host } = new URL(server.databaseUrl);
  await server.query('create role full_up login connection limit 0');
  await server.query('create role barred login');
  await server.query('revoke connect on database florin from public');
  await server.query('grant connect on database florin to full_up');
  const as = (user: string, name = 'florin', end = '') => `postgres://${user}@${host}/${name}${end}`;
  const reasons = async (url: string) => explainOutage(await failureOf(url));
  expect((await failureOf(as('florin'))).message).toBe('it works');
  expect(await reasons(as('nobody'))).toContain('user or password');
  expect(await reasons(as('florin', 'elsewhere'))).toContain('no such database');
  expect(await reasons(as('barred'))).toContain('may not connect');
  expect(await reasons(as('full_up'))).toContain('no connection left');
  expect(await reasons(as('florin', 'florin', '?sslmode=require'))).toContain('speaks no TLS');
  expect(await reasons('postgres://florin@nowhere.invalid:5432/florin')).toContain('cannot be resolved');
  const away = `127.0.0.1:${await freePort()}`;
  expect(await reasons(`postgres://florin@${away}/florin`)).toContain('nothing listens');

  const failure = await failureOf(`postgres://nobody@${host},${away}/florin`);
  expect(failure.message).toContain(`${host}: `);
  expect(failure.message).toContain(`ECONNREFUSED ${away}`);
  expect(explainOutage(failure)).toContain('user or password');
});
