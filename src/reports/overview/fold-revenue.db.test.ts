import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testService } from '../../../test/support/service.ts';
import { foldRevenue } from './fold-revenue.ts';

const PROJECT = randomUUID();

test('entries of one merchant that cannot be added up keep nobody else’s waiting, and come again', async () => {
  const { db, createMerchant } = await testService();
  const [one, other] = [await createMerchant('One'), await createMerchant('Other')];
  const insert = (merchantId: string, count: bigint) =>
    db.query(
      `insert into revenue_entries (merchant_id, project_id, source_id, quarter, payments_count)
       values ($1, $2, $2, '2026-01-01T00:00:00Z', $3)`,
      [merchantId, PROJECT, count],
    );
  for (const count of [2n ** 63n - 1n, 1n, -(2n ** 63n - 1n)]) await insert(one.id, count);
  await insert(other.id, 1n);
  const now = new Date('2026-02-01T00:00:00Z');
  const waiting = () =>
    db.query('select merchant_id as id, count(*)::integer as entries from revenue_entries group by 1');
  const setAside = () => db.query('select merchant_id as id, work from set_aside_work');
  // In batches of two, the first of which is more than a sum can be.
  await foldRevenue(db, 2, { now });
  expect(await waiting()).toEqual([{ id: one.id, entries: 3 }]);
  expect(await setAside()).toEqual([{ id: one.id, work: 'add up revenue' }]);
  await insert(other.id, 1n);
  await foldRevenue(db, 2, { now });
  expect(await waiting()).toEqual([{ id: one.id, entries: 3 }]);
  await db.query('delete from revenue_entries where payments_count > 1');
  await db.query('delete from revenue_entries where payments_count < 0');
  await foldRevenue(db, 2, { now: new Date(now.getTime() + 60_000) });
  expect([await waiting(), await setAside()]).toEqual([[], []]);
});
