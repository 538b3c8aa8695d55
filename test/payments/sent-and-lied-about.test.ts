import { expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { type LyingNode, startLyingNode } from '../support/lying-node.ts';
import {
  expectSoundBooks,
  type NewIntent,
  newIntent,
  payIntent,
  readIntent,
  signedPayment,
} from '../support/payments.ts';
import { call } from '../support/service.ts';
import { eventually } from '../support/webhooks.ts';

/** Payments that we have sent, and one of three nodes that lies about them. */
async function threeNodes() {
  const nodes: LyingNode[] = [];
  const t = await testChain({}, async (rpcUrl) => {
    for (let i = 0; i < 3; i++) nodes.push(await startLyingNode(rpcUrl));
    return nodes.map(({ url }) => url);
  });
  return { t, nodes, liar: nodes[0]! };
}

const at = (t: TestChain, { id }: NewIntent) => `${t.service.url}/api/public/intents/${id}`;
const send = (t: TestChain, intent: NewIntent, transaction: string) =>
  call(`${at(t, intent)}/send`, 'POST', { transaction });
const prepare = async (t: TestChain, intent: NewIntent) =>
  (await call(`${at(t, intent)}/pay`, 'POST', { account: t.customer.address })).status;

/** One closer look at this intent, and at the accounts. */
async function look(t: TestChain, { id }: NewIntent): Promise<void> {
  await t.service.db.query(
    'update payment_intents set reference_check_at = case when id = $1 then $2::timestamptz end',
    [id, t.service.clock.now()],
  );
  await t.lookCloser();
  await t.look();
}

/** A payment that no node has passed on yet, and one like it that has landed. */
async function keptBack() {
  const { t, nodes, liar } = await threeNodes();
  const model = await newIntent(t.shop);
  const like = await payIntent(t, model);
  await t.finalize();
  const intent = await newIntent(t.shop);
  const wire = await signedPayment(t, intent.id);
  for (const node of nodes) node.isKeeping = true;
  const { status, body } = await send(t, intent, wire);
  expect(status).toBe(202);
  await eventually(() => nodes.every(({ kept }) => kept.length === 1));
  expect(nodes.map(({ kept }) => kept)).toEqual([[wire], [wire], [wire]]);
  const invented = {
    signature: body.signature as string,
    like,
    replace: { [model.reference]: intent.reference },
  };
  return { t, nodes, liar, intent, wire, invented };
}

/** The one that was kept back is passed on after all. */
async function passOn(t: TestChain, wire: string): Promise<void> {
  const params = [wire, { encoding: 'base64', skipPreflight: true }];
  await call(t.chain.rpcUrl, 'POST', { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params });
}

const LIES = {
  confirmed: { status: 'confirmed' },
  final: { status: 'finalized' },
  failed: { status: 'finalized', alter: ({ meta }) => Object.assign(meta, { err: 'no' }) },
  'of another amount': {
    status: 'confirmed',
    alter: ({ meta }) => {
      for (const { uiTokenAmount } of meta.postTokenBalances) uiTokenAmount.amount += '0';
    },
  },
  // biome-ignore lint/suspicious/noExplicitAny: what is altered has the shape its method gives it.
} as const satisfies Record<string, { status: 'confirmed' | 'finalized'; alter?: (shown: any) => void }>;

test.each(Object.entries(LIES))(
  'one that a node keeps back and calls %s may still land: no other is prepared or sent, and it pays once',
  async (_, { status, ...lie }) => {
    const { t, liar, intent, wire, invented } = await keptBack();
    liar.invented.push({ ...invented, status });
    if ('alter' in lie) liar.altered.set(invented.signature, lie.alter);
    for (let looks = 0; looks < 4; looks++) {
      await look(t, intent);
      expect(await prepare(t, intent)).toBe(409);
      t.chain.advanceSlots(12);
    }
    expect((await readIntent(t.shop, intent)).cents).toBe(0);
    liar.repent();
    await passOn(t, wire);
    await t.finalize();
    await look(t, intent);
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
    await expectSoundBooks(t);
  },
);

test('once it can no longer land by the word of all, whatever one of them shows, another one is', async () => {
  const { t, nodes, liar, intent, invented } = await keptBack();
  liar.invented.push({ ...invented, status: 'finalized' });
  for (let looks = 0; looks < 3; looks++) {
    await look(t, intent);
    expect(await prepare(t, intent)).toBe(409);
    t.chain.advanceSlots(400);
  }
  await look(t, intent);
  expect(await prepare(t, intent)).toBe(200);
  for (const node of nodes) node.isKeeping = false;
  expect((await send(t, intent, await signedPayment(t, intent.id))).status).toBe(202);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
});

test('one that a node hides is known by the others, and no longer awaited once it is final', async () => {
  const { t, liar } = await threeNodes();
  const intent = await newIntent(t.shop);
  const { body } = await send(t, intent, await signedPayment(t, intent.id));
  liar.hidden.add(body.signature);
  const awaited = async () =>
    (await t.service.db.query('select from submitted_signatures where intent_id = $1', [intent.id])).length;
  t.chain.advanceSlots(2);
  await look(t, intent);
  expect([await readIntent(t.shop, intent), await awaited()]).toEqual([
    { status: 'processing', cents: 0 },
    1,
  ]);
  await t.finalize();
  await t.finalize();
  await look(t, intent);
  expect([await readIntent(t.shop, intent), await awaited()]).toEqual([
    { status: 'succeeded', cents: 100 },
    0,
  ]);
});
