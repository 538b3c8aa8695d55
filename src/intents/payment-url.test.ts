import { generateKeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { associatedAccount } from '../chain/solana/associated-account.ts';
import { USDC_MINTS } from '../chain/solana/network.ts';
import { newReferenceAddress } from '../platform/lib/base58.ts';
import { draftIntent } from './draft-intent.ts';
import { paymentUrlOf } from './payment-url.ts';

const mint = USDC_MINTS.mainnet;
const place = { mint, publicUrl: () => 'https://pay.example' };

function intentAt(payoutAddress: string, amountCents = 1_250n) {
  const createdAt = new Date(0);
  const asked = { merchantId: 'm', orderId: 'Order 7', amountCents, terminalId: null, payoutAddress };
  return draftIntent({ ...asked, createdAt, lifeMinutes: 30 });
}

test('a wallet gets a transfer request with the order’s memo and reference, and the seller’s name if it is given', async () => {
  const { address: wallet } = await generateKeyPairSigner();
  const intent = intentAt(wallet);
  const { referenceAddress: reference } = intent;
  const url = `solana:${wallet}?amount=12.5&spl-token=${mint}&reference=${reference}`;
  expect(paymentUrlOf(intent, place, 'Shop')).toBe(`${url}&label=Shop&message=Order%207&memo=${reference}`);
  expect(paymentUrlOf(intent, place)).toBe(`${url}&message=Order%207&memo=${reference}`);
});

test('a vault gets a transaction request, which wallets of every version can pay, except where there is no https', async () => {
  const vault = await associatedAccount(newReferenceAddress(), mint);
  const intent = intentAt(vault);
  const link = `https://pay.example/api/public/intents/${intent.id}/pay`;
  expect(paymentUrlOf(intent, place, 'Shop')).toBe(`solana:${encodeURIComponent(link)}`);
  expect(paymentUrlOf(intent, { mint, publicUrl: () => 'http://127.0.0.1:4020' })).toContain(
    `solana:${vault}?`,
  );
});

test('neither for nothing due nor for an amount that no transfer can carry', async () => {
  const vault = await associatedAccount(newReferenceAddress(), mint);
  for (const address of [newReferenceAddress(), vault]) {
    expect(paymentUrlOf(intentAt(address, 0n), place)).toBeUndefined();
    expect(paymentUrlOf(intentAt(address, 2n ** 63n - 1n), place)).toBeUndefined();
  }
});
