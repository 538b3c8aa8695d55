import { expect, test } from 'vitest';
import { nextNight } from '../../src/chain/solana/watched-account.ts';
import { examineDisagreements } from '../../src/operations/doctor/examine-nodes.ts';
import { addMinutes } from '../../src/platform/lib/clock.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { type LyingNode, newSignature, startLyingNode } from '../support/lying-node.ts';
import { expectSoundBooks, type NewIntent, newIntent, payIntent, readIntent } from '../support/payments.ts';
import { call } from '../support/service.ts';

interface Several {
  t: TestChain;
  nodes: LyingNode[];
}

async function several(count: number, env: Record<string, string> = {}): Promise<Several> {
  const nodes: LyingNode[] = [];
  const t = await testChain(env, async (rpcUrl) => {
    for (let i = 0; i < count; i++) nodes.push(await startLyingNode(rpcUrl));
    return nodes.map(({ url }) => url);
  });
  return { t, nodes };
}

/** Each node gets its turns, and whatever is final is final. */
async function settle(t: TestChain): Promise<void> {
  for (let i = 0; i < 4; i++) await t.finalize();
}

/** The intents' time passes, with everything read afterwards. */
async function pastExpiry(t: TestChain): Promise<void> {
  const { clock } = t.service;
  clock.setOffsetMs(clock.now().getTime() - Date.now() + 31 * 60_000);
  await settle(t);
  await t.expire();
}

/** Two minutes pass in which the nodes are asked again and again. */
async function twoMinutes(t: TestChain): Promise<void> {
  for (let i = 0; i <= 12; i++) {
    t.chain.advanceSlots(1);
    await t.checkNodes();
    t.elapse(10);
  }
  await t.checkNodes();
}

/** The node shows a payment of `intent` that nobody made, like the real one of another intent. */
function invent(node: LyingNode, like: string, from: NewIntent, intent: NewIntent): string {
  const signature = newSignature();
  node.invented.push({ signature, like, replace: { [from.reference]: intent.reference } });
  return signature;
}

async function doctor(t: TestChain): Promise<string[]> {
  const lines: string[] = [];
  await examineDisagreements(t.service.db, (check, ok) => lines.push(`${ok ? '✓' : '✗'} ${check}`));
  return lines;
}

const PAID = { status: 'succeeded', cents: 100 };
const OPEN = { status: 'pending', cents: 0 };
const SEEN = { status: 'processing', cents: 0 };

const onRecord = (t: TestChain) =>
  t.service.db.query<{ signature: string; claim: string; isDecided: boolean }>(
    `select signature, claim, decided_at is not null as "isDecided" from node_disagreements order by node, signature`,
  );

test('two honest nodes: paid as ever, and nothing on record', async () => {
  const { t } = await several(2);
  const [intent, unpaid] = [await newIntent(t.shop), await newIntent(t.shop)];
  await payIntent(t, intent);
  await settle(t);
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  await pastExpiry(t);
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
  expect(await onRecord(t)).toEqual([]);
  await expectSoundBooks(t);
});

test.each([0, 1])(
  'a payment that node %i of two invents is never credited, and gone once it is honest',
  async (liar) => {
    const { t, nodes } = await several(2);
    const [paid, victim] = [await newIntent(t.shop), await newIntent(t.shop)];
    const like = await payIntent(t, paid);
    await settle(t);
    const signature = invent(nodes[liar]!, like, paid, victim);
    nodes[liar]!.extraUnits = 1_000_000n;
    await settle(t);
    // One node can do no more than this: the payment is shown as under way.
    expect(await readIntent(t.shop, victim)).toEqual(SEEN);
    expect(await onRecord(t)).toMatchObject([
      { signature, isDecided: false },
      { signature, isDecided: false },
    ]);
    expect(await doctor(t)).toEqual(['✗ solana agreement', '✓ solana finality']);
    await pastExpiry(t);
    expect(await readIntent(t.shop, victim)).toEqual(SEEN);
    expect(t.log.filter((line) => line.includes('contradict') && line.includes(signature))).toHaveLength(1);

    nodes[liar]!.repent();
    await settle(t);
    await t.expire();
    expect((await readIntent(t.shop, victim)).status).toBe('expired');
    expect(await readIntent(t.shop, paid)).toEqual(PAID);
    expect(await onRecord(t)).toMatchObject([{ signature, isDecided: true }]);
    expect(t.disagreements).toEqual([1, 1]);
    await expectSoundBooks(t);
  },
);

