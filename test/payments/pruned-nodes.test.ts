import type { FaultRule } from '@florin/sandbox-chain';
import { expect, test } from 'vitest';
import { addSeconds } from '../../src/platform/lib/clock.ts';
import {
  exceptionKinds,
  expectSoundBooks,
  newIntent,
  payIntent,
  readIntent,
  UNITS,
} from '../support/payments.ts';
import {
  doctorOn,
  LATE,
  PRUNED,
  type PrunedChain,
  pass,
  passWatched,
  problemOf,
  prunedChain,
} from '../support/pruned.ts';
import { pay } from '../support/wallet.ts';

const PAID = { status: 'succeeded', cents: 100 };
const PENDING = { status: 'pending', cents: 0 };

/** Nodes of a shop; one alone is in provider-profiles.test.ts. */
const PROFILES = [
  ['a full node and a pruned one', [[], [PRUNED]]],
  ['a pruned node and one with a late archive', [[PRUNED], [LATE]]],
] as const;

/** A shop whose last payments are older than what pruned nodes keep, and were watched as they came. */
async function quietShop(profile: readonly (readonly FaultRule[])[]): Promise<PrunedChain> {
  const t = await prunedChain(profile);
  for (let i = 0; i < 3; i++) {
    await payIntent(t, await newIntent(t.shop));
    await t.finalize();
    await passWatched(t, 60);
  }
  await passWatched(t, 90);
  expect(await problemOf(t)).toBeNull();
  return t;
}

for (const [name, profile] of PROFILES) {
  test(`${name}: a payment with the page closed succeeds, and one without a reference is listed`, async () => {
    const t = await quietShop(profile);
    const intent = await newIntent(t.shop);
    await payIntent(t, intent);
    const bare = await payIntent(t, intent, { references: [] });
    await t.finalize();
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
    expect(await exceptionKinds(t, bare)).toEqual(['unmatched']);
    expect(await problemOf(t)).toBeNull();
    expect((await doctorOn(t, 'unread history')).ok).toBe(true);
    await expectSoundBooks(t);
  });

  test(`${name}: with the page open it succeeds too, and what nobody paid expires`, async () => {
    const t = await quietShop(profile);
    const [open, unpaid] = [await newIntent(t.shop), await newIntent(t.shop)];
    await payIntent(t, open);
    t.chain.advanceSlots(3);
    await t.service.db.query('update payment_intents set reference_check_at = $2 where id = $1', [
      open.id,
      t.service.clock.now(),
    ]);
    await t.lookCloser();
    await t.finalize();
    expect(await readIntent(t.shop, open)).toEqual(PAID);
    await passWatched(t, 90);
    await t.expire();
    expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
    expect(await problemOf(t)).toBeNull();
    await expectSoundBooks(t);
  });
}

test('an account whose old history is pruned is read from the first time on', async () => {
  const t = await prunedChain([[PRUNED]]);
  const { rpcUrl } = t.chain;
  const payment = { rpcUrl, from: t.customer.signer, destinationOwner: t.merchant.address };
  await pay({ ...payment, amountBaseUnits: UNITS });
  pass(t, 120);
  const [intent, unpaid] = [await newIntent(t.shop), await newIntent(t.shop)];
  await t.finalize();
  expect(await problemOf(t)).toBeNull();
  await payIntent(t, intent);
  await t.finalize();
  await passWatched(t, 60);
  await t.expire();
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
  expect((await doctorOn(t, 'unread history')).ok).toBe(true);
});

test('a `before` that is gone half way ends the list; what was listed is settled, and the rest with the next node', async () => {
  const t = await prunedChain([[], []]);
  await payIntent(t, await newIntent(t.shop));
  await t.finalize();
  t.chain.advanceSlots(400);
  await payIntent(t, await newIntent(t.shop));
  await t.finalize();
  const intents = [await newIntent(t.shop), await newIntent(t.shop), await newIntent(t.shop)];
  for (const intent of intents) await payIntent(t, intent);
  for (const faults of t.nodeFaults)
    faults.set({
      rules: [
        { kind: 'shortPage', max: 2 },
        { kind: 'unknownFilter', filter: 'before' },
      ],
    });
  await t.finalize();
  expect(await Promise.all(intents.map((intent) => readIntent(t.shop, intent)))).toEqual([
    PENDING,
    PAID,
    PAID,
  ]);
  expect(await problemOf(t)).toContain('does not reach back');
  t.nodeFaults[1]!.clear();
  await t.finalize();
  await t.finalize();
  expect(await readIntent(t.shop, intents[0]!)).toEqual(PAID);
  expect(await problemOf(t)).toBeNull();
});

