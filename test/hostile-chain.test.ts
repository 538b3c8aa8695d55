import { expect, test } from 'vitest';
import { intentInvariants } from '../src/intents/invariants.ts';
import { settlementInvariants } from '../src/payments/transfers/invariants.ts';
import { checkInvariants } from '../src/platform/db/invariant.ts';
import { testChain } from './support/chain.ts';
import { hostileStreet, hostileWalks } from './support/hostile-chain.ts';

const FIRST = Number(process.env.SEED ?? 1);
const COUNT = Number(process.env.SEEDS ?? (process.env.SEED ? 1 : 30));
/** Walks that share a stretch of time, and so the watcher's looks. */
const AT_ONCE = 10;

/** `SEEDS=1000 npx vitest run test/hostile-chain.test.ts` walks more; SEED=n replays one. */
test('payments among odd memos, spam, false money, dust, failures and odd answers: nothing missed, doubled or late', async () => {
  const street = await hostileStreet(await testChain());
  for (let first = FIRST; first < FIRST + COUNT; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, FIRST + COUNT - first);
    const seeds = Array.from({ length: count }, (_, i) => first + i);
    const nothing = seeds.map((seed) => ({ seed, missed: [], doubled: [], delayed: [] }));
    expect(await hostileWalks(street, seeds)).toEqual(nothing);
  }
  const { db } = street.t.service;
  const results = await checkInvariants(db, [...intentInvariants, ...settlementInvariants]);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
}, 3_600_000);
