import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from '@florin/sandbox-chain';
import { expect, test } from 'vitest';
import { testChain } from '../../../test/support/chain.ts';
import { startOddNode } from '../../../test/support/odd-node.ts';
import { createWallet, pay } from '../../../test/support/wallet.ts';
import { USDC_MINTS } from '../../chain/solana/network.ts';
import { type ProbedNode, probeNode } from './probe-node.ts';

const t = await testChain();

/** Findings about a node with these faults, by name. */
async function probed(rules: FaultRule[], fields: Partial<ProbedNode> = {}) {
  const { rpcUrl, faults } = await t.chain.openNode();
  faults.set({ rules });
  const node: ProbedNode = {
    url: rpcUrl,
    socketUrl: t.chain.wsUrl,
    network: 'sandbox',
    mint: USDC_MINTS.sandbox,
    callsPerSecond: 20,
    ...fields,
  };
  const found: Record<string, [boolean, string]> = {};
  await probeNode(node, (check, ok, detail) => {
    found[check] = [ok, detail];
  });
  return found;
}

test('a node without limits fits in everything', async () => {
  const found = await probed([]);
  expect(Object.values(found).map(([ok]) => ok)).not.toContain(false);
  expect(found).toMatchObject({
    network: [true, 'on sandbox, and knows its USDC'],
    history: [true, 'everything, from the first block on'],
    'accounts in one call': [true, '100'],
    'signatures in one call': [true, '256'],
    notifications: [true, expect.stringContaining('subscribed after')],
    'calls per second': [true, '20, as the service makes at the most'],
  });
});

test('a ledger that was pruned is measured, and what the node says of what is gone', async () => {
  t.chain.advanceSlots(3_000);
  const found = await probed([{ kind: 'pruned', slots: 400 }], { socketUrl: undefined });
  expect(found.history![1]).toMatch(/^\d+\.\d (hours|days) \(from block \d+ on\)$/);
  expect(found['pruned transactions']![1]).toContain('-32020');
  expect(found).not.toHaveProperty('notifications');
});

test('a network that is another ends the look', async () => {
  const found = await probed([], { network: 'mainnet' });
  expect(found).toEqual({ network: [false, expect.stringContaining('is not on mainnet')] });
});

test.each<[string, FaultRule, string, RegExp]>([
  [
    'a plan of few calls',
    { kind: 'rateLimit', methods: ['getSlot'], after: 6 },
    'calls per second',
    /^\d+ were taken before one was refused .*429/,
  ],
  ['no index', { kind: 'rpcError', methods: ['getSignaturesForAddress'], code: -32601 }, 'index', /-32601/],
])('%s', async (_, rule, check, detail) => {
  const found = await probed([rule], { socketUrl: undefined });
  expect(found[check]).toEqual([false, expect.stringMatching(detail)]);
});

test('a socket that announces nothing of what lands', async () => {
  const customer = await createWallet(t.chain, { usdcBaseUnits: 1_000_000n });
  const silent = await t.chain.openNode();
  silent.faults.set({ rules: [{ kind: 'loseNotification' }] });
  let isOver = false;
  const paying = (async () => {
    while (!isOver) {
      const from = { rpcUrl: t.chain.rpcUrl, from: customer.signer };
      await pay({ ...from, destinationOwner: t.merchant.address, amountBaseUnits: 1n });
      t.chain.advanceSlots(3);
      await sleep(50);
    }
  })();
  const found = await probed([], { socketUrl: silent.wsUrl });
  isOver = true;
  await paying;
  expect(found.notifications).toEqual([false, expect.stringContaining('it announced nothing')]);
});

test('what the plan refuses for the moment is measured when it takes calls again', async () => {
  const odd = await startOddNode(t.chain.rpcUrl);
  let calls = 0;
  odd.alter = () => (++calls % 5 === 0 ? 429 : undefined);
  const found = await probed([], { url: odd.url, socketUrl: undefined });
  const failed = Object.entries(found).filter(([, [ok]]) => !ok);
  expect(failed.map(([check]) => check)).toEqual(['calls per second']);
});

test('a plan of five accounts in one call, whatever it says of more', async () => {
  const odd = await startOddNode(t.chain.rpcUrl);
  odd.alter = (method, [list]) =>
    method === 'getMultipleAccounts' && list.length > 5
      ? '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Too many inputs provided; max 5"}}'
      : undefined;
  const found = await probed([], { url: odd.url, socketUrl: undefined });
  expect(found['accounts in one call']).toEqual([true, expect.stringMatching(/^5: .*up to 20 here/)]);
  const lengths = odd.asked.filter(({ method }) => method === 'getMultipleAccounts');
  expect(lengths.map(({ params: [list] }) => list.length)).toEqual([100, 50, 25, 20, 10, 5]);
});
