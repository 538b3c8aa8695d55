import { cancelSession } from '../../billing/checkout-sessions/cancel-session.ts';
import { isUnseen } from '../../intents/intent.ts';
import { hasPaymentUnderWay, lockIntent } from '../../intents/queries.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { deleteOrderKey, findSessionOfIntent, hasPayingTransaction, type OrderKey } from './queries.ts';
import { payerOfCustomer } from './sale.ts';

/**
 * Frees a key whose order was not paid. The order is canceled with it, under the lock that signing takes too: a
 * request that is still about to pay it is refused. False where something of it is under way after all.
 */
export async function releaseOrderKey(
  db: Database,
  key: OrderKey,
  intentId: string,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isOver = await cancelUnpaid(tx, { merchantId: key.merchantId, id: intentId }, now);
    if (isOver) await deleteOrderKey(tx, key, intentId);
    return isOver;
  });
}

/** Cancels an order that nothing pays. False where something of it is under way. */
export async function cancelUnpaid(tx: Tx, ref: Ref, now: Date): Promise<boolean> {
  const intent = await lockIntent(tx, ref);
  if (!intent || intent.status === 'canceled') return true;
  if ((await hasPayingTransaction(tx, ref)) || (await hasPaymentUnderWay(tx, ref))) return false;
  const session = await findSessionOfIntent(tx, ref);
  if (session?.status === 'open') await cancelSession(tx, { ...ref, id: session.id }, now);
  return true;
}

/**
 * Ends a link's order that a program signed for, once its payment can no longer land: a place that nobody pays for is another
 * buyer's at once. What a person has opened stays open for another try, and so does what something else may still pay.
 */
export async function giveUpOrder(tx: Tx, ref: Ref, now: Date): Promise<void> {
  const intent = await lockIntent(tx, ref);
  const session = await findSessionOfIntent(tx, ref);
  const isOfProgram =
    session?.paymentLinkId != null && payerOfCustomer(session.externalCustomerId) !== undefined;
  if (intent && isOfProgram && isUnseen(intent)) await cancelUnpaid(tx, ref, now);
}
