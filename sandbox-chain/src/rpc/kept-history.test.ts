import { createSolanaRpc, generateKeyPairSigner, type Signature } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWallet, pay, type Wallet } from '../../../test/support/wallet.ts';
import { type SandboxChain, startSandboxChain } from './start-sandbox-chain.ts';

let chain: SandboxChain;
let rpc: ReturnType<typeof createSolanaRpc>;
let wallet: Wallet;
/** Newest first, each in a slot of its own, ten slots apart. */
const paid: Signature[] = [];

beforeAll(async () => {
  chain = await startSandboxChain({ slotMs: 0 });
  rpc = createSolanaRpc(chain.rpcUrl);
  wallet = await createWallet(chain, { usdcBaseUnits: 1_000n });
  const { address: destinationOwner } = await generateKeyPairSigner();
  for (let i = 0; i < 4; i++) {
    chain.advanceSlots(10);
    const payment = { rpcUrl: chain.rpcUrl, from: wallet.signer, destinationOwner, amountBaseUnits: 1n };
    paid.unshift(await pay(payment));
  }
  chain.advanceSlots(40);
});

afterAll(() => chain.stop());
beforeEach(() => chain.faults.clear());

const list = async (config: { before?: Signature; until?: Signature; limit?: number } = {}) =>
  (await rpc.getSignaturesForAddress(wallet.address, config).send())
    .map(({ signature }) => signature)
    .filter((signature) => paid.includes(signature));
const isShown = async (signature: Signature) =>
  (await rpc.getTransaction(signature, { maxSupportedTransactionVersion: 0, encoding: 'json' }).send()) !==
  null;
const notFound = (signature: Signature) => ({
  context: { __code: -32020, __serverMessage: `Transaction ${signature} not found` },
});

describe('pruned: the last two payments are kept', () => {
  beforeEach(() => chain.faults.set({ rules: [{ kind: 'pruned', slots: 55 }] }));

  test('what is older is gone from lists, statuses and transactions', async () => {
    expect(await list()).toEqual(paid.slice(0, 2));
    expect([await isShown(paid[1]!), await isShown(paid[2]!)]).toEqual([true, false]);
    const { value } = await rpc.getSignatureStatuses(paid, { searchTransactionHistory: true }).send();
    expect(value.map((status) => status !== null)).toEqual([true, true, false, false]);
  });

  test('-32020 for a `before` or `until` that is gone, however full the page', async () => {
    await expect(list({ until: paid[2]! })).rejects.toMatchObject(notFound(paid[2]!));
    await expect(list({ until: paid[2]!, limit: 1 })).rejects.toMatchObject(notFound(paid[2]!));
    await expect(list({ before: paid[3]! })).rejects.toMatchObject(notFound(paid[3]!));
    expect(await list({ until: paid[1]! })).toEqual(paid.slice(0, 1));
    expect(await list({ before: paid[1]! })).toEqual([]);
  });

  test('how far it goes back, and no time of what is older', async () => {
    const first = BigInt(chain.slot - 55);
    expect(await rpc.getFirstAvailableBlock().send()).toBe(first);
    expect(await rpc.minimumLedgerSlot().send()).toBe(first);
    expect(await rpc.getBlockTime(first).send()).toEqual(expect.any(BigInt));
    await expect(rpc.getBlockTime(first - 1n).send()).rejects.toMatchObject({ context: { __code: -32001 } });
  });
});

test('lateArchive: an `until` that long-term storage lacks is not found, though the node lists it', async () => {
  chain.faults.set({ rules: [{ kind: 'lateArchive', slots: 65 }] });
  expect(await list()).toEqual(paid);
  await expect(list({ until: paid[1]! })).rejects.toMatchObject(notFound(paid[1]!));
  // A page that the node's own ledger fills does not get as far as the long-term storage.
  expect(await list({ until: paid[1]!, limit: 1 })).toEqual(paid.slice(0, 1));
  expect(await list({ until: paid[3]! })).toEqual(paid.slice(0, 3));
  expect(await rpc.getFirstAvailableBlock().send()).toBe(0n);
});

test('lateArchive: between the two there is nothing, and no `before`', async () => {
  chain.faults.set({ rules: [{ kind: 'lateArchive', slots: 65, keptSlots: 45 }] });
  expect(await list()).toEqual([paid[0], paid[3]]);
  await expect(list({ before: paid[1]! })).rejects.toMatchObject(notFound(paid[1]!));
  expect(await list({ before: paid[0]! })).toEqual([paid[3]]);
});

test('unknownFilter: both, or the one that is named', async () => {
  chain.faults.set({ rules: [{ kind: 'unknownFilter', filter: 'until', times: 1 }] });
  expect(await list({ before: paid[2]! })).toEqual([paid[3]]);
  await expect(list({ until: paid[2]! })).rejects.toMatchObject(notFound(paid[2]!));
  chain.faults.set({ rules: [{ kind: 'unknownFilter' }] });
  await expect(list({ before: paid[2]! })).rejects.toMatchObject(notFound(paid[2]!));
  expect(await list()).toEqual(paid);
});

test('a lagging node does not know what it has not seen', async () => {
  chain.faults.set({ rules: [{ kind: 'lag', slots: 45 }] });
  await expect(list({ until: paid[0]! })).rejects.toMatchObject(notFound(paid[0]!));
});

test('a second node of the chain has its own faults', async () => {
  const node = await chain.openNode();
  node.faults.set({ rules: [{ kind: 'pruned', slots: 55 }] });
  const other = createSolanaRpc(node.rpcUrl);
  expect(await other.getFirstAvailableBlock().send()).toBe(BigInt(chain.slot - 55));
  expect(await rpc.getFirstAvailableBlock().send()).toBe(0n);
  expect(await other.getSlot().send()).toBe(await rpc.getSlot().send());
});
