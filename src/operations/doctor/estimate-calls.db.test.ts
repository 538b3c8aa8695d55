import { expect, test } from 'vitest';
import { newAddress, testService } from '../../../test/support/service.ts';
import { describeCalls, EXAMPLE_SHOP, estimateCalls, readShopSize } from './estimate-calls.ts';

const HEARD = { isHeard: true, lookMs: 5_000 };
const DEAF = { isHeard: false, lookMs: 5_000 };

test('a small shop with notifications makes less than a third of the 0.94 million calls that it made', () => {
  const calls = estimateCalls(EXAMPLE_SHOP, HEARD);
  expect(calls.all).toBeGreaterThan(172_800);
  expect(calls.all).toBeLessThan(313_000);
  expect(calls.ofHistory).toBeLessThan(calls.all / 4);
  expect(estimateCalls(EXAMPLE_SHOP, DEAF).all).toBeGreaterThan(2 * calls.all);
});

test('the estimate is one line with its shares of usual plans', () => {
  const line = describeCalls(EXAMPLE_SHOP, { all: 200_000, ofHistory: 30_000 }, true);
  expect(line).toBe(
    'about 0.20 million for a shop with 50 payments and 100 opened pages a day at 1 address: 20 % of a plan of 1 million calls, 47 % of one of 1 million credits where reading history costs ten, 5 % of one of 10 million such credits',
  );
});

test('a shop’s size is read from its own last month; nothing is known where nothing was sold', async () => {
  const { db, createMerchant } = await testService();
  const now = new Date('2026-03-31T00:00:00Z');
  expect(await readShopSize(db, now)).toBeUndefined();
  const { id } = await createMerchant('Shop');
  const destination = newAddress();
  await db.query(
    `insert into watched_accounts (destination, account, merchant_id, watch_since, watch_until, next_poll_at, next_rescan_at)
     values ($1, $1, $2, $3::timestamptz - interval '10 days', $3::timestamptz + interval '1 day', $3, $3)`,
    [destination, id, now],
  );
  const arrive = (signature: string, daysAgo: number, isFinal: boolean) =>
    db.query(
      `insert into incoming_transfers (signature, destination, slot, block_time, received_base_units, has_failed, is_final, seen_at)
       values ($1, $2, 1, $3::timestamptz - make_interval(days => $4), 5, false, $5, $3)`,
      [signature, destination, now, daysAgo, isFinal],
    );
  for (let i = 0; i < 20; i++) await arrive(`paid${i}`, 3, true);
  await arrive('old', 40, true);
  await arrive('not final', 1, false);
  expect(await readShopSize(db, now)).toEqual({ paymentsPerDay: 2, pagesPerDay: 0, accounts: 1 });
});
