import type { Queryable } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { hasMoney, isSettling } from '../checkout-sessions/settling-queries.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

/** Refuses to request money while a part of it is about to become account credit: the customer would pay it twice. */
export async function requireSettled(db: Queryable, subscription: Subscription): Promise<void> {
  if (await isSettling(db, subscription)) {
    throw new AppError('INVALID_STATE', { message: 'A payment is being settled; try again in a moment.' });
  }
}

/** A change that has received money is only replaced by an explicit decision. */
export async function requireUnpaidChange(
  db: Queryable,
  { merchantId, pendingChange }: Subscription,
): Promise<void> {
  if (pendingChange && (await hasMoney(db, merchantId, pendingChange.invoiceId))) {
    throw new AppError('INVALID_STATE', {
      message:
        'The pending change is partly paid; let the customer pay the rest, or withdraw the change first.',
    });
  }
}
