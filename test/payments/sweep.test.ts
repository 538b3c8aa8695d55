import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { listWatched } from '../../src/chain/solana/queries.ts';
import { holdSweep, releaseSweep } from '../../src/chain/solana/watched-account.ts';
import type { Quorum } from '../../src/payments/watcher/quorum.ts';
import { sweepAccounts } from '../../src/payments/watcher/sweep-accounts.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { openNodes } from '../../src/service/open-nodes.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks, newIntent, payIntent, readIntent } from '../support/payments.ts';
import { createWallet, pay } from '../support/wallet.ts';

let t: TestChain;
let quorum: Quorum;
let metrics: Metrics;

beforeEach(async () => {
  t = await testChain();
  metrics = new Metrics();
  const log = createLog('warn', () => {});
  const nodes = openNodes({ config: t.service.config, log, metrics }, [t.chain.rpcUrl], true);
  await nodes.checks.checkFirst();
  ({ quorum } = nodes);
});

async function sweep({ isLate = true } = {}) {
  const moved: string[] = [];
  const due: string[] = [];
  const through = await sweepAccounts({
    ...{
      db: t.service.db,
      quorum,
      now: t.service.clock.now(),
      dueBy: t.service.clock.now(),
      pollMs: 1,
      isLate,
    },
    signal: new AbortController().signal,
    onMoved: ({ destination }) => moved.push(destination),
    onDue: ({ destination }) => due.push(destination),
  });
  return { moved, due, through: through?.slot };
}

test('a sweep finds the account that moved, by one call for all; once that is in the books, it is at rest', async () => {
  const neighbour = await t.service.createMerchant('Neighbour', (await createWallet(t.chain)).address);
  await newIntent(neighbour);
  const intent = await newIntent(t.shop);
  await t.finalize();
  expect(await sweep()).toEqual({ moved: [], due: [], through: BigInt(t.chain.slot - 2) });
  await payIntent(t, intent);
  t.chain.advanceSlots(3);
  expect(await sweep()).toMatchObject({ moved: [t.merchant.address], due: [] });
  await t.look();
  // Seen and not final yet, and then final.
  expect(await sweep()).toMatchObject({ moved: [], due: [] });
  await t.finalize();
  expect(await sweep()).toMatchObject({ moved: [], due: [] });
  expect(metrics.text()).toContain('florin_rpc_method_calls_total{method="getMultipleAccounts"} 4');
  expect(metrics.text()).not.toContain('getSignaturesForAddress');
});

test('money that came and went between two sweeps is missed by them; before its intent expires it is found', async () => {
  const intent = await newIntent(t.shop);
  await t.finalize();
  await payIntent(t, intent);
  await pay({
    rpcUrl: t.chain.rpcUrl,
    from: t.merchant.signer,
    destinationOwner: t.customer.address,
    amountBaseUnits: 1_000_000n,
    references: [],
  });
  t.chain.advanceSlots(40);
  expect(await sweep()).toMatchObject({ moved: [], due: [] });
  t.service.clock.setOffsetMs(31 * 60_000);
  t.chain.advanceSlots(40);
  await t.expire();
  expect((await readIntent(t.shop, intent)).status).toBe('pending');
  expect(await sweep()).toMatchObject({ moved: [], due: [t.merchant.address] });
  await t.look();
  await t.expire();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  await expectSoundBooks(t);
});

test('where no node answers, nothing counts as looked at; if that lasts, the accounts have a problem and a turn', async () => {
  await newIntent(t.shop);
  await t.finalize();
  t.chain.faults.set({ rules: [{ kind: 'httpError', methods: ['getMultipleAccounts'] }] });
  const account = async () => {
    const [row] = await t.service.db.query<{ problem: string | null; isDue: boolean }>(
      'select last_problem as problem, next_poll_at <= now() as "isDue" from watched_accounts',
    );
    return row;
  };
  expect(await sweep({ isLate: false })).toEqual({ moved: [], due: [], through: undefined });
  expect(await account()).toMatchObject({ problem: null });
  await sweep();
  expect(await account()).toEqual({ problem: 'no node says what the account holds', isDue: true });
  t.chain.faults.clear();
  await t.look();
  expect(await listWatched(t.service.db, t.service.clock.now())).toHaveLength(1);
  expect((await sweep()).through).toBeDefined();
});

test('one watcher sweeps at a time; another takes over when it stops, or when its time is up', async () => {
  const { db } = t.service;
  const [one, two] = [randomUUID(), randomUUID()];
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
  const hold = (holder: string, seconds: number) => holdSweep(db, holder, at(seconds), at(seconds + 30));
  expect([await hold(one, 0), await hold(two, 10), await hold(one, 20), await hold(two, 40)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([await hold(two, 51), await hold(one, 60)]).toEqual([true, false]);
  await releaseSweep(db, two);
  expect(await hold(one, 61)).toBe(true);
});
