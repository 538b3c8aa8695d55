import { type FaultRule, seededRandom } from '@florin/sandbox-chain';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Findings } from '../../src/payments/reconcile/report.ts';
import { encodeBase58 } from '../../src/platform/lib/base58.ts';
import { liveThrough, mentionAccount, pick, type Random } from '../support/account-history.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { exceptionKinds, newIntent, payIntent, readIntent } from '../support/payments.ts';

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
  await liveThrough(t, 1, 60);
  await t.service.db.query('create table kept as select * from incoming_transfers');
});

/** Changes the books behind the service's back. */
async function falsify(sql: string, values: unknown[] = []): Promise<void> {
  await t.service.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(sql, values);
  });
}

beforeEach(async () => {
  t.chain.faults.clear();
  await falsify('delete from incoming_transfers');
  await falsify('insert into incoming_transfers select * from kept');
});

interface Booked {
  signature: string;
  slot: bigint;
  received: bigint;
}

/** Payments in the books, the oldest first. */
const listPayments = () =>
  t.service.db.query<Booked>(
    `select signature, slot, received_base_units as received from incoming_transfers
      where received_base_units > 0 order by slot, signature`,
  );

/** Proven in the smallest stretches, as those of a long history are. */
const fast = (atOnce = 1) => t.reconcile(false, { atOnce });
const each = () => t.reconcile(false, { isEach: true });
const pages = (max: number): FaultRule => ({ kind: 'shortPage', max });