test.each([0, 1])(
  'a payment that node %i of two hides neither counts nor expires while it is disputed',
  async (liar) => {
    const { t, nodes } = await several(2);
    const [first, intent] = [await newIntent(t.shop), await newIntent(t.shop)];
    await payIntent(t, first);
    await settle(t);
    const signature = await payIntent(t, intent);
    nodes[liar]!.hidden.add(signature);
    nodes[liar]!.extraUnits = -1_000_000n;
    await pastExpiry(t);
    expect(await readIntent(t.shop, intent)).toEqual(SEEN);
    expect((await onRecord(t)).map(({ claim }) => claim.split(' (')[0]).sort()).toEqual([
      'does not have it',
      expect.stringMatching(/^shows 1 USDC in slot \d+$/),
    ]);
    nodes[liar]!.repent();
    await settle(t);
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
    expect(await onRecord(t)).toMatchObject([{ claim: 'does not have it', isDecided: true }]);
    await expectSoundBooks(t);
  },
);

const alterations: [string, (transaction: { meta: Meta; slot: number }) => void][] = [
  [
    'another amount',
    ({ meta }) => {
      for (const balance of meta.postTokenBalances)
        balance.uiTokenAmount.amount = String(BigInt(balance.uiTokenAmount.amount) * 2n);
    },
  ],
  ['a failure', ({ meta }) => Object.assign(meta, { err: { InstructionError: [0, { Custom: 1 }] } })],
  ['another slot', (transaction) => void transaction.slot--],
];
interface Meta {
  err: unknown;
  postTokenBalances: { uiTokenAmount: { amount: string } }[];
}

test.each(alterations)('one node of two shows %s: nothing is credited until they agree', async (_, alter) => {
  for (const liar of [0, 1]) {
    const { t, nodes } = await several(2);
    const intent = await newIntent(t.shop);
    const signature = await payIntent(t, intent);
    nodes[liar]!.altered.set(signature, alter);
    await settle(t);
    expect((await readIntent(t.shop, intent)).cents).toBe(0);
    expect(['processing', 'pending']).toContain((await readIntent(t.shop, intent)).status);
    expect(await onRecord(t)).toHaveLength(2);
    nodes[liar]!.repent();
    await settle(t);
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
    await expectSoundBooks(t);
  }
});

test('three nodes, two must agree: one that hides, invents or alters is outvoted, and stays on record', async () => {
  const { t, nodes } = await several(3);
  const [first, hidden, altered, victim, unpaid] = [
    await newIntent(t.shop),
    await newIntent(t.shop),
    await newIntent(t.shop),
    await newIntent(t.shop),
    await newIntent(t.shop),
  ];
  const like = await payIntent(t, first);
  await settle(t);
  const liar = nodes[0]!;
  liar.hidden.add(await payIntent(t, hidden));
  liar.altered.set(await payIntent(t, altered), ({ meta }) => Object.assign(meta, { err: 'no' }));
  invent(liar, like, first, victim);
  await settle(t);
  expect(await readIntent(t.shop, hidden)).toEqual(PAID);
  expect(await readIntent(t.shop, altered)).toEqual(PAID);
  expect(await readIntent(t.shop, victim)).toEqual(OPEN);
  expect(t.disagreements[1]! + t.disagreements[2]!).toBe(0);
  expect(t.disagreements[0]).toBeGreaterThanOrEqual(2);
  await pastExpiry(t);
  expect((await readIntent(t.shop, victim)).status).toBe('expired');
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
  const events = await t.service.db.query('select from events where object_id = $1', [victim.id]);
  expect(events.length).toBeLessThanOrEqual(4);
  await expectSoundBooks(t);
});

test('three nodes: what one calls confirmed forever is reverted once, and not shown again', async () => {
  const { t, nodes } = await several(3);
  const [first, victim] = [await newIntent(t.shop), await newIntent(t.shop)];
  const like = await payIntent(t, first);
  await settle(t);
  const signature = invent(nodes[1]!, like, first, victim);
  nodes[1]!.invented[0]!.status = 'confirmed';
  await settle(t);
  await settle(t);
  expect(await readIntent(t.shop, victim)).toEqual(OPEN);
  const told = await t.service.db.query('select from events where object_id = $1', [victim.id]);
  await settle(t);
  await t.shop.call('POST', `/api/public/intents/${victim.id}/check`, { signature });
  await t.lookCloser();
  await settle(t);
  expect(await t.service.db.query('select from events where object_id = $1', [victim.id])).toHaveLength(
    told.length,
  );
});

