import { generateKeyPairSync } from 'node:crypto';
import { startSandboxChain } from '@florin/sandbox-chain';
import { address } from '@solana/kit';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { feePayerOf } from '../../chain/fee-payer/fee-payer.ts';
import { USDC_MINTS } from '../../chain/solana/network.ts';
import { createRpc } from '../../chain/solana/rpc.ts';
import { createSponsor } from './create-sponsor.ts';

test('a balance that is only shown may be a few minutes old, and payers’ offers share what was read for it', async () => {
  const chain = await startSandboxChain({ slotMs: 0, now: () => new Date() });
  cleanUp(() => chain.stop());
  const calls: string[] = [];
  const rpc = createRpc({ urls: [chain.rpcUrl], onCall: (method) => calls.push(method) });
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const feePayer = await feePayerOf(
    Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]),
  );
  const sponsorOf = (keepMs: number | undefined) =>
    createSponsor({
      ...{ feePayer, rpc, mint: USDC_MINTS.sandbox, defaultMode: 'never' },
      ...{ limitLamportsPerDay: 1n, merchantLimitLamportsPerDay: null, minLamports: 1n },
      ...(keepMs !== undefined && { keepMs }),
    });
  const kept = sponsorOf(undefined);
  expect([await kept.shownBalance(), await kept.shownBalance(), await kept.balance()]).toEqual([0n, 0n, 0n]);
  expect(calls.splice(0)).toEqual(['getBalance']);
  const never = sponsorOf(0);
  await never.balance();
  await never.shownBalance();
  expect(calls).toEqual(['getBalance', 'getBalance']);

  // Enough would be kept for two minutes; too little is read again after two seconds.
  const low = sponsorOf(2_000);
  expect(await low.shownBalance()).toBe(0n);
  await chain.fund(address(feePayer.address), 1_000_000n);
  chain.advanceSlots(40);
  await expect.poll(() => low.shownBalance()).toBe(1_000_000n);
});
