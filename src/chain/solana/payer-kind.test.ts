import { address, generateKeyPairSigner, isOffCurveAddress } from '@solana/kit';
import { expect, test } from 'vitest';
import { associatedAccount } from './associated-account.ts';
import { EXCHANGE_WALLETS } from './exchange-wallets.ts';
import { USDC_MINTS } from './network.ts';
import { payerKindOf } from './payer-kind.ts';

test('an address with a key is a wallet, one without is a program’s, and nobody is neither', async () => {
  const { address: wallet } = await generateKeyPairSigner();
  expect(payerKindOf(wallet)).toBe('wallet');
  expect(payerKindOf(await associatedAccount(wallet, USDC_MINTS.mainnet))).toBe('program');
  // The pools of two large swaps, and the vault of a bridge.
  for (const pool of [
    '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1',
    'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
    'GugU1tP7doLeTw9hQP51xRJyS8Da1fWxuiy2rVrnMD2m',
  ])
    expect([pool, payerKindOf(pool)]).toEqual([pool, 'program']);
  expect(payerKindOf(null)).toBeNull();
});

test('every known wallet of an exchange is an address that somebody has the key of', () => {
  expect(EXCHANGE_WALLETS.size).toBeGreaterThan(30);
  for (const each of EXCHANGE_WALLETS) {
    expect([each, isOffCurveAddress(address(each))]).toEqual([each, false]);
    expect(payerKindOf(each)).toBe('exchange');
  }
});
