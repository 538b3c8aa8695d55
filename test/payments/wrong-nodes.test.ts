import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { beforeEach, describe, expect, test } from 'vitest';
import { GENESIS_HASHES, USDC_MINTS } from '../../src/chain/solana/network.ts';
import { examineNodes } from '../../src/operations/doctor/examine-nodes.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { openNodes } from '../../src/service/open-nodes.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { cleanUp } from '../support/clean-up.ts';
import { type Loose, type OddNode, startOddNode, withResult } from '../support/odd-node.ts';
import { expectSoundBooks, type NewIntent, newIntent, payIntent, readIntent } from '../support/payments.ts';
import { doctorOn, pass } from '../support/pruned.ts';

const PAID = { status: 'succeeded', cents: 100 };
const OPEN = { status: 'pending', cents: 0 };
const SEEN = { status: 'processing', cents: 0 };

interface OddChain {
  t: TestChain;
  nodes: OddNode[];
  node: OddNode;
}

/** A service with one node or several that say what a test makes them say. */
async function oddChain(
  count = 1,
  env: Record<string, string> = {},
  alter?: OddNode['alter'],
): Promise<OddChain> {
  const nodes: OddNode[] = [];
  const t = await testChain(env, async (rpcUrl) => {
    for (let i = 0; i < count; i++) nodes.push(Object.assign(await startOddNode(rpcUrl), { alter }));
    return nodes.map(({ url }) => url);
  });
  return { t, nodes, node: nodes[0]! };
}

/** Answers of one method are what `change` makes of them. */
const altering =
  (asked: string, change: (result: Loose, params: readonly Loose[]) => unknown): OddNode['alter'] =>
  (method, params, text) =>
    method === asked ? withResult(text, (result) => change(result, params)) : undefined;

const linesAbout = (t: TestChain, words: string) => t.log.filter((line) => line.includes(words));

/** Count that a metric of the first node shows. */
function counted(t: TestChain, name: string, node = 1): number {
  const line = t
    .nodeMetrics()
    .split('\n')
    .find((each) => each.startsWith(`${name}{node="${node}"}`));
  return Number(line!.split(' ')[1]);
}

async function eventsOf(t: TestChain, { id }: NewIntent): Promise<string[]> {
  const rows = await t.service.db.query<{ status: string }>(
    'select status from events where object_id = $1 order by sequence',
    [id],
  );
  return rows.map(({ status }) => status);
}

/** The intents' time passes, and what is over by then is read again and again. */
async function pastExpiry(t: TestChain): Promise<void> {
  pass(t, 31);
  for (let i = 0; i < 4; i++) await t.finalize();
  await t.expire();
}

