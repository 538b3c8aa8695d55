import { lockWholeSession } from '../../billing/checkout-sessions/lock-session.ts';
import { findSession } from '../../billing/checkout-sessions/queries.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import { storeMoves } from '../../intents/move-intents.ts';
import type { Tx } from '../../platform/db/database.ts';
import { followIntent } from './follow-intent.ts';

/**
 * Completes an open session that costs nothing, with everything that a payment does: what was bought is delivered,
 * once, and no wallet is asked.
 */
export async function completeFreeSession(tx: Tx, session: Session, now: Date): Promise<Session> {
  const { merchantId, id, paymentIntentId } = session;
  const { intent: before } = await lockWholeSession(tx, merchantId, paymentIntentId);
  const succeeded = { ...before, status: 'succeeded' as const, succeededAt: now };
  const [after] = await storeMoves(tx, [{ before, after: succeeded }], now);
  await followIntent(tx, before, after!, { paidAt: now, now });
  return (await findSession(tx, { merchantId, id }))!;
}
