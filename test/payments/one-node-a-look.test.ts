import { expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { type LyingNode, startLyingNode } from '../support/lying-node.ts';
import {
  exceptionKinds,
  expectSoundBooks,
  newIntent,
  payIntent,
  readIntent,
  UNITS,
} from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createMint } from '../support/wallet.ts';

const NODES = 3;

async function several(): Promise<{ t: TestChain; nodes: LyingNode[] }> {
  const nodes: LyingNode[] = [];
  const t = await testChain({}, async (rpcUrl) => {
    for (let i = 0; i < NODES; i++) nodes.push(await startLyingNode(rpcUrl));
    return nodes.map(({ url }) => url);
  });
  await t.service.db.query('update payment_intents set reference_check_at = null');
  return { t, nodes };
}

const lists = (nodes: readonly LyingNode[]) =>
  nodes.map(({ asked }) => asked.splice(0).filter((method) => method === 'getSignaturesForAddress').length);

test('a look of an open page asks one node, another each time; past the deadline every node is asked', async () => {
  const { t, nodes } = await several();
  const intent = await newIntent(t.shop);
  const offsets: number[][] = [];
  const look = async (secondsLater: number) => {
    t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + secondsLater * 1000);
    await call(`${t.service.url}/intents/${intent.id}`, 'GET');
    lists(nodes);
    await t.lookCloser();
    offsets.push(lists(nodes));
  };
  for (let i = 0; i < NODES; i++) await look(10);
  expect(offsets.map((counts) => counts.toSorted())).toEqual(Array(NODES).fill([0, 0, 1]));
  expect(new Set(offsets.map((counts) => counts.indexOf(1))).size).toBe(NODES);
  await look(31 * 60);
  expect(offsets.at(-1)).toEqual([1, 1, 1]);
});

test('a payment in another token that the node of a look leaves out is found by the next look', async () => {
  const { t, nodes } = await several();
  const intent = await newIntent(t.shop);
  const mint = await createMint(t.chain.rpcUrl, t.customer.signer, UNITS);
  const signature = await payIntent(t, intent, { mint });
  t.chain.advanceSlots(40);
  nodes[0]!.hidden.add(signature);
  for (let i = 0; i < NODES; i++) {
    t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + 10_000);
    await call(`${t.service.url}/intents/${intent.id}`, 'GET');
    await t.lookCloser();
    await t.finalize();
  }
  expect((await readIntent(t.shop, intent)).status).toBe('failed');
  expect(await exceptionKinds(t, signature)).toEqual(['wrong_mint']);
  await expectSoundBooks(t);
});

test('nodes that are well are asked less often how far they are than those that do not answer', async () => {
  const { t, nodes } = await several();
  const slots = () =>
    nodes.map(({ asked }) => asked.splice(0).filter((method) => method === 'getSlot').length);
  slots();
  await t.checkUnwell();
  expect(slots()).toEqual([0, 0, 0]);
  nodes[1]!.isDead = true;
  for (let i = 0; i < 3; i++) {
    await t.checkNodes();
    t.elapse(10);
  }
  nodes[1]!.isDead = false;
  slots();
  await t.checkUnwell();
  expect(slots()).toEqual([0, 1, 0]);
  await t.checkUnwell();
  expect(slots()).toEqual([0, 0, 0]);
  await t.checkNodes();
  expect(slots()).toEqual([1, 1, 1]);
});

test('a node of the look that does not answer is no look: the next one is asked', async () => {
  const { t, nodes } = await several();
  const intent = await newIntent(t.shop);
  nodes[0]!.isDead = true;
  await call(`${t.service.url}/intents/${intent.id}`, 'GET');
  lists(nodes);
  await t.lookCloser();
  expect(lists(nodes)).toEqual([0, 1, 0]);
});
