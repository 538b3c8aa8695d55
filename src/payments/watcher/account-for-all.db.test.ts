import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import type { WatchedAccount } from '../../chain/solana/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import { accountsForAll } from './account-for-all.ts';

const NOW = new Date('2026-11-16T12:00:00Z');
const UNPROVEN = {
  destination: 'wallet',
  provenSlot: null,
  provenBalance: null,
} as unknown as WatchedAccount;
let db: Database;

beforeAll(async () => {
  db = await testDatabase();
  const merchantId = newId(NOW);
  await db.query(`insert into merchants (id, webhook_secret, created_at) values ($1, '', $2)`, [
    merchantId,
    NOW,
  ]);
  await db.query(
    `insert into watched_accounts (destination, account, merchant_id, watch_since, watch_until, next_poll_at, next_rescan_at)
     values ('wallet', 'account', $1, $2, $2::timestamptz + interval '1 day', $2, $2)`,
    [merchantId, NOW],
  );
  // 100 → 105, then a payment of 3 that no node has shown, then 108 → 109.
  await db.query(
    `insert into incoming_transfers (signature, destination, slot, block_time, received_base_units, balance_before,
                           balance_after, has_failed, is_final, seen_at)
     values ('first', 'wallet', 10, $1, 5, 100, 105, false, true, $1),
            ('third', 'wallet', 30, $1, 1, 108, 109, false, true, $1)`,
    [NOW],
  );
});

const explains = (account: WatchedAccount, slot: number, balance: bigint) =>
  accountsForAll(db, account, { slot, balance, time: NOW });

test('what was left out between the first and the newest is missed, before anything was ever proven', async () => {
  expect(await explains(UNPROVEN, 10, 105n)).toBe(true);
  expect(await explains(UNPROVEN, 30, 109n)).toBe(false);
});

test('what was left out after the newest is missed', async () => {
  expect(await explains(UNPROVEN, 40, 110n)).toBe(false);
});

test('from a proof on, only what came after it must add up', async () => {
  const proven = (provenSlot: bigint, provenBalance: bigint) => ({ ...UNPROVEN, provenSlot, provenBalance });
  expect(await explains(proven(20n, 108n), 30, 109n)).toBe(true);
  expect(await explains(proven(20n, 105n), 30, 109n)).toBe(false);
});
