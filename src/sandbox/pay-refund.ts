import { networkUnavailable } from '../chain/solana/network-unavailable.ts';
import { findRefund } from '../payments/refunds/queries.ts';
import { dueBaseUnits, refundNumber } from '../payments/refunds/refund.ts';
import { noteRefundsSent, noteSentBeyond } from '../payments/refunds/refund-checks.ts';
import { sendOnce } from '../payments/refunds/send-once.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError, badField } from '../platform/lib/errors.ts';
import { type Cents, centsToBaseUnits } from '../platform/lib/money.ts';
import type { TestWallet } from './test-wallet.ts';

export interface PayRefund {
  merchantId: string;
  refundId: string;
  amountCents?: Cents | undefined;
}

const MAX_U64 = 2n ** 64n - 1n;

/** Sends a refund from a merchant's test wallet on the sandbox chain; the watcher finds it like any other. */
export async function payRefund(
  db: Database,
  wallet: () => TestWallet,
  { merchantId, refundId, amountCents }: PayRefund,
  now: Date,
): Promise<string> {
  const refund = await findRefund(db, { merchantId, id: refundId });
  if (!refund) throw new AppError('NOT_FOUND');
  const isSent =
    amountCents !== undefined && (refund.status === 'processing' || refund.status === 'succeeded');
  if (refund.status !== 'ready' && !isSent) {
    const message = `Refund ${refundNumber(refund.number)} is ${refund.status}; only one that is ready can be sent.`;
    throw new AppError('INVALID_STATE', { message });
  }
  const amountBaseUnits = amountCents === undefined ? dueBaseUnits(refund) : centsToBaseUnits(amountCents);
  if (amountBaseUnits > MAX_U64) throw badField('amountCents', 'is larger than a token transfer can carry');
  const sign = () =>
    wallet().sign({
      destination: refund.address!,
      amountBaseUnits,
      reference: refund.referenceAddress,
      memo: refundNumber(refund.number),
      from: 'merchant',
      kind: 'normal',
    });
  const { signature, send } = await sign().catch(networkUnavailable);
  const sent = () => send().catch(networkUnavailable);
  // An amount of its own is for trying out what happens when too much is sent.
  if (amountCents === undefined) return sendOnce(db, { merchantId, ids: [refundId], signature, now }, sent);
  if (refund.status !== 'ready' || amountBaseUnits > dueBaseUnits(refund)) {
    await noteSentBeyond(db, refund, signature, now);
    return sent();
  }
  await sent();
  await noteRefundsSent(db, merchantId, [refundId], now);
  return signature;
}
