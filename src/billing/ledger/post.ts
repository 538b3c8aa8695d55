import type { Tx } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';
import type { Post } from './draft-posting.ts';
import { lockAccounts } from './lock-accounts.ts';
import type { Posting } from './posting.ts';
import { findInvoicePosting, findPosting, findReturnedPosting } from './queries.ts';

/**
 * Moves credit between a customer and the account on the other side: balance, posting and events in the
 * caller's transaction. A balance never falls below zero: what it lacks is `INSUFFICIENT_BALANCE`.
 */
export async function post(tx: Tx, input: Post): Promise<Posting> {
  const accounts = await lockAccounts(tx, [input]);
  const posting = accounts.post(input);
  await accounts.write(tx, posting.createdAt);
  return posting;
}

/** A customer's account credit, locked until the transaction ends. */
export async function lockAccountCredit(tx: Tx, customer: CustomerRef): Promise<bigint> {
  return (await lockAccounts(tx, [customer])).balanceOf(customer)?.cents ?? 0n;
}

export interface Reverse {
  merchantId: string;
  postingId: string;
  reason: string;
  orderingKey?: string;
  now: Date;
}

/** Takes a posting back, once. What has been spent since cannot be taken back. */
export async function reversePosting(tx: Tx, input: Reverse): Promise<Posting> {
  const { merchantId, postingId, reason, now, orderingKey } = input;
  const posting = await findPosting(tx, merchantId, postingId);
  if (!posting) throw new AppError('NOT_FOUND');
  return reverse(tx, posting, { reason, now, ...(orderingKey && { orderingKey }) });
}

/** Returns the account credit applied to an invoice, if any. */
export async function returnInvoiceCredit(
  tx: Tx,
  input: { merchantId: string; invoiceId: string; orderingKey?: string; now: Date },
): Promise<void> {
  const posting = await findInvoicePosting(tx, input.merchantId, input.invoiceId);
  if (posting) {
    await reverse(tx, posting, {
      reason: 'invoice not paid',
      now: input.now,
      ...(input.orderingKey && { orderingKey: input.orderingKey }),
    });
  }
}

/** True unless an invoice gave account credit back that is no longer there in full. The balance is locked until the transaction ends. */
export async function isInvoiceCreditLeft(
  tx: Tx,
  { merchantId, invoiceId }: { merchantId: string; invoiceId: string },
): Promise<boolean> {
  const returned = await findReturnedPosting(tx, merchantId, invoiceId);
  return !returned || (await lockAccountCredit(tx, returned)) >= returned.deltaCents;
}

/** Takes the account credit again that an invoice gave back and that now is paid after all. */
export async function reapplyInvoiceCredit(
  tx: Tx,
  input: { merchantId: string; invoiceId: string; orderingKey: string; now: Date },
): Promise<void> {
  const returned = await findReturnedPosting(tx, input.merchantId, input.invoiceId);
  if (!returned) return;
  const { orderingKey, now } = input;
  await reverse(tx, returned, { reason: 'invoice paid after all', orderingKey, now });
}

async function reverse(
  tx: Tx,
  posting: Posting,
  { reason, now, orderingKey }: { reason: string; now: Date; orderingKey?: string },
): Promise<Posting> {
  return post(tx, {
    merchantId: posting.merchantId,
    customerId: posting.customerId,
    deltaCredits: -posting.deltaCredits,
    deltaCents: -posting.deltaCents,
    counterAccount: posting.counterAccount,
    reason,
    invoiceId: posting.invoiceId,
    reversesId: posting.id,
    ...(orderingKey && { orderingKey }),
    now,
  }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE') {
      throw new AppError('INVALID_STATE', {
        message: 'The account credit from this payment has already been spent.',
      });
    }
    if (isUniqueViolation(error)) {
      throw new AppError('INVALID_STATE', { message: 'This posting was already reversed.' });
    }
    throw error;
  });
}
