import { AccountRole, address, type Instruction } from '@solana/kit';
import type pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { examine } from '../../src/operations/doctor/doctor.ts';
import { pruneMentions } from '../../src/payments/transfers/prune-mentions.ts';
import { readWatchReport } from '../../src/payments/watcher/read-watch-report.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { addMinutes, DAY_MS, realNow } from '../../src/platform/lib/clock.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { cleanUp } from '../support/clean-up.ts';
import { type OddNode, startOddNode, withResult } from '../support/odd-node.ts';
import {
  expectSoundBooks,
  type NewIntent,
  newIntent,
  payIntent,
  readIntent,
  sendFrom,
} from '../support/payments.ts';

let t: TestChain;
let nodes: OddNode[];

beforeEach(async () => {
  t = await testChain({}, async (rpcUrl) => {
    nodes = [await startOddNode(rpcUrl), await startOddNode(rpcUrl)];
    return nodes.map(({ url }) => url);
  });
  await newIntent(t.shop);
  await t.finalize();
});

const account = async () => {
  const [row] = await t.service.db.query<{ problem: string | null; cursor: string | null }>(
    'select last_problem as problem, cursor_signature as cursor from watched_accounts',
  );
  return row!;
};

const paid = { status: 'succeeded', cents: 100 };

async function payAndFinalize() {
  const intent = await newIntent(t.shop);
  const signature = await payIntent(t, intent);
  await t.finalize();
  return { intent, signature };
}

/** These nodes no longer list the transactions that are known. */
function prune(which: readonly OddNode[], known: ReadonlySet<string>): void {
  for (const node of which)
    node.alter = (method, _params, text) =>
      method === 'getSignaturesForAddress'
        ? withResult(text, (list: { signature: string }[]) =>
            list.filter(({ signature }) => !known.has(signature)),
          )
        : undefined;
}

test('a node that no longer lists the cursor settles what it lists; the cursor waits', async () => {
  const { signature } = await payAndFinalize();
  await t.finalize();
  expect((await account()).cursor).toBe(signature);
  prune(nodes, new Set([signature]));
  const { intent } = await payAndFinalize();
  expect(await readIntent(t.shop, intent)).toEqual(paid);
  expect(await account()).toMatchObject({
    cursor: signature,
    problem: expect.stringContaining('does not reach back'),
  });
  for (const node of nodes) node.alter = undefined;
  await t.finalize();
  expect((await account()).problem).toBeNull();
  expect((await account()).cursor).not.toBe(signature);
});

test('what one node has forgotten is read from another', async () => {
  const { signature } = await payAndFinalize();
  await t.finalize();
  const between = await newIntent(t.shop);
  const forgotten = await payIntent(t, between);
  prune(nodes.slice(0, 1), new Set([signature, forgotten]));
  const { intent } = await payAndFinalize();
  expect(await readIntent(t.shop, between)).toEqual(paid);
  expect(await readIntent(t.shop, intent)).toEqual(paid);
  expect((await account()).problem).toBeNull();
});

test('a gap of more pages than one turn lists is read in several turns, to the end', async () => {
  const { signature } = await payAndFinalize();
  await t.finalize();
  nodes[1]!.alter = () => 'away';
  // For so long that it no longer counts.
  for (let i = 0; i < 14; i++) {
    t.chain.advanceSlots(1);
    await t.checkNodes();
    t.elapse(10);
  }
  const intents: NewIntent[] = [];
  for (let i = 0; i < 60; i++) {
    const intent = await newIntent(t.shop);
    await payIntent(t, intent);
    intents.push(intent);
  }
  t.chain.faults.set({ rules: [{ kind: 'shortPage', max: 1 }] });
  const succeeded = async () =>
    (await Promise.all(intents.map((intent) => readIntent(t.shop, intent)))).filter(
      ({ status }) => status === 'succeeded',
    ).length;
  await t.finalize();
  expect(await succeeded()).toBe(50);
  expect((await account()).cursor).toBe(signature);
  await t.finalize();
  await t.finalize();
  expect(await succeeded()).toBe(60);
  expect((await account()).problem).toBeNull();
});