test('a node that is behind does not contradict: it is waited for, and asked again', async () => {
  const { t, nodes } = await several(2);
  const intent = await newIntent(t.shop);
  const signature = await payIntent(t, intent);
  nodes[1]!.hidden.add(signature);
  nodes[1]!.slotsAhead = -100;
  await settle(t);
  expect(await readIntent(t.shop, intent)).toEqual(SEEN);
  expect(await onRecord(t)).toEqual([]);
  nodes[1]!.repent();
  await settle(t);
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  expect(await onRecord(t)).toEqual([]);
});

test('a node that dies is waited for 2 minutes, then one decides alone: credits, expiry; back again, it counts', async () => {
  const { t, nodes } = await several(2);
  const [intent, unpaid] = [await newIntent(t.shop), await newIntent(t.shop)];
  await settle(t);
  nodes[1]!.isDead = true;
  await payIntent(t, intent);
  await pastExpiry(t);
  expect(await readIntent(t.shop, intent)).toEqual(SEEN);
  expect(await readIntent(t.shop, unpaid)).toEqual(OPEN);
  await twoMinutes(t);
  await settle(t);
  await t.expire();
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');

  nodes[1]!.isDead = false;
  await t.checkNodes();
  const later = await newIntent(t.shop);
  const signature = await payIntent(t, later);
  nodes[1]!.hidden.add(signature);
  await settle(t);
  expect(await readIntent(t.shop, later)).toEqual(SEEN);
  await expectSoundBooks(t);
});

test('a node that refuses calls for an hour is asked once; after 2 minutes the other decides alone', async () => {
  const { t, nodes } = await several(2);
  const intent = await newIntent(t.shop);
  await settle(t);
  nodes[1]!.retryAfter = '3600';
  nodes[1]!.asked.length = 0;
  await payIntent(t, intent);
  await settle(t);
  expect(await readIntent(t.shop, intent)).toEqual(SEEN);
  await twoMinutes(t);
  await settle(t);
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  expect(nodes[1]!.asked).toEqual(['refused']);
  await expectSoundBooks(t);
});

test('strict: a dead node holds up credits and expiry for as long as it is dead', async () => {
  const { t, nodes } = await several(2, { SOLANA_RPC_QUORUM_STRICT: 'true' });
  const [intent, unpaid] = [await newIntent(t.shop), await newIntent(t.shop)];
  await settle(t);
  nodes[0]!.isDead = true;
  await payIntent(t, intent);
  await pastExpiry(t);
  await twoMinutes(t);
  await twoMinutes(t);
  await settle(t);
  await t.expire();
  expect(await readIntent(t.shop, intent)).toEqual(SEEN);
  expect(await readIntent(t.shop, unpaid)).toEqual(OPEN);
  nodes[0]!.isDead = false;
  await settle(t);
  await t.expire();
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  expect((await readIntent(t.shop, unpaid)).status).toBe('expired');
});

test('a node that is dead from the start: the other is watched at once, and decides alone after 2 minutes', async () => {
  const nodes: LyingNode[] = [];
  const t = await testChain({}, async (rpcUrl) => {
    nodes.push(await startLyingNode(rpcUrl), await startLyingNode(rpcUrl));
    nodes[1]!.isDead = true;
    return nodes.map(({ url }) => url);
  });
  const intent = await newIntent(t.shop);
  await payIntent(t, intent);
  await settle(t);
  expect(await readIntent(t.shop, intent)).toEqual(SEEN);
  await twoMinutes(t);
  await settle(t);
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  // Alive, but not checked: it is believed only afterwards.
  nodes[1]!.isDead = false;
  await settle(t);
  expect(nodes[1]!.asked).toEqual([]);
  await t.checkNodes();
  const next = await newIntent(t.shop);
  await payIntent(t, next);
  await settle(t);
  expect(await readIntent(t.shop, next)).toEqual(PAID);
  expect(nodes[1]!.asked).toContain('getTransaction');
});

