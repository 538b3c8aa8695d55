import type { Session } from '../checkout-sessions/session.ts';
import type { Tx } from '../db/database.ts';
import { post } from '../ledger/post.ts';
import type { Posting } from '../ledger/posting.ts';
import type { Cents } from '../lib/money.ts';

/** Money that bought nothing becomes account credit of the customer who sent it, where one is known. */
export async function postStray(
  tx: Tx,
  { session, cents, lane, now }: { session: Session; cents: Cents; lane: string; now: Date },
): Promise<Posting | undefined> {
  const { merchantId, customerId, invoiceId } = session;
  if (customerId === null || cents === 0n) return undefined;
  return post(tx, {
    merchantId,
    customerId,
    deltaCents: cents,
    otherSide: 'stray_payment',
    reason: 'payment that bought nothing',
    invoiceId,
    lane,
    now,
  });
}