describe('a node of another network', () => {
  const isOf = (network: 'devnet' | 'mainnet') => altering('getGenesisHash', () => GENESIS_HASHES[network]);
  let other: SandboxChain;
  let now: () => Date;

  beforeEach(async () => {
    now = () => new Date();
    other = await startSandboxChain({ slotMs: 0, now: () => now() });
    cleanUp(() => other.stop());
    // Further than the right network, as devnet is.
    other.advanceSlots(2_000);
  });

  /** The load balancer sends every call somewhere else from now on. */
  function becomeOther(node: OddNode): void {
    node.backends = [other.rpcUrl];
    node.alter = isOf('mainnet');
  }

  function comeBack(node: OddNode, t: TestChain): void {
    node.backends = [t.chain.rpcUrl];
    node.alter = isOf('devnet');
  }

  async function onDevnet(count = 1): Promise<OddChain> {
    const all = await oddChain(count, { FLORIN_NETWORK: 'devnet' }, isOf('devnet'));
    now = () => all.t.service.clock.now();
    await all.t.checkNodes();
    return all;
  }

  test.each<[string, OddNode['alter'], RegExp]>([
    ['genesis', isOf('mainnet'), /node 1 is not on devnet/],
    [
      'mint: no account',
      altering('getAccountInfo', (result) => ({ ...result, value: null })),
      /there is no account/,
    ],
    [
      'mint: of another program',
      altering('getAccountInfo', (result) => ({
        ...result,
        value: { ...result.value, owner: USDC_MINTS.mainnet },
      })),
      /does not belong to the SPL Token program/,
    ],
    [
      'mint: another number of decimals',
      altering('getAccountInfo', (result) => {
        const data = Buffer.from(result.value.data[0], 'base64');
        data[44] = 9;
        return { ...result, value: { ...result.value, data: [data.toString('base64'), 'base64'] } };
      }),
      /is not a mint with 6 decimals/,
    ],
  ])('is refused at the start: another %s', async (_, alter, problem) => {
    const { t, node } = await onDevnet();
    node.alter = (method, params, text) =>
      alter!(method, params, text) ?? isOf('devnet')!(method, params, text);
    const parts = { config: t.service.config, log: createLog('silent', () => {}), metrics: new Metrics() };
    await expect(openNodes(parts, [node.url], true).checks.checkFirst()).rejects.toThrow(problem);
  });

  test('that only answers later is refused then: said once, and never asked again', async () => {
    const { t, nodes } = await onDevnet(2);
    nodes[1]!.alter = () => 503;
    await t.restartWith(nodes.map(({ url }) => url));
    becomeOther(nodes[1]!);
    for (let i = 0; i < 3; i++) await t.checkNodes();
    expect(linesAbout(t, 'Solana node refused')).toHaveLength(1);
    expect(counted(t, 'florin_rpc_node_counting', 2)).toBe(0);
    const intent = await newIntent(t.shop);
    await payIntent(t, intent);
    nodes[1]!.asked.length = 0;
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
    expect(nodes[1]!.asked).toEqual([]);
  });

  test('that was of the right one: what was seen stays, nothing expires; said once, by doctor too, and back it counts', async () => {
    const { t, node } = await onDevnet();
    const seen = await newIntent(t.shop);
    await payIntent(t, seen);
    t.chain.advanceSlots(3);
    await t.look();
    expect(await readIntent(t.shop, seen)).toEqual(SEEN);
    const [unseen, unpaid] = [await newIntent(t.shop), await newIntent(t.shop)];
    await payIntent(t, unseen);
    t.chain.advanceSlots(40);

    becomeOther(node);
    // Nobody has noticed yet.
    pass(t, 31);
    other.advanceSlots(40);
    for (let i = 0; i < 4; i++) await t.look();
    await t.expire();
    expect(await readIntent(t.shop, seen)).toEqual(SEEN);
    expect(await readIntent(t.shop, unseen)).toEqual(OPEN);
    expect(await readIntent(t.shop, unpaid)).toEqual(OPEN);

    for (let i = 0; i < 3; i++) await t.checkNodes();
    expect(linesAbout(t, 'Solana node refused')).toHaveLength(1);
    expect(counted(t, 'florin_rpc_node_counting')).toBe(0);
    const told: [boolean, string][] = [];
    await examineNodes(t.service.config, (check, ok, detail) => {
      if (check === 'solana node 1') told.push([ok, detail]);
    });
    expect(told).toEqual([[false, expect.stringContaining('is not on devnet')]]);

    comeBack(node, t);
    await t.checkNodes();
    expect(counted(t, 'florin_rpc_node_counting')).toBe(1);
    for (let i = 0; i < 3; i++) await t.finalize();
    await t.expire();
    expect(await readIntent(t.shop, seen)).toEqual(PAID);
    expect(await readIntent(t.shop, unseen)).toEqual(PAID);
    expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
    expect(await eventsOf(t, seen)).toEqual(['processing', 'succeeded']);
    await expectSoundBooks(t);
  });

  test('for a shop that nobody has paid yet: what was paid on the right network does not expire', async () => {
    const { t, node } = await onDevnet();
    const intent = await newIntent(t.shop);
    await t.look();
    await payIntent(t, intent);
    t.chain.advanceSlots(40);
    becomeOther(node);
    pass(t, 31);
    other.advanceSlots(40);
    for (let i = 0; i < 4; i++) await t.look();
    await t.expire();
    expect(await readIntent(t.shop, intent)).toEqual(OPEN);
    comeBack(node, t);
    for (let i = 0; i < 3; i++) {
      await t.checkNodes();
      await t.finalize();
    }
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
    expect(await eventsOf(t, intent)).not.toContain('expired');
  });

  test('of two: the other one decides alone', async () => {
    const { t, nodes } = await onDevnet(2);
    const intent = await newIntent(t.shop);
    await t.look();
    becomeOther(nodes[1]!);
    await payIntent(t, intent);
    await t.checkNodes();
    for (let i = 0; i < 3; i++) await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
    expect(t.disagreements).toEqual([0, 0]);
    expect(linesAbout(t, 'Solana node refused')).toHaveLength(1);
  });
});

