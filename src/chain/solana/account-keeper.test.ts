import { startSandboxChain } from '@florin/sandbox-chain';
import { generateKeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { accountKeeper } from './account-keeper.ts';
import { USDC_MINTS } from './network.ts';
import { createRpc } from './rpc.ts';

test('an address can receive once it has a token account, and is not asked about again', async () => {
  const chain = await startSandboxChain({ slotMs: 0 });
  const [ready, fresh] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  await chain.mintTo(ready.address, 1n);
  chain.advanceSlots(2);
  const hasAccount = accountKeeper({
    rpc: createRpc({ urls: [chain.rpcUrl] }),
    mint: USDC_MINTS.sandbox,
    keepMs: 10_000,
  });
  expect([await hasAccount(ready.address), await hasAccount(fresh.address)]).toEqual([true, false]);
  await chain.stop();
  expect(await hasAccount(ready.address)).toBe(true);
});
