import { lockIntent } from '../../money/intents/queries.ts';
import { reversePosting } from '../../money/ledger/post.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { applyMoney, type Origin } from './apply-money.ts';
import { upsertAllocations } from './batch-queries.ts';
import { endException } from './change-exception.ts';
import { isLinkable, isUndecided, type PaymentException } from './exception.ts';
import { hasRefundUnderWay, lockException } from './exception-queries.ts';
import { findBlockTime, listAllocationsOf } from './queries.ts';
import { raiseForPaid } from './raise-exception.ts';
import { isUnapplied } from './session-queries.ts';

export interface Resolve {
  merchantId: string;
  exceptionId: string;
  actor: string;
  now: Date;
}

/** Gives money that matched nothing to the intent it was meant for, as if it had named it. */
export async function linkException(
  tx: Tx,
  input: Resolve & { origin?: Origin },
  intentId: string,
): Promise<PaymentException> {
  const { merchantId, now } = input;
  const exception = await lockUndecided(tx, input);
  if (!isLinkable(exception)) {
    throw new AppError('INVALID_STATE', {
      message: `An exception of kind ${exception.kind} cannot be linked to an intent.`,
    });
  }
  const intent = await lockIntent(tx, { merchantId, id: intentId });
  if (!intent || intent.destinationAddress !== exception.destination) {
    throw badField(
      'paymentIntentId',
      'must be the id of one of your intents with the address the money arrived at',
    );
  }
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw new AppError('INVALID_STATE', {
      message: `An intent that is ${intent.status} cannot receive more money.`,
    });
  }
  if (intent.isRefunding)
    throw new AppError('INVALID_STATE', {
      message: 'What this intent received is being refunded, so it cannot receive more money.',
    });
  if (intent.sessionOrderingKey !== null && (await isUnapplied(tx, merchantId, intent.id))) {
    throw new AppError('INVALID_STATE', {
      message: 'What this intent received has become account credit, so it cannot receive more money.',
    });
  }
  const { signature, destination, baseUnits } = exception;
  const before = await listAllocationsOf(tx, signature, destination);
  if (before.some((credit) => credit.intentId === intentId)) {
    throw new AppError('INVALID_STATE', { message: 'This transaction is already linked to this intent.' });
  }
  if (exception.refundId !== null)
    throw new AppError('INVALID_STATE', { message: 'A part of this money has been refunded.' });
  await reverseCredit(tx, exception, now);
  const credit = { merchantId, intentId, signature, destination, baseUnits, isFinal: true };
  await upsertAllocations(tx, [credit], now);
  const paidAt = (await findBlockTime(tx, signature, destination))!;
  const { origin } = input;
  await applyMoney(tx, intent, { signature, ...(origin && { origin }), paidAt, now });
  await raiseForPaid(tx, { ...exception, now }, intent, baseUnits);
  return resolve(tx, input, exception, { status: 'linked', linkedIntentId: intentId, resolvedAt: now });
}

/** A person returned the money, outside of Florin; this only records it. */
export async function markReturned(tx: Tx, input: Resolve, note: string | null): Promise<PaymentException> {
  const exception = await lockUndecided(tx, input);
  // A refund of a part of it has reversed the credit already.
  if (exception.refundId === null) await reverseCredit(tx, exception, input.now);
  return resolve(tx, input, exception, { status: 'returned', note, resolvedAt: input.now });
}

async function lockUndecided(tx: Tx, { merchantId, exceptionId }: Resolve): Promise<PaymentException> {
  const exception = await lockException(tx, merchantId, exceptionId);
  if (!exception) throw new AppError('NOT_FOUND');
  if (!isUndecided(exception)) {
    throw new AppError('INVALID_STATE', { message: `This exception is already ${exception.status}.` });
  }
  if (await hasRefundUnderWay(tx, merchantId, exceptionId)) {
    throw new AppError('INVALID_STATE', {
      message: 'A refund is sending this money back; cancel the refund first.',
    });
  }
  return exception;
}

/** The account credit it had become is no longer the customer's; what was spent of it cannot be taken back. */
export async function reverseCredit(
  tx: Tx,
  { merchantId, postingId }: PaymentException,
  now: Date,
): Promise<void> {
  if (postingId)
    await reversePosting(tx, { merchantId, postingId, reason: 'the payment was given another end', now });
}

async function resolve(
  tx: Tx,
  { merchantId, actor, now }: Resolve,
  before: PaymentException,
  end: Partial<PaymentException>,
): Promise<PaymentException> {
  const resolved = { ...before, ...end };
  await endException(tx, before, resolved, now);
  await recordAudit(tx, {
    merchantId,
    actor,
    action: `exception.${resolved.status}`,
    targetId: resolved.id,
    detail: { kind: resolved.kind, signature: resolved.signature, intentId: resolved.linkedIntentId },
    now,
  });
  return resolved;
}