test('-32020 does not send the node to rest, and the list is requested once more without its end', async () => {
  const t = await quietShop([[PRUNED]]);
  t.calls.length = 0;
  const intent = await newIntent(t.shop);
  await payIntent(t, intent);
  await t.finalize();
  const lists = t.calls.filter((method) => method === 'getSignaturesForAddress');
  // With `until`, without it, and, below what was listed, once more for the end.
  expect(lists.length).toBeLessThanOrEqual(3);
  expect(t.log.filter((line) => line.includes('cannot be read'))).toEqual([]);
});

test('a dropped payment is undone, though what was final before it is pruned', async () => {
  const t = await quietShop([[PRUNED]]);
  const intent = await newIntent(t.shop);
  await payIntent(t, intent);
  t.chain.advanceSlots(3);
  await t.look();
  expect((await readIntent(t.shop, intent)).status).toBe('processing');
  expect(t.chain.rollBack(4)).toHaveLength(1);
  await t.finalize();
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual(PENDING);
});

/** Paid while nobody watched, for longer than a pruned node keeps. */
async function payWhileAway(t: PrunedChain) {
  const intent = await newIntent(t.shop);
  const unpaid = await newIntent(t.shop);
  await payIntent(t, intent);
  pass(t, 120);
  await t.look();
  return { intent, unpaid };
}

test('what nobody read and no node lists is reported: log, doctor; nothing expires, and a full node brings it back', async () => {
  const t = await quietShop([[PRUNED]]);
  const { intent, unpaid } = await payWhileAway(t);
  expect(await readIntent(t.shop, intent)).toEqual(PENDING);
  expect(t.log.filter((line) => line.includes('no node lists this time'))).toHaveLength(1);
  const told = await doctorOn(t, 'unread history');
  expect([told.ok, told.detail]).toEqual([false, expect.stringContaining(t.merchant.address)]);
  expect(told.detail).toContain('reconcile --repair');
  await t.expire();
  expect((await readIntent(t.shop, unpaid)).status).toBe('pending');
  expect(await problemOf(t)).toContain('what no transaction we were shown explains');
  // New payments are read as ever.
  const later = await newIntent(t.shop);
  await payIntent(t, later);
  await t.finalize();
  expect(await readIntent(t.shop, later)).toEqual(PAID);

  const pruned = await t.reconcile();
  expect(pruned.differences).toEqual([]);
  expect(pruned.unreadable).toMatchObject([
    { signature: null, problem: expect.stringContaining('nothing from') },
  ]);

  t.nodeFaults[0]!.clear();
  t.chain.advanceSlots(200);
  expect((await t.reconcile(true)).repaired).toHaveLength(1);
  expect((await readIntent(t.shop, intent)).cents).toBe(100);
  expect((await doctorOn(t, 'unread history')).ok).toBe(true);
  await t.finalize();
  await t.expire();
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
  await expectSoundBooks(t);
});

test('the nightly rescan reads it, too, once a node lists it', async () => {
  const t = await quietShop([[PRUNED]]);
  const { intent } = await payWhileAway(t);
  t.nodeFaults[0]!.clear();
  pass(t, 40);
  await t.service.db.query('update watched_accounts set next_rescan_at = $1', [
    addSeconds(t.service.clock.now(), -1),
  ]);
  await t.rescan();
  await t.finalize();
  expect((await readIntent(t.shop, intent)).cents).toBe(100);
  expect((await doctorOn(t, 'unread history')).ok).toBe(true);
});

test('of two nodes the full one tells of the time while nobody watched; the pruned one has no say about it', async () => {
  const t = await quietShop([[PRUNED], []]);
  const { intent } = await payWhileAway(t);
  await t.finalize();
  expect((await readIntent(t.shop, intent)).cents).toBe(100);
  expect((await doctorOn(t, 'unread history')).ok).toBe(true);
  expect(t.disagreements).toEqual([0, 0]);
  await expectSoundBooks(t);
});
