import { generateKeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { testChain } from '../../../test/support/chain.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { USDC_MINTS } from '../../chain/solana/network.ts';
import { createRpc } from '../../chain/solana/rpc.ts';
import { newReferenceAddress } from '../../platform/lib/base58.ts';
import { examinePayoutWallets } from './examine-payout-wallets.ts';

test('wallets without SOL or without USDC are named with what they lack, a vault without SOL is not', async () => {
  const t = await testChain();
  const { db } = t.service;
  const rpc = createRpc({ urls: [t.chain.rpcUrl] });
  type Address = typeof t.merchant.address;
  const mint = USDC_MINTS.sandbox;
  const look = async (asked = rpc) => {
    const found: [boolean, string][] = [];
    await examinePayoutWallets({ db, rpc: asked, mint }, (check, ok, detail) => {
      expect(check).toBe('payout wallets');
      found.push([ok, detail]);
    });
    return found;
  };
  await t.chain.mintTo(t.merchant.address, 1n);
  const vault = (await associatedAccount(newReferenceAddress(), mint)) as Address;
  await t.chain.mintTo(vault, 1n);
  await t.service.createMerchant('Vault', vault);
  t.chain.advanceSlots(40);
  expect(await look()).toEqual([[true, '2 can be paid by every wallet app']]);

  const [{ address: poor }, { address: empty }] = [
    await generateKeyPairSigner(),
    await generateKeyPairSigner(),
  ];
  await t.chain.mintTo(poor, 1n);
  await t.service.createMerchant('Poor', poor);
  await t.service.createMerchant('Empty', empty);
  t.chain.advanceSlots(40);
  const [[ok, detail]] = (await look()) as [[boolean, string]];
  expect([ok, detail]).toEqual([
    false,
    expect.stringMatching(/^2 cannot be paid .*0\.001.* a cent of USDC: /),
  ]);
  expect(detail).toContain(`${poor} has no SOL`);
  expect(detail).not.toContain(`${poor} has no SOL and`);
  expect(detail).toContain(`${empty} has no SOL and no USDC account`);

  const dead = createRpc({ urls: ['http://127.0.0.1:1'], timeoutMs: 200 });
  expect(await look(dead)).toEqual([[true, expect.stringMatching(/^not known: /)]]);
});
