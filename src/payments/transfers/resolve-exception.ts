import { shrinkTip } from '../../billing/checkout-sessions/shrink-tip.ts';
import { reversePosting } from '../../billing/ledger/post.ts';
import { type Intent, isCanceled } from '../../intents/intent.ts';
import { lockIntent } from '../../intents/queries.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { inState } from '../../platform/lib/in-state.ts';
import { applyMoney, type Origin } from './apply-money.ts';
import { upsertAllocations } from './batch-queries.ts';
import { endException } from './change-exception.ts';
import { isLinkable, isOfIntent, isUndecided, type PaymentException } from './exception.ts';
import { hasRefundUnderWay, lockException } from './exception-queries.ts';
import { leftOfException, leftOfIntent } from './left-to-refund.ts';
import { listAllocationsOf } from './queries.ts';
import { raiseForPaid } from './raise-exception.ts';
import { hasRefundOfSurplus } from './refund-queries.ts';
import { isUnapplied } from './session-queries.ts';

export interface Resolve {
  merchantId: string;
  exceptionId: string;
  actor: string;
  now: Date;
}

/**
 * Gives money that matched nothing to the intent it was meant for, as if it had named it now: however old it is, what it
 * buys is decided, and begins, today. Where the chain itself says which order it paid, `paidAt` is when.
 */
export async function linkException(
  tx: Tx,
  input: Resolve & { origin?: Origin; paidAt?: Date; sendsReceipt?: boolean },
  intentId: string,
): Promise<PaymentException> {
  const { merchantId, now } = input;
  const exception = await lockUndecided(tx, input);
  if (!isLinkable(exception)) {
    throw new AppError('INVALID_STATE', {
      message: `An exception of kind ${exception.kind} cannot be linked to an intent.`,
    });
  }
  const receiver = await lockReceiver(tx, exception, intentId);
  const { signature, destination, baseUnits } = exception;
  const before = await listAllocationsOf(tx, signature, destination);
  if (before.some((credit) => credit.intentId === intentId)) {
    throw new AppError('INVALID_STATE', { message: 'This transaction is already linked to this intent.' });
  }
  requireWhole(exception);
  await reverseCredit(tx, exception, 'payment used for an order', now);
  const intent = await shrinkTip(tx, receiver, receiver.receivedBaseUnits + baseUnits, now);
  const credit = { merchantId, intentId, signature, destination, baseUnits, isFinal: true };
  await upsertAllocations(tx, [credit], now);
  const { origin, paidAt = now, sendsReceipt = true } = input;
  const isDecision = origin === undefined;
  await applyMoney(tx, intent, {
    signature,
    ...(origin && { origin }),
    paidAt,
    now,
    sendsReceipt,
    isDecision,
  });
  await raiseForPaid(tx, { ...exception, now }, intent, baseUnits);
  return resolve(tx, input, exception, { status: 'linked', linkedIntentId: intentId, resolvedAt: now });
}

/** The intent that gets the money: at the same address, and ready to receive more. */
async function lockReceiver(
  tx: Tx,
  { merchantId, destination }: PaymentException,
  intentId: string,
): Promise<Intent> {
  const intent = await lockIntent(tx, { merchantId, id: intentId });
  if (!intent || intent.destinationAddress !== destination) {
    throw badField(
      'paymentIntentId',
      'must be the id of one of your intents with the address the money arrived at',
    );
  }
  if (intent.status === 'succeeded' || isCanceled(intent)) {
    const state = isCanceled(intent) ? 'canceled' : intent.status;
    throw new AppError('INVALID_STATE', {
      message: `${inState(state, 'intent')} cannot receive more money.`,
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
  return intent;
}

/** A person returned the money, outside of Florin; this only records it. */
export async function markReturned(tx: Tx, input: Resolve, note: string | null): Promise<PaymentException> {
  const exception = await lockUndecided(tx, input);
  await requireUnrefunded(tx, exception);
  // A refund of a part of it has reversed the credit already.
  if (exception.refundId === null) await reverseCredit(tx, exception, 'payment returned', input.now);
  return resolve(tx, input, exception, { status: 'returned', note, resolvedAt: input.now });
}

export async function lockUndecided(tx: Tx, { merchantId, exceptionId }: Resolve): Promise<PaymentException> {
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

/** The refunded part can no longer be credited to anybody. */
export function requireWhole({ refundId }: PaymentException): void {
  if (refundId !== null)
    throw new AppError('INVALID_STATE', { message: 'A part of this money has been refunded.' });
}

/** A refund of the payment it is part of may send it back, or has: then there is nothing to decide. */
export async function requireUnrefunded(tx: Tx, exception: PaymentException): Promise<void> {
  const { merchantId, intentId, kind } = exception;
  if (!isOfIntent(exception) || intentId === null) return;
  const intent = (await lockIntent(tx, { merchantId, id: intentId }))!;
  const isReturned = kind === 'surplus' && (await hasRefundOfSurplus(tx, merchantId, intentId));
  const left = await leftOfIntent(tx, intent, exception, null);
  if (isReturned || left < (await leftOfException(tx, exception, null)))
    throw new AppError('INVALID_STATE', { message: 'A part of this payment has been refunded.' });
}

/** The account credit it had become is no longer the customer's; what was spent of it cannot be taken back. */
export async function reverseCredit(
  tx: Tx,
  { merchantId, postingId }: PaymentException,
  reason: string,
  now: Date,
): Promise<void> {
  if (postingId) await reversePosting(tx, { merchantId, postingId, reason, now });
}

export async function resolve(
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
