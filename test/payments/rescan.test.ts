import { expect, test } from 'vitest';
import { nextNight } from '../../src/chain/solana/watched-account.ts';
import { addMinutes, DAY_MS } from '../../src/platform/lib/clock.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import {
  exceptionKinds,
  expectSoundBooks,
  type NewIntent,
  newIntent,
  payIntent,
  readIntent,
} from '../support/payments.ts';

/** Moves the service's and the chain's time to one minute past the next night's hour. */
function night(t: TestChain): void {
  const { clock } = t.service;
  const to = addMinutes(nextNight(clock.now()), 1);
  clock.setOffsetMs(to.getTime() - Date.now());
  t.chain.advanceSlots(1);
}

/** Three minutes pass: what was read before them is not read again. */
function threeMinutes({ service: { clock }, chain }: TestChain): void {
  clock.setOffsetMs(addMinutes(clock.now(), 3).getTime() - Date.now());
  chain.advanceSlots(400);
}

/** Pays the intent while the node leaves that out of its lists, and continues until the cursor is far past it. */
async function payUnnoticed(t: TestChain, intent: NewIntent): Promise<string> {
  const signature = await payIntent(t, intent);
  t.chain.faults.set({ rules: [{ kind: 'hideSignatures', signatures: [signature] }] });
  threeMinutes(t);
  await payIntent(t, await newIntent(t.shop));
  await t.finalize();
  t.chain.faults.clear();
  await t.finalize();
  return signature;
}

test('a payment that the node hid until the cursor was past it is found at night, once, and told', async () => {
  const t = await testChain();
  const intent = await newIntent(t.shop);
  const signature = await payUnnoticed(t, intent);
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'pending', cents: 0 });
  await t.rescan();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'pending', cents: 0 });
  night(t);
  await Promise.all([t.rescan(), t.rescan(), t.rescan()]);
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  expect(t.log.filter((line) => line.includes(signature))).toHaveLength(1);
  night(t);
  await t.rescan();
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  await expectSoundBooks(t);
});

test('reconcile names a payment that the books lack; with repair it is credited as if it had just been found, once', async () => {
  const t = await testChain();
  const intent = await newIntent(t.shop);
  const signature = await payUnnoticed(t, intent);
  const missed = { destination: t.merchant.address, signature, booked: null, onChain: 1_000_000n };
  expect(await t.reconcile()).toMatchObject({ differences: [missed], repaired: [] });
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'pending', cents: 0 });
  expect(await t.reconcile(true)).toMatchObject({ differences: [], repaired: [missed] });
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  expect(await t.reconcile(true)).toMatchObject({ differences: [], repaired: [] });
  await t.finalize();
  await expectSoundBooks(t);
});

test('what a node leaves out, with later payments shown, makes nothing expire; found at last, it is paid in time', async () => {
  const t = await testChain();
  const [intent, unpaid] = [await newIntent(t.shop), await newIntent(t.shop)];
  await t.finalize();
  await payUnnoticed(t, intent);
  night(t);
  await t.finalize();
  await t.expire();
  expect((await readIntent(t.shop, intent)).status).toBe('pending');
  expect((await readIntent(t.shop, unpaid)).status).toBe('pending');
  const [account] = await t.service.db.query<{ problem: string }>(
    'select last_problem as problem from watched_accounts',
  );
  expect(account!.problem).toContain('no transaction we were shown explains');
  await t.rescan();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  await t.finalize();
  await t.expire();
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
  await expectSoundBooks(t);
});

test('hidden from before the first look, it may expire; it is paid after all, and money without a reference is listed', async () => {
  const t = await testChain();
  const [intent, other] = [await newIntent(t.shop), await newIntent(t.shop)];
  const unnamed = await payIntent(t, other, { references: [] });
  const named = await payIntent(t, intent);
  t.chain.faults.set({ rules: [{ kind: 'hideSignatures', signatures: [unnamed, named] }] });
  threeMinutes(t);
  await payIntent(t, await newIntent(t.shop));
  await t.finalize();
  t.chain.faults.clear();
  night(t);
  await t.finalize();
  await t.expire();
  expect((await readIntent(t.shop, intent)).status).toBe('expired');
  await t.rescan();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  expect((await readIntent(t.shop, other)).status).toBe('expired');
  expect(await exceptionKinds(t, unnamed)).toEqual(['unmatched']);
  await expectSoundBooks(t);
});

test('with nothing overlooked it costs two calls a night, and none by day', async () => {
  const t = await testChain();
  for (let i = 0; i < 5; i++) await payIntent(t, await newIntent(t.shop));
  await t.finalize();
  const before = t.calls.length;
  await t.rescan();
  expect(t.calls.length).toBe(before);
  night(t);
  await t.rescan();
  await t.rescan();
  expect(t.calls.slice(before)).toEqual(['getSignaturesForAddress', 'getSignaturesForAddress']);
});

test('only the last two days are read', async () => {
  const t = await testChain();
  const intent = await newIntent(t.shop);
  const signature = await payUnnoticed(t, intent);
  t.service.clock.setOffsetMs(3 * DAY_MS);
  t.chain.advanceSlots(1);
  await t.rescan();
  const found = await t.service.db.query('select from incoming_transfers where signature = $1', [signature]);
  expect(found).toEqual([]);
});

test('a node that fails is asked again ten minutes later', async () => {
  const t = await testChain();
  const intent = await newIntent(t.shop);
  const signature = await payUnnoticed(t, intent);
  night(t);
  t.chain.faults.set({ rules: [{ kind: 'missingTransaction', signatures: [signature] }] });
  await t.rescan();
  t.chain.faults.set({ rules: [{ kind: 'rpcError' }] });
  await t.rescan();
  t.chain.faults.clear();
  await t.rescan();
  expect((await readIntent(t.shop, intent)).cents).toBe(0);
  t.service.clock.setOffsetMs(addMinutes(t.service.clock.now(), 11).getTime() - Date.now());
  await t.rescan();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
});