describe('by balances', () => {
  test('nothing differs, and only what the books cannot prove is fetched', async () => {
    const report = await t.reconcile();
    expect(report).toMatchObject({ differences: [], unreadable: [], left: 0 });
    const all = await each();
    expect(all).toMatchObject({ differences: [], unreadable: [] });
    expect([all.fetched, report.transactions]).toEqual([all.transactions, all.transactions]);
    const [{ moved } = { moved: 0 }] = await t.service.db.query<{ moved: number }>(
      `select count(*)::integer as moved from incoming_transfers
        where balance_after > balance_before and received_base_units = 0`,
    );
    // Money that the merchant moved in, and the oldest slot.
    expect(report.fetched).toBeGreaterThan(moved);
    expect(report.fetched).toBeLessThan(moved + 8);
    expect(all.transactions).toBeGreaterThan(50);
  });

  test.each([
    ['short pages', [pages(3)]],
    ['pages of one', [pages(1)]],
    ['pages in reverse', [pages(4), { kind: 'reverseOrder' }]],
    ['everything twice', [pages(5), { kind: 'repeatSignatures' }]],
  ] satisfies [string, FaultRule[]][])('%s are read to the end', async (_name, rules) => {
    const { transactions } = await fast();
    t.chain.faults.set({ rules });
    expect(await fast()).toMatchObject({ differences: [], unreadable: [], transactions });
  });

  test('a payment that the books lack, also in the middle of a slot', async () => {
    for (const { signature, received } of await listPayments()) {
      await falsify('delete from incoming_transfers where signature = $1', [signature]);
      expect((await fast()).differences).toMatchObject([{ signature, booked: null, onChain: received }]);
      await falsify('insert into incoming_transfers select * from kept where signature = $1', [signature]);
    }
  });

  test('payments that are not on the chain, between others, before all and after all', async () => {
    const payments = await listPayments();
    const slots = [payments[0]!.slot - 2n, payments[5]!.slot, payments.at(-1)!.slot + 1n];
    const made: string[] = [];
    for (const slot of slots) {
      const signature = encodeBase58(Buffer.alloc(64, made.length + 1));
      made.push(signature);
      await falsify(
        `insert into incoming_transfers select (jsonb_populate_record(k, jsonb_build_object(
           'signature', $1::text, 'slot', $2::bigint))).* from kept k where signature = $3`,
        [signature, slot, payments[0]!.signature],
      );
    }
    t.chain.faults.set({ rules: [pages(7)] });
    const { differences, unreadable } = await fast();
    expect(unreadable).toEqual([]);
    expect(differences.map(({ signature }) => signature).sort()).toEqual(made.sort());
    expect(differences.every(({ onChain }) => onChain === null)).toBe(true);
  });

  test.each([
    ['the amount', 'received_base_units = received_base_units + 7'],
    [
      'the amount and the balance after',
      'received_base_units = received_base_units + 7, balance_after = balance_after + 7',
    ],
    [
      'the amount and the balance before',
      'received_base_units = received_base_units + 7, balance_before = balance_before - 7',
    ],
    [
      'the amount, and no balances',
      'received_base_units = received_base_units + 7, balance_before = null, balance_after = null',
    ],
  ])('%s of a payment is wrong', async (_name, change) => {
    for (const { signature, received } of await listPayments()) {
      // A balance below nothing is none.
      const [row] = await t.service.db.query('select from kept where signature = $1 and balance_before < 7', [
        signature,
      ]);
      if (row && change.includes('before - 7')) continue;
      await falsify(`update incoming_transfers set ${change} where signature = $1`, [signature]);
      expect((await fast()).differences).toMatchObject([
        { signature, booked: received + 7n, onChain: received },
      ]);
      await falsify('delete from incoming_transfers where signature = $1', [signature]);
      await falsify('insert into incoming_transfers select * from kept where signature = $1', [signature]);
    }
  });

  test('two wrong amounts that cancel each other out, each with balances of its own', async () => {
    const payments = await listPayments();
    const [one, other] = [payments[4]!, payments[12]!];
    for (const [{ signature }, units] of [
      [one, 5],
      [other, -5],
    ] as const)
      await falsify(
        `update incoming_transfers set received_base_units = received_base_units + $2,
           balance_after = balance_after + $2 where signature = $1`,
        [signature, units],
      );
    expect((await fast()).differences).toMatchObject([
      { signature: one.signature, booked: one.received + 5n, onChain: one.received },
      { signature: other.signature, booked: other.received - 5n, onChain: other.received },
    ]);
  });

  test('a payment that neither the node lists nor the books have changes the balance by nothing that is listed', async () => {
    const { signature, received } = (await listPayments())[6]!;
    await falsify('delete from incoming_transfers where signature = $1', [signature]);
    t.chain.faults.set({ rules: [{ kind: 'hideSignatures', signatures: [signature] }] });
    const report = await fast();
    expect(report.differences).toEqual([]);
    expect(report.unreadable).toMatchObject([
      { signature: null, problem: expect.stringContaining('the node lists nothing between them') },
    ]);
    expect((await each()).unreadable).toEqual(report.unreadable);
    expect(received).toBeGreaterThan(0n);
  });

  test('a payment that the node does not list is missing on the chain, and the balance tells that it came', async () => {
    const { signature, received } = (await listPayments()).at(-1)!;
    t.chain.faults.set({ rules: [{ kind: 'hideSignatures', signatures: [signature] }] });
    const report = await fast();
    expect(report.differences).toMatchObject([{ signature, booked: received, onChain: null }]);
    expect(report.unreadable).toMatchObject([{ problem: expect.stringContaining('USDC now') }]);
  });

  test('what cannot be read and is in no books is not compared, and what is next to it is fetched', async () => {
    const { signature } = (await listPayments())[9]!;
    await falsify('delete from incoming_transfers where signature = $1', [signature]);
    t.chain.faults.set({ rules: [{ kind: 'missingTransaction', signatures: [signature] }] });
    const report = await fast();
    expect(report).toMatchObject({ differences: [], unreadable: [{ signature }] });
    expect(report.transactions).toBe((await each()).transactions);
  });
});

test('a node that fails for a moment is asked again', async () => {
  t.chain.faults.set({ rules: [{ kind: 'httpError', methods: ['getTransaction'], times: 1 }] });
  expect(await each()).toMatchObject({ differences: [], unreadable: [] });
  expect(t.chain.faults.struck).toEqual([1]);
});

