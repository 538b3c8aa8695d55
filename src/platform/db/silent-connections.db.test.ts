import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { startDatabaseProxy } from '../../../test/support/database-proxy.ts';
import { patienceLeft, RequestWait, waitedForBy } from '../lib/request-wait.ts';
import { type Database, openDatabase } from './database.ts';
import { isUnavailable } from './database-errors.ts';

async function throughProxy() {
  const proxy = await startDatabaseProxy();
  const db = openDatabase({ connection: [proxy.url(await testDatabase())], poolSize: 4 });
  cleanUp(() => db.close());
  return { proxy, db };
}

/** Longer than a test may take. */
const LONG_MS = 600_000;

const answer = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (isUnavailable(error) ? 'unavailable' : error),
  );

test('connections that fall silent fail their statements and transactions, and every slot of the pool is usable again', async () => {
  const { proxy, db } = await throughProxy();
  const workOf = (some: Database) => [
    ...Array.from({ length: 2 }, () => some.query('select 1')),
    ...Array.from({ length: 2 }, () => some.transaction((tx) => tx.query('select 2'))),
  ];
  const work = () => [...workOf(db.withPatience(100)), ...workOf(db.withPatience(LONG_MS))];
  await Promise.all(workOf(db));
  expect(db.pool.totalCount).toBe(4);

  proxy.swallow();
  const said = await Promise.all(work().map(answer));
  // The others got a connection after the silent ones were closed.
  expect(said).toEqual([...Array(4).fill('unavailable'), ...Array(4).fill('answered')]);
  await Promise.all(workOf(db));
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

test('all that is waited for is one patience, of which half a second is left for a last try', () => {
  expect(patienceLeft(8_000, 0)).toBe(8_000);
  expect(patienceLeft(8_000, 5_000)).toBe(3_000);
  expect(patienceLeft(8_000, 10_000)).toBe(500);
  expect(patienceLeft(100, 50)).toBe(100);
});

test.each(['query', 'transaction'] as const)(
  'a %s of a request that has waited before ends with the patience of the request, on an old connection and a new one',
  async (kind) => {
    const { proxy, db } = await throughProxy();
    const ask = () => {
      const patient = db.withPatience(LONG_MS);
      const asked = () =>
        kind === 'query' ? patient.query('select 1') : patient.transaction((tx) => tx.query('select 2'));
      return answer(waitedForBy(new RequestWait(LONG_MS), asked));
    };
    expect(await ask()).toBe('answered');
    proxy.swallow();
    expect(await ask()).toBe('unavailable');
    proxy.swallowNew();
    expect(await ask()).toBe('unavailable');
  },
);

test('a process that ends waits for no connection that has fallen silent', async () => {
  const { proxy, db } = await throughProxy();
  await db.query('select 1');
  proxy.swallow();
  const waiting = answer(db.query('select 2'));
  db.hurry(100);
  expect(await waiting).toBe('unavailable');
});