describe('a node that answers something else', () => {
  test('another transaction than the one requested: nobody is credited with it; said once, counted, and paid later', async () => {
    const { t, node } = await oddChain();
    const [first, second] = [await newIntent(t.shop), await newIntent(t.shop)];
    const signature = await payIntent(t, first);
    await t.finalize();
    const [transaction, events] = [await shown(t, signature), await eventsOf(t, first)];
    node.alter = altering('getTransaction', () => transaction);
    await payIntent(t, second);
    await t.finalize();
    await t.finalize();
    expect(await readIntent(t.shop, first)).toEqual(PAID);
    expect((await readIntent(t.shop, second)).cents).toBe(0);
    expect(linesAbout(t, 'gave an invalid answer')).toHaveLength(1);
    expect(counted(t, 'florin_rpc_invalid_answers_total')).toBeGreaterThan(0);
    await pastExpiry(t);
    expect((await readIntent(t.shop, second)).status).toBe('pending');
    node.alter = undefined;
    for (let i = 0; i < 3; i++) {
      pass(t, 15);
      await t.finalize();
    }
    expect(await readIntent(t.shop, second)).toEqual(PAID);
    expect(await eventsOf(t, first)).toEqual(events);
    await expectSoundBooks(t);
  });

  test.each<[string, (value: Loose[]) => Loose[]]>([
    ['none', () => []],
    ['one less', (value) => value.slice(0, -1)],
    ['one more', (value) => [...value, null]],
  ])(
    'statuses that are %s than were requested: nothing is final or gone by them; said once, and counted',
    async (_, change) => {
      const { t, node } = await oddChain();
      const intent = await newIntent(t.shop);
      await payIntent(t, intent);
      t.chain.advanceSlots(3);
      await t.look();
      const changeStatuses = altering('getSignatureStatuses', (result) => ({
        ...result,
        value: change(result.value),
      }));
      // No other way to learn that it is final.
      const hideList = altering('getSignaturesForAddress', () => []);
      node.alter = (...call) => changeStatuses!(...call) ?? hideList!(...call);
      await t.finalize();
      await t.finalize();
      expect(await readIntent(t.shop, intent)).toEqual(SEEN);
      expect(linesAbout(t, 'statuses do not match those requested')).toHaveLength(1);
      expect(counted(t, 'florin_rpc_invalid_answers_total')).toBeGreaterThan(0);
      node.alter = undefined;
      await t.finalize();
      expect(await readIntent(t.shop, intent)).toEqual(PAID);
      await expectSoundBooks(t);
    },
  );

  test('no status at all for what was sent: it is not taken for a payment that no node knows', async () => {
    const { t, node } = await oddChain();
    const intent = await newIntent(t.shop);
    const signature = await payIntent(t, intent);
    t.chain.advanceSlots(3);
    node.alter = altering('getSignatureStatuses', (result) => ({ ...result, value: [] }));
    const parts = { config: t.service.config, log: createLog('silent', () => {}), metrics: new Metrics() };
    const { witnesses } = openNodes(parts, [node.url], false);
    expect(await witnesses.statuses([signature])).toBeUndefined();
  });
});

