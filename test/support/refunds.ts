import {
  type Address,
  address,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';
import { expect } from 'vitest';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import type { TestChain } from './chain.ts';
import { newIntent, payIntent } from './payments.ts';
import type { TestAnswer } from './service.ts';
import { pay, type Wallet } from './wallet.ts';

type Fields = Record<string, unknown>;

/** Answer of the API. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
export type RefundAnswer = any;

/** An intent of 100 cents that is paid in full by default. */
export async function paidIntent(t: TestChain, amountBaseUnits = 1_000_000n) {
  const intent = await newIntent(t.shop);
  const signature = await payIntent(t, intent, { amountBaseUnits });
  await t.finalize();
  return { ...intent, signature };
}

export const askRefund = (t: TestChain, fields: Fields): Promise<TestAnswer> =>
  t.shop.call('POST', '/api/v2/refunds', { reason: 'requested_by_customer', ...fields });

/** A refund that must be created. */
export async function newRefund(t: TestChain, fields: Fields): Promise<RefundAnswer> {
  const answer = await askRefund(t, fields);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

export const readRefund = async (t: TestChain, { id }: { id: string }): Promise<RefundAnswer> =>
  (await t.shop.call('GET', `/api/v2/refunds/${id}`)).body;

/** Sends a refund as its code says, from any wallet. */
export async function sendRefund(
  t: TestChain,
  refund: RefundAnswer,
  {
    from,
    amountBaseUnits,
    ...more
  }: { from?: Wallet; amountBaseUnits?: bigint; mint?: Address; destinationOwner?: Address } = {},
): Promise<string> {
  return pay({
    rpcUrl: t.chain.rpcUrl,
    from: (from ?? t.merchant).signer,
    destinationOwner: address(refund.address),
    amountBaseUnits: amountBaseUnits ?? centsToBaseUnits(BigInt(refund.amountCents)),
    references: [address(refund.referenceAddress)],
    memo: refund.number,
    ...more,
  });
}

/** Signs a prepared transaction as a wallet does, and does nothing else. */
export async function signPrepared(transaction: string, { signer }: Wallet): Promise<string> {
  const decoded = getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
  return getBase64EncodedWireTransaction(await signTransaction([signer.keyPair], decoded));
}
