import { beforeEach, expect, test } from 'vitest';
import { readLapseHeight } from '../../src/chain/nodes/lapse.ts';
import type { Witnesses } from '../../src/chain/nodes/witnesses.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { openNodes } from '../../src/service/open-nodes.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { newSignature } from '../support/lying-node.ts';
import { type Loose, type OddNode, startOddNode, withResult } from '../support/odd-node.ts';
import { newIntent, payIntent } from '../support/payments.ts';

let t: TestChain;
let nodes: OddNode[];
let witnesses: Witnesses;
let signature: string;

beforeEach(async () => {
  t = await testChain();
  nodes = await Promise.all([1, 2, 3].map(() => startOddNode(t.chain.rpcUrl)));
  use(2);
  signature = await payIntent(t, await newIntent(t.shop));
});

/** Asks the first of the nodes, two of which must agree. */
function use(count: number): void {
  const urls = nodes.slice(0, count).map(({ url }) => url);
  const parts = { config: t.service.config, log: createLog('silent', () => {}), metrics: new Metrics() };
  const config = { ...t.service.config, SOLANA_RPC_URLS: urls, SOLANA_RPC_QUORUM: Math.min(2, count) };
  ({ witnesses } = openNodes({ ...parts, config }, urls, false));
}

/** This node says something else than the chain does. */
function lie(node: number, method: string, change: (result: Loose) => unknown): void {
  nodes[node]!.alter = (asked, _params, text) => (asked === method ? withResult(text, change) : undefined);
}
const lieOfStatus = (node: number, status: object | null) =>
  lie(node, 'getSignatureStatuses', (result) => ({ ...result, value: result.value.map(() => status) }));
const FINAL = { slot: 1, confirmations: null, err: null, confirmationStatus: 'finalized' };
const FAILED = { ...FINAL, err: { InstructionError: [0, 'Custom'] } };

async function status() {
  // Whichever is asked first.
  const told = [];
  for (let i = 0; i < 4; i++) told.push((await witnesses.statuses([signature]))?.[0]);
  return told;
}
const four = (value: unknown) => [value, value, value, value];

test('a landing counts as far as both nodes say it', async () => {
  t.chain.advanceSlots(2);
  expect(await status()).toEqual(four({ commitment: 'confirmed', hasFailed: false }));
  lieOfStatus(0, FINAL);
  expect(await status()).toEqual(four({ commitment: 'confirmed', hasFailed: false }));
  nodes[0]!.alter = undefined;
  t.chain.advanceSlots(40);
  expect(await status()).toEqual(four({ commitment: 'finalized', hasFailed: false }));
});

test.each([
  ['landed', FINAL],
  ['failed', FAILED],
])('what one of two nodes calls %s and the other does not have is unknown', async (_, told) => {
  signature = newSignature();
  lieOfStatus(0, told);
  expect((await status()).every((one) => one === null)).toBe(true);
  expect(await witnesses.isKnown(signature)).toBe(true);
  expect(await witnesses.transaction(signature)).toBeUndefined();
});

test('two of three outvote the one that lies, whichever it is', async () => {
  use(3);
  t.chain.advanceSlots(40);
  for (const [liar, told] of [
    [0, FAILED],
    [1, FAILED],
    [2, { ...FAILED, confirmationStatus: 'confirmed' }],
  ] as const) {
    for (const node of nodes) node.alter = undefined;
    lieOfStatus(liar, told);
    expect(await status()).toEqual(four({ commitment: 'finalized', hasFailed: false }));
  }
});

test('a single node decides alone, and where one does not answer the other is asked', async () => {
  use(1);
  lieOfStatus(0, FINAL);
  expect((await status())[0]).toEqual({ commitment: 'finalized', hasFailed: false });
  use(3);
  nodes[0]!.alter = () => 503;
  t.chain.advanceSlots(40);
  expect(await status()).toEqual(four({ commitment: 'finalized', hasFailed: false }));
});

test('a transaction is what enough nodes show', async () => {
  t.chain.advanceSlots(2);
  const { transfers } = (await witnesses.transaction(signature))!;
  expect(transfers).toHaveLength(1);
  lie(0, 'getTransaction', (result) => result && { ...result, slot: result.slot + 1 });
  expect(await witnesses.transaction(signature)).toBeUndefined();
  use(3);
  expect((await witnesses.transaction(signature))?.transfers).toEqual(transfers);
});

test('the time of a block is no single node’s word, but for seconds', async () => {
  t.chain.advanceSlots(2);
  use(3);
  const { blockTime } = (await witnesses.transaction(signature))!;
  for (const [liar, seconds] of [0, 1, 2].flatMap((node) =>
    [-86_400, 86_400].map((by) => [node, by] as const),
  )) {
    for (const node of nodes) node.alter = undefined;
    const shift = (by: number) => (result: Loose) =>
      result && { ...result, blockTime: result.blockTime + by };
    lie(liar, 'getTransaction', shift(seconds));
    lie((liar + 1) % 3, 'getTransaction', shift(2));
    for (let turn = 0; turn < 3; turn++) {
      const told = (await witnesses.transaction(signature))!.blockTime.getTime() - blockTime.getTime();
      expect([0, 2_000]).toContain(told);
    }
  }
});

test('a height at which a payment lapses is no single node’s word', async () => {
  const height = async () => readLapseHeight(witnesses.counting());
  const honest = (await height())!;
  lie(0, 'getBlockHeight', () => 5_000_000_000);
  expect(await height()).toBeUndefined();
  use(3);
  expect(await height()).toBe(honest);
  lie(0, 'getBlockHeight', () => 1);
  expect(await height()).toBe(honest);
});