describe('a node that forgets', () => {
  test('what it lists: said once, doctor counts it; nothing expires, and it is paid once when it is shown', async () => {
    const { t, node } = await oddChain();
    const intent = await newIntent(t.shop);
    await t.look();
    node.alter = altering('getTransaction', () => null);
    await payIntent(t, intent);
    for (let i = 0; i < 3; i++) await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual(OPEN);
    expect(linesAbout(t, 'transaction cannot be read')).toHaveLength(1);
    await pastExpiry(t);
    expect((await readIntent(t.shop, intent)).status).toBe('pending');
    await t.service.db.query(
      `update unreadable_transactions set first_seen_at = now() - interval '6 minutes'`,
    );
    expect(await doctorOn(t, 'unreadable transactions')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^1 /),
    });
    node.alter = undefined;
    for (let i = 0; i < 3; i++) {
      pass(t, 15);
      await t.finalize();
    }
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
    expect(await eventsOf(t, intent)).not.toContain('expired');
    await expectSoundBooks(t);
  });

  test('what it has called final: the payment stays under way, doctor says so, and it is paid once when it is shown', async () => {
    const { t, node } = await oddChain();
    const intent = await newIntent(t.shop);
    await payIntent(t, intent);
    t.chain.advanceSlots(3);
    await t.look();
    node.alter = altering('getTransaction', () => null);
    for (let i = 0; i < 3; i++) await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual(SEEN);
    await pastExpiry(t);
    expect(await readIntent(t.shop, intent)).toEqual(SEEN);
    await t.service.db.query(`update incoming_transfers set seen_at = now() - interval '11 minutes'`);
    expect((await doctorOn(t, 'solana finality')).ok).toBe(false);
    node.alter = undefined;
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
    expect(await eventsOf(t, intent)).toEqual(['processing', 'succeeded']);
    await expectSoundBooks(t);
  });

  test('what is final in the books: it stays there, and nothing that was paid is due again', async () => {
    const { t, node } = await oddChain();
    const [paid, open] = [await newIntent(t.shop), await newIntent(t.shop)];
    await payIntent(t, paid);
    await t.finalize();
    expect(await readIntent(t.shop, paid)).toEqual(PAID);
    const events = await eventsOf(t, paid);
    const forget: Record<string, (result: Loose) => unknown> = {
      getTransaction: () => null,
      getSignaturesForAddress: () => [],
      getSignatureStatuses: (result) => ({ ...result, value: result.value.map(() => null) }),
    };
    node.alter = (method, _params, text) => (forget[method] ? withResult(text, forget[method]) : undefined);
    for (let i = 0; i < 3; i++) await t.finalize();
    await pastExpiry(t);
    expect(await readIntent(t.shop, paid)).toEqual(PAID);
    expect(await eventsOf(t, paid)).toEqual(events);
    expect((await readIntent(t.shop, open)).status).toBe('pending');
    expect(linesAbout(t, 'account cannot be read')).toHaveLength(1);
    node.alter = undefined;
    await pastExpiry(t);
    expect((await readIntent(t.shop, open)).status).toBe('expired');
    await expectSoundBooks(t);
  });

  test('balances: while they are those of before, nothing expires; said once, and payments are found as ever', async () => {
    const { t, node } = await oddChain();
    const [first, unpaid] = [await newIntent(t.shop), await newIntent(t.shop)];
    await t.look();
    await payIntent(t, first);
    await t.finalize();
    expect(await readIntent(t.shop, first)).toEqual(PAID);
    node.alter = altering('getMultipleAccounts', (result) => ({
      ...result,
      value: result.value.map(() => null),
    }));
    const second = await newIntent(t.shop);
    await payIntent(t, second);
    await pastExpiry(t);
    await pastExpiry(t);
    expect(await readIntent(t.shop, first)).toEqual(PAID);
    expect(await readIntent(t.shop, second)).toEqual(PAID);
    expect((await readIntent(t.shop, unpaid)).status).toBe('pending');
    expect(linesAbout(t, 'account cannot be read')).toHaveLength(1);
    await t.service.db.query(`update watched_accounts set problem_since = now() - interval '6 minutes'`);
    expect(await doctorOn(t, 'payout addresses')).toMatchObject({
      ok: false,
      detail: expect.stringContaining('what no transaction we were shown explains'),
    });
    node.alter = undefined;
    await pastExpiry(t);
    expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
    await expectSoundBooks(t);
  });
});

test('nodes behind one address, some of them behind: what one calls past, another one does not call gone', async () => {
  const { t, node } = await oddChain();
  await payIntent(t, await newIntent(t.shop));
  await t.finalize();
  t.chain.advanceSlots(200);
  const intent = await newIntent(t.shop);
  await payIntent(t, intent);
  t.chain.advanceSlots(3);
  await t.look();
  t.chain.advanceSlots(80);
  const behind = await t.chain.openNode();
  behind.faults.set({ rules: [{ kind: 'lag', slots: 100 }] });
  node.backends = [behind.rpcUrl];
  node.alter = altering('getSlot', (slot) => slot + 100);
  for (let i = 0; i < 3; i++) await t.look();
  expect(await readIntent(t.shop, intent)).toEqual(SEEN);
  node.backends = [t.chain.rpcUrl];
  node.alter = undefined;
  await t.look();
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  expect(await eventsOf(t, intent)).toEqual(['processing', 'succeeded']);
});

test('nodes behind one address, every other one behind: one look finds what is final, whichever answers first', async () => {
  const { t, node } = await oddChain();
  const intent = await newIntent(t.shop);
  await t.finalize();
  let transactions = 0;
  let times = 0;
  const absent = '{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"Slot 7 was skipped"}}';
  node.alter = (method, _params, text) => {
    if (method === 'getTransaction' && transactions++ % 2 === 0) return withResult(text, () => null);
    return method === 'getBlockTime' && times++ % 2 === 0 ? absent : undefined;
  };
  await payIntent(t, intent);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  expect(t.log).toEqual([]);
});

/** A transaction as the chain's own node shows it. */
async function shown(t: TestChain, signature: string): Promise<Loose> {
  const params = [
    signature,
    { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
  ];
  const response = await fetch(t.chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params }),
  });
  return ((await response.json()) as Loose).result;
}
