import { startSandboxChain } from '@florin/sandbox-chain';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { startOddNode } from '../../../test/support/odd-node.ts';
import { createWallet } from '../../../test/support/wallet.ts';
import { createRpc } from '../solana/rpc.ts';
import { chainNodes } from './chain-node.ts';

test('statuses of what is recent are not searched for in the history, those of the others are', async () => {
  const chain = await startSandboxChain({ slotMs: 0, now: () => new Date() });
  cleanUp(() => chain.stop());
  const odd = await startOddNode(chain.rpcUrl);
  const [node] = chainNodes(createRpc({ urls: [odd.url] }));
  const { address } = await createWallet(chain);
  const searched = () =>
    odd.asked
      .splice(0)
      .map(({ params: [signatures, options] }) => [signatures.length, options.searchTransactionHistory]);
  const old = await chain.mintTo(address, 1n);
  chain.advanceSlots(3);
  expect((await node!.statusesOf([old])).statuses.get(old)).toBe('confirmed');
  expect(searched()).toEqual([[1, false]]);
  chain.advanceSlots(400);
  const recent = await chain.mintTo(address, 2n);
  chain.advanceSlots(3);
  const { statuses } = await node!.statusesOf([old, recent]);
  expect([statuses.get(old), statuses.get(recent)]).toEqual(['finalized', 'confirmed']);
  expect(searched()).toEqual([
    [2, false],
    [1, true],
  ]);
});
