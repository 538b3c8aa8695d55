import { cancelSession } from '../../billing/checkout-sessions/cancel-session.ts';
import { hasPaymentUnderWay, lockIntent } from '../../money/intents/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { deleteOrderKey, findSessionOfIntent, hasPayingTransaction, type OrderKey } from './queries.ts';

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
  const ref = { merchantId: key.merchantId, id: intentId };
  return db.transaction(async (tx) => {
    const intent = await lockIntent(tx, ref);
    if (intent && intent.status !== 'canceled') {
      if ((await hasPayingTransaction(tx, ref)) || (await hasPaymentUnderWay(tx, ref))) return false;
      const session = await findSessionOfIntent(tx, ref);
      if (session?.status === 'open') await cancelSession(tx, { ...ref, id: session.id }, now);
    }
    await deleteOrderKey(tx, key, intentId);
    return true;
  });
}
