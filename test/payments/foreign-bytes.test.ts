import { AccountRole, address, type Instruction } from '@solana/kit';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { chainNodes } from '../../src/chain/nodes/chain-node.ts';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { createRpc } from '../../src/chain/solana/rpc.ts';
import { reconcile } from '../../src/payments/reconcile/reconcile.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { type Loose, type OddNode, startOddNode, withResult } from '../support/odd-node.ts';
import { expectSoundBooks, newIntent, payIntent, readIntent, sendFrom } from '../support/payments.ts';
import { memoInstruction } from '../support/wallet.ts';

let t: TestChain;
let node: OddNode;

beforeAll(async () => {
  t = await testChain({}, async (rpcUrl) => {
    node = await startOddNode(rpcUrl);
    return [node.url];
  });
  // The first look says what there was to begin with.
  await newIntent(t.shop);
  await t.finalize();
});

beforeEach(() => {
  node.alter = undefined;
});

/** A transaction that only pays its fee and names the merchant's token account beside a memo. */
function mention(memo: string): Promise<string> {
  const named = { address: t.merchant.usdcAccount, role: AccountRole.READONLY };
  const transfer: Instruction = {
    programAddress: address('11111111111111111111111111111111'),
    accounts: [
      { address: t.customer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: t.customer.address, role: AccountRole.WRITABLE },
      named,
    ],
    data: new Uint8Array([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
  };
  return sendFrom(t, memoInstruction(memo), transfer);
}

const unreadable = () =>
  t.service.db.query<{ signature: string; attempts: number; reason: string }>(
    'select signature, attempts, reason from unreadable_transactions order by first_seen_at, signature',
  );

/** Lets the time pass after which everything that was set aside is looked up again. */
const passTime = (minutes: number) =>
  t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + minutes * 60_000);

async function payAndFinalize() {
  const intent = await newIntent(t.shop);
  const signature = await payIntent(t, intent);
  await t.finalize();
  return { intent, signature };
}

const paid = { status: 'succeeded', cents: 100 };

test.each([
  ['a NUL', 'a\0b'],
  ['every control character', String.fromCharCode(...Array.from({ length: 32 }, (_, i) => i))],
  ['a private-use and a last code point', '\ue000\u{10ffff}\ufffe'],
  ['quotes and backslashes', '"]}\\u0000\\ud800'],
])('%s in a stranger’s memo does not affect later payments', async (_name, memo) => {
  await mention(memo);
  const { intent } = await payAndFinalize();
  expect(await readIntent(t.shop, intent)).toEqual(paid);
  const [account] = await t.service.db.query<{ problem: string | null }>(
    'select last_problem as problem from watched_accounts',
  );
  expect(account!.problem).toBeNull();
  expect(await unreadable()).toEqual([]);
});

const listing = (change: (entries: Loose[]) => unknown) => {
  node.alter = (method, _params, text) =>
    method === 'getSignaturesForAddress'
      ? withResult(text, (list: Loose[]) => (list.length > 0 ? change(list) : list))
      : undefined;
};

test.each<[string, (entries: Loose[]) => unknown]>([
  ['half a surrogate pair', (list) => list.map((entry) => ({ ...entry, memo: '\ud800' }))],
  [
    'fields nobody has heard of',
    (list) => list.map((entry) => ({ ...entry, more: { deep: [[[]]] }, slot2: 1 })),
  ],
  ['no block time', (list) => list.map((entry) => ({ ...entry, blockTime: null }))],
  ['a negative block time', (list) => list.map((entry) => ({ ...entry, blockTime: -1 }))],
  [
    'a block time beyond all calendars',
    (list) => list.map((entry) => ({ ...entry, blockTime: 2 ** 53 - 1 })),
  ],
  ['an entry that is nothing', (list) => [null, ...list]],
  ['an entry whose signature is a number', (list) => [{ ...list[0], signature: 7 }, ...list]],
  ['an entry whose signature has a NUL', (list) => [{ ...list[0], signature: '\0' }, ...list]],
  ['slots that are text', (list) => list.map((entry, i) => (i === 0 ? { ...entry, slot: 'late' } : entry))],
])('a list with %s is read for what else is in it', async (_name, change) => {
  await mention('odd');
  listing(change);
  const { intent } = await payAndFinalize();
  expect(await readIntent(t.shop, intent)).toEqual(paid);
});

test.each<[string, (text: string) => string | Buffer]>([
  ['a raw NUL byte', (text) => text.replace(/"memo":"[^"]*"/, '"memo":"a\0b"')],
  [
    'bytes that are no UTF-8',
    (text) => Buffer.from(text.replace(/"memo":"[^"]*"/, '"memo":"\xff\xfe"'), 'latin1'),
  ],
  ['a key twice', (text) => text.replace('"memo":', '"memo":"first","memo":')],
  ['a number of a hundred digits', (text) => text.replace('"memo":', `"n":${'9'.repeat(100)},"memo":`)],
  ['a number beyond doubles', (text) => text.replace('"memo":', '"n":-1e999,"memo":')],
  [
    'a thousand levels',
    (text) => text.replace('"memo":', `"n":${'['.repeat(1_000)}${']'.repeat(1_000)},"memo":`),
  ],
  ['a byte order mark', (text) => `\ufeff${text}`],
])('an answer with %s is read', async (_name, change) => {
  await mention('odd');
  node.alter = (method, _params, text) => (method === 'getSignaturesForAddress' ? change(text) : undefined);
  const { intent } = await payAndFinalize();
  expect(await readIntent(t.shop, intent)).toEqual(paid);
});

test('a megabyte of logs, foreign fields and a deep error in a transaction change nothing', async () => {
  node.alter = (method, _params, text) =>
    method === 'getTransaction'
      ? withResult(text, (found) => {
          if (!found) return found;
          let deep: unknown = 1;
          for (let i = 0; i < 200; i++) deep = { deep };
          const logMessages = Array.from({ length: 1_000 }, () => `\0${'x'.repeat(1_000)}\ud800`);
          return {
            ...found,
            more: deep,
            meta: { ...found.meta, logMessages, costUnits: 18446744073709551615n.toString() },
          };
        })
      : undefined;
  const { intent } = await payAndFinalize();
  expect(await readIntent(t.shop, intent)).toEqual(paid);
});

/** Makes the node answer for one transaction with an error, or with what `change` makes of it. */
function spoil(signature: string, change: (text: string) => string): void {
  node.alter = (method, params, text) =>
    method === 'getTransaction' && params[0] === signature ? change(text) : undefined;
}

const failing = (error: object) => () => JSON.stringify({ jsonrpc: '2.0', id: 1, error });

/** An answer whose meta is changed, where there is one. */
function withMeta(changes: object): (text: string) => string {
  return (text) => withResult(text, (found) => found && { ...found, meta: { ...found.meta, ...changes } });
}

test.each<[string, (text: string) => string]>([
  [
    'of a version newer than we know',
    failing({ code: -32015, message: 'Transaction version (2) is not supported by the requesting client' }),
  ],
  ['that the node fails at', failing({ code: -32603, message: 'Internal error \0' })],
  ['that the node has lost', (text) => withResult(text, () => null)],
  [
    'with a block time beyond all calendars',
    (text) => withResult(text, (found) => found && { ...found, blockTime: 2 ** 53 - 1 }),
  ],
  ['with a NUL in an account', (text) => text.replace(/"accountKeys":\["[^"]*"/, '"accountKeys":["\\u0000"')],
  ['that is a list', (text) => withResult(text, () => [])],
  ['without its token balances', withMeta({ preTokenBalances: undefined, postTokenBalances: undefined })],
  ['whose token balances are null', withMeta({ preTokenBalances: null, postTokenBalances: null })],
  ['without the token balances before it', withMeta({ preTokenBalances: undefined })],
  ['without the token balances after it', withMeta({ postTokenBalances: undefined })],
])('a transaction %s is set aside, holds nobody up, and is read when it can be', async (_name, change) => {
  const [odd, unpaid] = [await newIntent(t.shop), await newIntent(t.shop)];
  const signature = await payIntent(t, odd);
  spoil(signature, change);
  for (let i = 0; i < 3; i++) {
    const { intent } = await payAndFinalize();
    expect(await readIntent(t.shop, intent)).toEqual(paid);
  }
  expect((await unreadable()).map((row) => row.signature)).toEqual([signature]);
  const [account] = await t.service.db.query<{ slot: bigint }>(
    'select cursor_slot as slot from watched_accounts',
  );
  expect(account!.slot).toBeGreaterThan(BigInt(t.chain.slot) - 45n);
  // Its money is missing in the books, so nothing expires, however often it was looked up.
  passTime(120);
  for (let i = 0; i < 6; i++) {
    await t.finalize();
    await t.expire();
    passTime(120);
  }
  expect(await readIntent(t.shop, odd)).toEqual({ status: 'pending', cents: 0 });
  expect(await readIntent(t.shop, unpaid)).toEqual({ status: 'pending', cents: 0 });

  node.alter = undefined;
  passTime(24 * 60);
  await t.finalize();
  await t.finalize();
  expect(await readIntent(t.shop, odd)).toEqual(paid);
  expect(await unreadable()).toEqual([]);
  await t.expire();
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
});

const withoutTime = (text: string) => withResult(text, (found) => found && { ...found, blockTime: null });
const skipped = failing({ code: -32009, message: 'Slot was skipped, or missing in long-term storage' });

/** Shows one transaction without its block time; `timeOf` answers what is asked about slots near it, as `getBlockTime` does. */
function hideTime(signature: string, timeOf: (distance: number, text: string) => string | undefined): void {
  let slot: number | undefined;
  node.alter = (method, params, text) => {
    if (method === 'getTransaction' && params[0] === signature) {
      slot = JSON.parse(text).result?.slot ?? slot;
      return withoutTime(text);
    }
    const distance = method === 'getBlockTime' && slot !== undefined ? params[0] - slot : Infinity;
    return Math.abs(distance) < 20 ? timeOf(distance, text) : undefined;
  };
  node.asked.length = 0;
}

const timesAsked = () =>
  node.asked.filter(({ method, params }) => method === 'getBlockTime' && params.length > 0).length;

const blockTimeOf = async (signature: string) => {
  const [row] = await t.service.db.query<{ at: Date }>(
    'select block_time as at from incoming_transfers where signature = $1',
    [signature],
  );
  return row?.at.getTime();
};

test.each<[string, (distance: number, text: string) => string | undefined]>([
  ['the node knows the time of its slot', () => undefined],
  ['only slots before it have a time', (distance, text) => (distance >= 0 ? skipped() : text)],
  ['only slots after it have a time', (distance, text) => (distance <= 0 ? skipped() : text)],
  [
    'its slot has no time, and others have',
    (distance, text) => (distance === 0 ? withResult(text, () => null) : text),
  ],
])('a payment without a block time is settled at once where %s', async (_name, timeOf) => {
  t.chain.advanceSlots(10);
  const intent = await newIntent(t.shop);
  const signature = await payIntent(t, intent);
  hideTime(signature, timeOf);
  t.chain.advanceSlots(10);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual(paid);
  expect(await unreadable()).toEqual([]);
  expect(timesAsked()).toBeGreaterThan(0);
  const aboutMs = Math.abs((await blockTimeOf(signature))! - t.service.clock.now().getTime());
  expect(aboutMs).toBeLessThan(120_000);
});

test('a payment of whose time no slot near it says anything is set aside, and read when one does', async () => {
  const intent = await newIntent(t.shop);
  const signature = await payIntent(t, intent);
  hideTime(signature, () => skipped());
  t.chain.advanceSlots(40);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'pending', cents: 0 });
  expect(await unreadable()).toMatchObject([{ signature, reason: expect.stringContaining('block time') }]);
  node.alter = undefined;
  passTime(24 * 60);
  await t.finalize();
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual(paid);
  expect(await unreadable()).toEqual([]);
});

test('a mention nobody can read, which moved nothing, does not keep anything from expiring', async () => {
  const unpaid = await newIntent(t.shop);
  const signature = await mention('from the future');
  spoil(signature, failing({ code: -32015, message: 'Transaction version (7) is not supported' }));
  await t.finalize();
  passTime(60);
  for (let i = 0; i < 3; i++) await t.finalize();
  await t.expire();
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
  expect((await unreadable()).map((row) => row.signature)).toEqual([signature]);
  node.alter = undefined;
  passTime(24 * 60);
  await t.finalize();
  expect(await unreadable()).toEqual([]);
});

test('a stranger who names the account without a token program does not keep anything from expiring', async () => {
  await payAndFinalize();
  const unpaid = await newIntent(t.shop);
  const signature = await mention('here');
  await t.finalize();
  // Nodes list no token balances then, whatever the account holds.
  const params = [signature, { maxSupportedTransactionVersion: 0 }];
  const found = await createRpc({ urls: [t.chain.rpcUrl] }).ask('getTransaction', params, (it: Loose) => it);
  expect(found.meta).toMatchObject({ preTokenBalances: [], postTokenBalances: [] });
  passTime(60);
  for (let i = 0; i < 3; i++) await t.finalize();
  await t.expire();
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
});

test('what nobody can read is asked about less and less often', async () => {
  const signature = await mention('again');
  spoil(signature, (text) => withResult(text, () => null));
  t.chain.advanceSlots(40);
  node.asked.length = 0;
  // Every half minute for an hour.
  for (let i = 0; i < 120; i++) {
    passTime(0.5);
    await t.look();
  }
  const asked = node.asked.filter(
    ({ method, params }) => method === 'getTransaction' && params[0] === signature,
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.length).toBeLessThan(20);
  node.alter = undefined;
  passTime(24 * 60);
  await t.finalize();
});

test('reconcile goes past what it cannot read and says so at the end; what balances prove it need not read', async () => {
  const { signature } = await payAndFinalize();
  spoil(signature, failing({ code: -32015, message: 'not supported' }));
  const [first] = chainNodes(createRpc({ urls: [node.url] }));
  const compared = { db: t.service.db, node: first!, mint: USDC_MINTS.sandbox };
  expect(await reconcile(compared)).toMatchObject({ differences: [], unreadable: [] });
  const report = await reconcile({ ...compared, isEach: true });
  expect(report.differences).toEqual([]);
  expect(report.unreadable).toEqual([
    { destination: t.merchant.address, signature, problem: expect.stringContaining('not supported') },
  ]);
  expect(report.transactions).toBeGreaterThan(20);
});

test('the books are sound after all of it', async () => {
  await expectSoundBooks(t);
});
