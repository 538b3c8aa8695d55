import { reversePosting } from '../../billing/ledger/post.ts';
import { findPosting } from '../../billing/ledger/queries.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { reopenException } from './change-exception.ts';
import type { PaymentException } from './exception.ts';
import { exceptionCredits, lockException } from './exception-queries.ts';
import { repeatPosting } from './refund-exception.ts';
import type { Resolve } from './resolve-exception.ts';

/** Takes a decision back, and what it did to the customer's account credit with it. */
export async function undoDecision(tx: Tx, input: Resolve): Promise<PaymentException> {
  const { merchantId, exceptionId, actor, now } = input;
  const before = await lockException(tx, merchantId, exceptionId);
  if (!before) throw new AppError('NOT_FOUND');
  requireUndoable(before);
  const postingId = await creditBefore(tx, before, now);
  const after: PaymentException = { ...before, status: 'open', postingId, note: null, resolvedAt: null };
  await reopenException(tx, before, after, now);
  await recordAudit(tx, {
    merchantId,
    actor,
    action: 'exception.reopened',
    targetId: after.id,
    detail: { kind: after.kind, signature: after.signature, was: before.status },
    now,
  });
  return after;
}

function requireUndoable({ status, refundId }: PaymentException): void {
  const refuse = (message: string) => {
    throw new AppError('INVALID_STATE', { message });
  };
  if (status === 'open' || status === 'dust') refuse('Nothing has been decided about this exception.');
  if (status === 'linked') refuse('What was linked to an intent has paid for it: refund the intent instead.');
  if (refundId !== null) refuse('This money was sent back by a refund, which cannot be undone.');
}

/** The account credit there was before the decision. */
async function creditBefore(tx: Tx, before: PaymentException, now: Date): Promise<string | null> {
  const { merchantId, postingId, status } = before;
  if (postingId === null) return null;
  if (status === 'returned') return repeatPosting(tx, merchantId, postingId, now, 'return undone');
  const { counterAccount } = (await findPosting(tx, merchantId, postingId))!;
  // Credit given on arrival stays; credit given by a person goes back to the customer who had it before, if any.
  if (counterAccount !== 'adjustment') return postingId;
  await reversePosting(tx, { merchantId, postingId, reason: 'credit undone', now });
  const replaced = (await exceptionCredits.find(tx, { merchantId, postingId }))?.replacedPostingId;
  return replaced ? repeatPosting(tx, merchantId, replaced, now, 'credit undone') : null;
}
