import { beforeEach, expect, test } from 'vitest';
import { listFailingAccounts } from '../../src/chain/solana/queries.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks, newIntent, payIntent, readIntent } from '../support/payments.ts';
import { createWallet } from '../support/wallet.ts';

let t: TestChain;

beforeEach(async () => {
  t = await testChain();
});

/** Another merchant with an address that is watched. */
async function neighbour(): Promise<string> {
  const { address } = await createWallet(t.chain);
  await newIntent(await t.service.createMerchant('Neighbour', address));
  return address;
}

test.each([
  'not-an-account',
  '1111111111111111111111111111111l',
  '',
  '11111111111111111111111111111111111111',
])('an account %j that no node takes hides no payment of anybody else, and is on record', async (account) => {
  const { db } = t.service;
  const odd = await neighbour();
  const intent = await newIntent(t.shop);
  await t.finalize();
  await db.query('update watched_accounts set account = $2 where destination = $1', [odd, account]);
  await payIntent(t, intent);
  await t.finalize();
  await t.look();
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  const failing = await listFailingAccounts(db, t.service.clock.now(), new Date(Date.now() + 60_000));
  expect(failing.map(({ destination }) => destination)).toEqual([odd]);
  await db.query('delete from watched_accounts where destination = $1', [odd]);
  await expectSoundBooks(t);
});

test('a payment with a signature that is none keeps no other from becoming final, and is on record', async () => {
  const { db } = t.service;
  const odd = await neighbour();
  const intent = await newIntent(t.shop);
  await t.finalize();
  await payIntent(t, intent);
  t.chain.advanceSlots(3);
  await t.look();
  await db.query(
    `insert into incoming_transfers (signature, destination, slot, block_time, received_base_units, has_failed, is_final, seen_at)
     values ('not-a-signature', $1, 1, now(), 5, false, false, now() - interval '1 hour')`,
    [odd],
  );
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  expect(await db.query('select signature, destination from unreadable_transactions')).toEqual([
    { signature: 'not-a-signature', destination: odd },
  ]);
});