test('a single node decides alone, and is not asked more than before', async () => {
  const { t, nodes } = await several(1);
  const intent = await newIntent(t.shop);
  await payIntent(t, intent);
  await settle(t);
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
  expect(nodes[0]!.asked.filter((method) => method === 'getTransaction')).toHaveLength(1);
});

test('"I have paid" with a signature that one node invents credits nothing; one that it misdescribes is found', async () => {
  const { t, nodes } = await several(2);
  const [first, victim, honest] = [await newIntent(t.shop), await newIntent(t.shop), await newIntent(t.shop)];
  const like = await payIntent(t, first);
  await settle(t);
  const check = ({ id }: NewIntent, signature: string) =>
    call(`${t.service.url}/api/public/intents/${id}/check`, 'POST', { signature });
  const look = async ({ id }: NewIntent) => {
    await t.service.db.query('update payment_intents set reference_check_at = null where id <> $1', [id]);
    await t.lookCloser();
  };
  const madeUp = invent(nodes[0]!, like, first, victim);
  await check(victim, madeUp);
  await look(victim);
  await settle(t);
  expect((await readIntent(t.shop, victim)).cents).toBe(0);
  nodes[0]!.invented = [];

  // The first node says that it is about something else.
  const signature = await payIntent(t, honest);
  t.chain.advanceSlots(3);
  const replaced = newSignature().slice(0, 44);
  nodes[0]!.altered.set(signature, (transaction) => {
    const { accountKeys } = transaction.transaction.message;
    for (const [i, key] of accountKeys.entries())
      if (key === honest.reference || key === t.merchant.usdcAccount) accountKeys[i] = replaced;
  });
  await check(honest, signature);
  await look(honest);
  expect(await readIntent(t.shop, honest)).toEqual(SEEN);
  nodes[0]!.repent();
  await settle(t);
  expect(await readIntent(t.shop, honest)).toEqual(PAID);
});

test('the nightly rescan credits nothing on the word of one node', async () => {
  const { t, nodes } = await several(2);
  const [first, victim] = [await newIntent(t.shop), await newIntent(t.shop)];
  const like = await payIntent(t, first);
  await settle(t);
  const { clock } = t.service;
  clock.setOffsetMs(addMinutes(nextNight(clock.now()), 1).getTime() - Date.now());
  t.chain.advanceSlots(40);
  invent(nodes[1]!, like, first, victim);
  await t.rescan();
  await t.look();
  expect(await readIntent(t.shop, victim)).toMatchObject({ cents: 0 });
  expect(await onRecord(t)).toHaveLength(2);
});

test('a list with slots of its own making does not have later payments skipped', async () => {
  const { t, nodes } = await several(2);
  const first = await newIntent(t.shop);
  await payIntent(t, first);
  await settle(t);
  const [account] = await t.service.db.query<{ cursorSlot: bigint }>(
    'select cursor_slot as "cursorSlot" from watched_accounts',
  );
  nodes[0]!.listedSlots = 1_000_000;
  await settle(t);
  nodes[0]!.listedSlots = 0;
  const [after] = await t.service.db.query('select cursor_slot as "cursorSlot" from watched_accounts');
  expect(after).toEqual(account);
  const intent = await newIntent(t.shop);
  await payIntent(t, intent);
  await settle(t);
  expect(await readIntent(t.shop, intent)).toEqual(PAID);
});

test('the operator removes the liar and restarts: the honest node decides, and the record is closed', async () => {
  const { t, nodes } = await several(2);
  const [first, hidden, victim] = [await newIntent(t.shop), await newIntent(t.shop), await newIntent(t.shop)];
  const like = await payIntent(t, first);
  await settle(t);
  nodes[1]!.hidden.add(await payIntent(t, hidden));
  invent(nodes[1]!, like, first, victim);
  await settle(t);
  expect(await readIntent(t.shop, hidden)).toEqual(SEEN);
  expect(await readIntent(t.shop, victim)).toEqual(SEEN);
  await t.restartWith([nodes[0]!.url]);
  await settle(t);
  expect(await readIntent(t.shop, hidden)).toEqual(PAID);
  expect(await readIntent(t.shop, victim)).toEqual(OPEN);
  expect((await onRecord(t)).map(({ isDecided }) => isDecided)).toEqual([true, true]);
  await expectSoundBooks(t);
});
