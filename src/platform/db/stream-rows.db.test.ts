import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import type { Database } from './database.ts';
import { streamRows } from './stream-rows.ts';

let db: Database;

beforeAll(async () => {
  db = await testDatabase();
});

const NUMBERS = 'select n from generate_series(1, $1::bigint) n';

test('all rows in their order, some at a time, and what is asked meanwhile is of the same moment', async () => {
  await db.query('create table seen (n int)');
  const sizes: number[] = [];
  let sum = 0n;
  for await (const { rows, also } of streamRows<{ n: bigint }>(db, NUMBERS, [2_500])) {
    sizes.push(rows.length);
    sum += rows.reduce((all, { n }) => all + n, 0n);
    await db.query('insert into seen values (1)');
    expect(await also.query('select * from seen')).toEqual([]);
  }
  expect([sizes, sum]).toEqual([[1_000, 1_000, 500], (2_500n * 2_501n) / 2n]);
});

test('a reader that stops, and a statement that fails, leave the connection free and usable', async () => {
  for await (const { rows } of streamRows(db, NUMBERS, [5_000])) {
    expect(rows).toHaveLength(1_000);
    break;
  }
  await expect(streamRows(db, 'select 1 / $1::int as n', [0]).next()).rejects.toThrow('division by zero');
  expect(db.pool.idleCount).toBe(db.pool.totalCount);
  expect(await db.query('select 1 as n')).toEqual([{ n: 1 }]);
});