test('an account that cannot be read is logged once, and reported everywhere after five minutes', async () => {
  const { service } = t;
  for (const node of nodes)
    node.alter = () => JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'gone \0' } });
  for (let i = 0; i < 3; i++) await t.look();
  expect(t.log.filter((line) => line.includes('cannot be read'))).toHaveLength(1);
  const report = () => readWatchReport(service.db, service.clock.now(), realNow());
  const findings = async () => {
    const { db, config, secrets } = service;
    const all = await examine({ db, config, secrets, onlyInvariants: false, onFinding: () => {} });
    return Object.fromEntries(all.map(({ check, ok }) => [check, ok]));
  };
  const overview = async () =>
    (await t.shop.call('GET', '/api/v2/billing/overview')).body.unreadAddressesCount;
  expect([(await report()).failing, await overview()]).toEqual([[], 0]);
  expect((await findings())['payout addresses']).toBe(true);

  await service.db.query('update watched_accounts set problem_since = $1, last_read_at = $1', [
    addMinutes(realNow(), -6),
  ]);
  expect((await report()).failing).toMatchObject([{ destination: t.merchant.address }]);
  expect((await report()).oldestReadSeconds).toBeGreaterThan(300);
  expect(await overview()).toBe(1);
  expect((await findings())['payout addresses']).toBe(false);

  for (const node of nodes) node.alter = undefined;
  await t.finalize();
  expect([(await report()).failing, await overview()]).toEqual([[], 0]);
  expect(t.log.filter((line) => line.includes('can be read again'))).toHaveLength(1);
});

test('sweeps that stopped are found by doctor, unless nobody works with the database', async () => {
  const { db, config, secrets } = t.service;
  const look = async (opened = db) => {
    const parts = { db: opened, config, secrets, onlyInvariants: false, withoutInvariants: true };
    return (await examine({ ...parts, onFinding: () => {} })).find(({ check }) => check === 'balances');
  };
  const setSwept = (minutes: number) =>
    db.query(
      `insert into account_sweep (through_slot, through_at) values (1, $1)
         on conflict (only_row) do update set through_slot = 1, through_at = $1`,
      [addMinutes(realNow(), -minutes)],
    );
  await db.query(`update watched_accounts set watch_since = now() - interval '1 day'`);
  await setSwept(4);
  expect(await look()).toMatchObject({ ok: true });
  await setSwept(6);
  expect(await look()).toMatchObject({ ok: false, detail: expect.stringContaining('is a watcher running?') });
  // Under another name, the service's own connections are not those of a process of ours.
  const { host, database, user } = db.pool.options;
  const connection = { host, database, user, application_name: 'alone' } as pg.PoolConfig;
  const alone = openDatabase({ connection, poolSize: 1 });
  cleanUp(() => alone.close());
  expect(await look(alone)).toMatchObject({ ok: true, detail: expect.stringContaining('no process works') });
});

test('mentions that moved nothing are forgotten after a week; payments and the way back stay', async () => {
  const mention: Instruction = {
    programAddress: address('11111111111111111111111111111111'),
    accounts: [
      { address: t.customer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: t.customer.address, role: AccountRole.WRITABLE },
      { address: t.merchant.usdcAccount, role: AccountRole.READONLY },
    ],
    data: new Uint8Array([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
  };
  const known = async () => (await t.service.db.query('select from incoming_transfers')).length;
  for (let i = 0; i < 5; i++) await sendFrom(t, mention);
  const first = await payAndFinalize();
  const threeMinutes = () => {
    t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + 180_000);
    t.chain.advanceSlots(400);
  };
  threeMinutes();
  for (let i = 0; i < 5; i++) await sendFrom(t, mention);
  await t.finalize();
  threeMinutes();
  const second = await payAndFinalize();
  await t.finalize();
  expect(await known()).toBe(12);
  expect(await pruneMentions(t.service.db, t.service.clock.now())).toBe(0);
  t.service.clock.setOffsetMs(8 * DAY_MS);
  t.chain.advanceSlots(1);
  // All below the newest that is two minutes behind the cursor.
  const pruned = await pruneMentions(t.service.db, t.service.clock.now());
  expect(pruned).toBeGreaterThanOrEqual(5);
  expect(await known()).toBe(12 - pruned);
  const third = await payAndFinalize();
  for (const { intent } of [first, second, third]) expect(await readIntent(t.shop, intent)).toEqual(paid);
  expect((await account()).problem).toBeNull();
  await expectSoundBooks(t);
});
