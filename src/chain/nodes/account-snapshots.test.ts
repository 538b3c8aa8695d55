import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { createWallet, type Wallet } from '../../../test/support/wallet.ts';
import { createRpc } from '../solana/rpc.ts';
import { RpcFailure } from '../solana/rpc-failure.ts';
import { accountSnapshots } from './account-snapshots.ts';

let chain: SandboxChain;
let wallets: Wallet[];
let calls: string[];
let clockMs: number;
let snapshotOf: ReturnType<typeof accountSnapshots>;

beforeAll(async () => {
  chain = await startSandboxChain({ slotMs: 0, now: () => new Date('2026-01-01T12:00:00Z') });
  cleanUp(() => chain.stop());
  wallets = [
    await createWallet(chain, { usdcBaseUnits: 1n }),
    await createWallet(chain, { usdcBaseUnits: 2n }),
    await createWallet(chain),
  ];
  chain.advanceSlots(40);
  const rpc = createRpc({ urls: [chain.rpcUrl], onCall: (method) => calls.push(method) });
  calls = [];
  clockMs = 1_000_000;
  snapshotOf = accountSnapshots(rpc, 0, () => clockMs);
});

const ask = (options?: { fresh?: boolean }) =>
  Promise.all(wallets.map(({ usdcAccount }) => snapshotOf(usdcAccount, options)));

function callsSince(): string[] {
  return calls.splice(0).sort();
}

test('the final balance, its slot and the time of that slot; nothing where there is no account', async () => {
  const snapshots = await ask();
  expect(snapshots.map(({ balance }) => balance)).toEqual([1n, 2n, 0n]);
  expect(snapshots.map(({ slot }) => slot)).toEqual(snapshots.map(() => chain.slot - 32));
  expect(snapshots[0]!.time).toEqual(new Date('2026-01-01T12:00:00Z'));
  callsSince();
});

test('accounts that were asked about before are read together with the one that is asked about now', async () => {
  const before = await ask();
  expect(callsSince()).toEqual([]);
  clockMs += 3_000;
  chain.advanceSlots(5);
  const after = await ask();
  expect(callsSince()).toEqual(['getBlockTime', 'getMultipleAccounts']);
  expect(after.map(({ slot }) => slot)).toEqual(before.map(({ slot }) => slot + 5));
});

test('fresh asks again, whatever the last answer was', async () => {
  chain.advanceSlots(1);
  const { slot } = await snapshotOf(wallets[0]!.usdcAccount, { fresh: true });
  expect(slot).toBe(chain.slot - 32);
  expect(callsSince()).toEqual(['getBlockTime', 'getMultipleAccounts']);
});

test('an account that nobody asks about any more is left out', async () => {
  clockMs += 61_000;
  await snapshotOf(wallets[0]!.usdcAccount);
  clockMs += 3_000;
  await snapshotOf(wallets[0]!.usdcAccount);
  expect(callsSince()).toHaveLength(4);
  // It was not part of the batch, so it needs a call of its own.
  await snapshotOf(wallets[1]!.usdcAccount);
  expect(callsSince()).toHaveLength(2);
});

test('an account that is no token account costs the others nothing', async () => {
  clockMs += 61_000;
  const odd = wallets[2]!.address;
  await Promise.all([
    snapshotOf(wallets[1]!.usdcAccount),
    expect(snapshotOf(odd)).rejects.toThrow(RpcFailure),
  ]);
  clockMs += 3_000;
  const asked = [snapshotOf(wallets[1]!.usdcAccount), snapshotOf(odd)];
  const [snapshot, failure] = await Promise.allSettled(asked);
  expect(snapshot).toMatchObject({ value: { balance: 2n } });
  expect(failure!.status).toBe('rejected');
  callsSince();
});

test('a node that fails is asked again the next time', async () => {
  clockMs += 3_000;
  chain.faults.set({ seed: 1, rules: [{ kind: 'httpError', methods: ['getBlockTime'], times: 1 }] });
  await expect(snapshotOf(wallets[0]!.usdcAccount)).rejects.toThrow(RpcFailure);
  const { balance } = await snapshotOf(wallets[0]!.usdcAccount);
  expect(balance).toBe(1n);
});
