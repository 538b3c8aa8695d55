import { lockCustomerForUse } from '../../accounts/customers/queries.ts';
import { post } from '../../billing/ledger/post.ts';
import { findPosting } from '../../billing/ledger/queries.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { endException, storeNewException } from './change-exception.ts';
import { asListed, type PaymentException } from './exception.ts';
import { updateException } from './exception-queries.ts';
import { reverseCredit } from './resolve-exception.ts';

/** A refund sends a locked exception's money back: nothing else happens with it meanwhile, and it is nobody's credit. */
export async function holdForRefund(
  tx: Tx,
  exception: PaymentException,
  { refundId, now }: { refundId: string; now: Date },
): Promise<void> {
  if (exception.refundId === null) await reverseCredit(tx, exception, 'payment being refunded', now);
  await updateException(tx, { ...exception, refundId });
}

/** The refund was canceled. If no other is left, the money is the customer's credit again, if it was before. */
export async function releaseFromRefund(
  tx: Tx,
  exception: PaymentException,
  { otherRefundId, now }: { otherRefundId: string | null; now: Date },
): Promise<void> {
  const { merchantId, postingId } = exception;
  const isCreditAgain = otherRefundId === null && postingId !== null;
  const credit = isCreditAgain
    ? await repeatPosting(tx, merchantId, postingId, now, 'refund canceled')
    : postingId;
  await updateException(tx, { ...exception, refundId: otherRefundId, postingId: credit });
}

/** Restores account credit that was taken back; null if the customer has been deleted since. */
export async function repeatPosting(
  tx: Tx,
  merchantId: string,
  postingId: string,
  now: Date,
  reason: string,
): Promise<string | null> {
  const before = (await findPosting(tx, merchantId, postingId))!;
  const { customerId, deltaCents, counterAccount, invoiceId } = before;
  if (!(await lockCustomerForUse(tx, { merchantId, id: customerId }))) return null;
  const again = { merchantId, customerId, deltaCents, counterAccount, reason, invoiceId, now };
  return (await post(tx, again)).id;
}

/** The chain has shown that all of it was sent back. */
export async function endAsReturned(
  tx: Tx,
  exception: PaymentException,
  { refund, signature, now }: { refund: string; signature: string; now: Date },
): Promise<void> {
  const { merchantId, id, kind } = exception;
  const note = `${refund}: ${signature}`;
  await endException(tx, exception, { ...exception, status: 'returned', note, resolvedAt: now }, now);
  await recordAudit(tx, {
    merchantId,
    actor: 'chain',
    action: 'exception.returned',
    targetId: id,
    detail: { kind, signature, intentId: exception.linkedIntentId },
    now,
  });
}

export interface OverRefund {
  merchantId: string;
  refundId: string;
  signature: string;
  /** Owner of the account that it was sent to. */
  destination: string;
  mint: string;
  baseUnits: BaseUnits;
  intentId: string | null;
  now: Date;
}

/** Lists what was sent beyond a refund's amount, as by sending it twice: once for each transaction. */
export async function raiseOverRefunded(tx: Tx, over: OverRefund): Promise<void> {
  const { now, ...money } = over;
  await storeNewException(
    tx,
    asListed({ ...money, id: newId(now), kind: 'over_refunded', postingId: null, createdAt: now }),
  );
}