test('whatever is wrong in the books, and however the node lists, both ways find the same', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const random = seededRandom(seed, 1);
    for (let i = 1 + pick(random, 4); i > 0; i--) await spoilBooks(random);
    t.chain.faults.set({ seed, rules: listingOf(random) });
    const tell = ({ differences, unreadable, transactions }: Findings) => ({
      seed,
      differences,
      unreadable,
      transactions,
    });
    expect(tell(await fast(1 + pick(random, 20)))).toEqual(tell(await each()));
    t.chain.faults.clear();
    await falsify('delete from incoming_transfers');
    await falsify('insert into incoming_transfers select * from kept');
  }
});

async function spoilBooks(random: Random): Promise<void> {
  const rows = await t.service.db.query<Booked>(
    'select signature, slot from incoming_transfers order by slot, signature',
  );
  const { signature } = rows[pick(random, rows.length)]!;
  const units = 1 + pick(random, 1_000);
  const changes = [
    'delete from incoming_transfers where signature = $1 and $2::int > 0',
    'update incoming_transfers set received_base_units = received_base_units + $2 where signature = $1',
    `update incoming_transfers set received_base_units = received_base_units + $2, balance_after = balance_after + $2
      where signature = $1`,
    `update incoming_transfers set balance_before = null, balance_after = null where signature = $1 and $2::int > 0`,
    `update incoming_transfers set balance_after = balance_after + $2, balance_before = balance_before + $2
      where signature = $1`,
    'update incoming_transfers set slot = slot + $2::int % 20 - 10 where signature = $1',
    `update incoming_transfers set received_base_units = 0, balance_after = balance_before
      where signature = $1 and $2::int > 0`,
    `insert into incoming_transfers select (jsonb_populate_record(k, jsonb_build_object(
       'signature', reverse(k.signature), 'received_base_units', $2::int))).* from kept k where signature = $1
         on conflict do nothing`,
  ];
  await falsify(changes[pick(random, changes.length)]!, [signature, units]);
}

function listingOf(random: Random): FaultRule[] {
  const rules: FaultRule[] = [pages(2 + pick(random, 20))];
  const odd = pick(random, 4);
  if (odd === 1) rules.push({ kind: 'reverseOrder' });
  if (odd === 2) rules.push({ kind: 'repeatSignatures', share: 0.3 });
  return rules;
}

test('since a date, only what is in blocks from then on is compared', async () => {
  const other = await testChain();
  const old = await payIntent(other, await newIntent(other.shop));
  await mentionAccount(other);
  await other.finalize();
  const since = new Date(other.service.clock.now().getTime() + 3_600_000);
  other.service.clock.setOffsetMs(since.getTime() + 60_000 - Date.now());
  other.chain.advanceSlots(1);
  const recent = [
    await payIntent(other, await newIntent(other.shop)),
    await payIntent(other, await newIntent(other.shop)),
  ];
  await other.finalize();
  expect(await other.reconcile()).toMatchObject({ transactions: 4, differences: [] });
  await other.service.db.query('update incoming_transfers set received_base_units = 5');
  const report = await other.reconcile(false, { since });
  expect(report).toMatchObject({ transactions: 2, unreadable: [] });
  expect(report.differences.map(({ signature }) => signature).sort()).toEqual(recent.sort());
  expect((await other.reconcile()).differences.map(({ signature }) => signature)).toContain(old);
});

test('what the books lack is credited in the order in which it came, however it is listed', async () => {
  const other = await testChain();
  const intent = await newIntent(other.shop);
  const first = await payIntent(other, intent);
  other.chain.advanceSlots(1);
  const second = await payIntent(other, intent);
  other.chain.advanceSlots(40);
  other.chain.faults.set({ rules: [pages(1)] });
  const report = await other.reconcile(true, { atOnce: 1 });
  expect(report.differences).toEqual([]);
  expect(report.repaired.map(({ signature }) => signature)).toEqual([first, second]);
  expect(await readIntent(other.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  expect([await exceptionKinds(other, first), await exceptionKinds(other, second)]).toEqual([
    [],
    ['surplus'],
  ]);
  expect(await other.reconcile()).toMatchObject({ differences: [], unreadable: [] });
});
