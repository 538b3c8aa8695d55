import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { limited } from './limited.ts';

test('so many statements and transactions are under way, and no more, also where some fail', async () => {
  const db = await testDatabase();
  const few = limited(db, 2);
  let [now, most] = [0, 0];
  const work = async (i: number) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now--;
    if (i % 3 === 0) throw new Error('failed');
    return i;
  };
  const all = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => few.transaction(() => work(i))));
  expect([most, all.filter(({ status }) => status === 'rejected').length]).toEqual([2, 7]);
  expect(await Promise.all([1, 2, 3].map((n) => few.query(`select ${n} as n`)))).toEqual([
    [{ n: 1 }],
    [{ n: 2 }],
    [{ n: 3 }],
  ]);
  expect(few.queuesEmails).toBe(db.queuesEmails);
});
