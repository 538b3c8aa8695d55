import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chainNodes } from '../../chain/nodes/chain-node.ts';
import { witnessesOf } from '../../chain/nodes/witnesses.ts';
import { FairBudget, inShareOf } from '../../chain/solana/fair-budget.ts';
import { blockhashKeeper } from '../../chain/solana/latest-blockhash.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import type { Json } from '../../platform/lib/json.ts';
import { landingWatch } from './await-landing.ts';
import { send } from './sponsor-payment.ts';

// Time passes when the test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const RESULTS: Record<string, Json> = {
  getBalance: 1,
  getLatestBlockhash: { value: { blockhash: 'hash', lastValidBlockHeight: 1 } },
  getSignatureStatuses: { value: [null] },
  sendTransaction: 'signature',
};

test('what is under way, and what all wait for, is not behind the calls of the client that has begun it', async () => {
  const budget = new FairBudget(50);
  const asked: string[] = [];
  const ask: Rpc['ask'] = async (method, _params, read) => {
    await budget.take();
    asked.push(method);
    return read(RESULTS[method]!);
  };
  const rpc = { ask, askNode: (_node, ...call) => ask(...call), nodeCount: 1 } as Rpc;
  const witnesses = witnessesOf(rpc, { inTurn: () => chainNodes(rpc), isEnough: () => true });
  const done = inShareOf(['A', 'client'], () =>
    Promise.all([
      ...Array.from({ length: 200 }, () => ask('getBalance', [], (value) => value)),
      blockhashKeeper(rpc)(),
      landingWatch(witnesses).landing('signature', 'confirmed', 0),
      send(rpc, Buffer.from('signed')),
    ]),
  );
  await vi.advanceTimersByTimeAsync(20_000);
  await done;
  const first = asked.findIndex((method) => method !== 'getBalance');
  // One call in four is for what is not urgent.
  expect(asked.slice(first, first + 4).filter((method) => method !== 'getBalance')).toEqual([
    'getLatestBlockhash',
    'getSignatureStatuses',
    'sendTransaction',
  ]);
  expect(first).toBeLessThan(100);
});
