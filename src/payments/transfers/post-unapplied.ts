import { lockCustomerForUse } from '../../accounts/customers/queries.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import { post } from '../../billing/ledger/post.ts';
import type { Posting } from '../../billing/ledger/posting.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Cents } from '../../platform/lib/money.ts';

/** Money that bought nothing becomes account credit of the customer who sent it, where one is known. */
export async function postUnapplied(
  tx: Tx,
  { session, cents, orderingKey, now }: { session: Session; cents: Cents; orderingKey: string; now: Date },
): Promise<Posting | undefined> {
  const { merchantId, customerId, invoiceId } = session;
  if (customerId === null || cents === 0n) return undefined;
  // A customer deleted meanwhile has no account; the merchant decides about the money.
  if (!(await lockCustomerForUse(tx, { merchantId, id: customerId }))) return undefined;
  return post(tx, {
    merchantId,
    customerId,
    deltaCents: cents,
    counterAccount: 'stray_payment',
    reason: 'payment that bought nothing',
    invoiceId,
    orderingKey,
    now,
  });
}
