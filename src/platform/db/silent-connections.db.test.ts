import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { startDatabaseProxy } from '../../../test/support/database-proxy.ts';
import { openDatabase, patienceLeft } from './database.ts';
import { isUnavailable } from './database-errors.ts';

async function throughProxy() {
  const proxy = await startDatabaseProxy();
  const db = openDatabase({ connection: [proxy.url(await testDatabase())], poolSize: 4 });
  cleanUp(() => db.close());
  return { proxy, db };
}

const answer = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (isUnavailable(error) ? 'unavailable' : error),
  );

test('connections that fall silent fail their statements and transactions, and every slot of the pool is usable again', async () => {
  const { proxy, db } = await throughProxy();
  const impatient = db.withPatience(100);
  const work = () => [
    ...Array.from({ length: 4 }, () => impatient.query('select 1')),
    ...Array.from({ length: 4 }, () => impatient.transaction((tx) => tx.query('select 2'))),
  ];
  await Promise.all(work());
  expect(db.pool.totalCount).toBe(4);

  proxy.swallow();
  const said = await Promise.all(work().map(answer));
  // Those that got a connection after the silent ones were closed have their answer.
  expect(said.filter((word) => word === 'unavailable').length).toBeGreaterThanOrEqual(4);
  expect(new Set(said)).toEqual(new Set(['unavailable', 'answered']));
  await Promise.all(work());
});

test('a transaction whose connection falls silent in the middle is not committed', async () => {
  const { proxy, db } = await throughProxy();
  await db.query('create table written (n integer)');
  const write = db.withPatience(100).transaction(async (tx) => {
    await tx.query('insert into written values (1)');
    proxy.swallow();
    await tx.query('insert into written values (2)');
  });
  expect(await answer(write)).toBe('unavailable');
  expect(await db.query('select n from written')).toEqual([]);
});

test('the wait for a connection and for its statements are one patience, of which a second is left for the statements', () => {
  expect(patienceLeft(9_000, 0)).toBe(9_000);
  expect(patienceLeft(9_000, 5_000)).toBe(4_000);
  expect(patienceLeft(9_000, 10_000)).toBe(1_000);
  expect(patienceLeft(100, 50)).toBe(100);
});

test('a process that ends waits for no connection that has fallen silent', async () => {
  const { proxy, db } = await throughProxy();
  await db.query('select 1');
  proxy.swallow();
  const waiting = answer(db.query('select 2'));
  db.hurry(100);
  expect(await waiting).toBe('unavailable');
});
