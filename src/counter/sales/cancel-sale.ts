import { cancelSession } from '../../billing/checkout-sessions/cancel-session.ts';
import { cancelIntent } from '../../intents/cancel-intent.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { SaleRow } from './queries.ts';

/** Cancels a sale that nobody has paid toward. One without an order is a payment alone. */
export async function cancelSale(
  tx: Tx,
  { merchantId, intentId, sessionId }: SaleRow,
  now: Date,
): Promise<void> {
  if (sessionId === null) await cancelIntent(tx, { merchantId, id: intentId }, now);
  else await cancelSession(tx, { merchantId, id: sessionId }, now);
}
