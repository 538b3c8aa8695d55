import { closeSession } from '../../billing/checkout-sessions/close-session.ts';
import { lockWholeSession } from '../../billing/checkout-sessions/lock-session.ts';
import { redemptionOf, type Session } from '../../billing/checkout-sessions/session.ts';
import { codesInTurn } from '../../billing/discounts/codes-in-turn.ts';
import { HOLD_MS, holdRedemption } from '../../billing/discounts/redeem.ts';
import { findHeldUntil } from '../../billing/discounts/redemption-queries.ts';
import { endUnpaid } from '../../billing/renewals/end-unpaid.ts';
import { isUnseen } from '../../intents/intent.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';

/** A page that is read often writes only so often. */
const PROLONG_AFTER_MS = 5 * 60_000;

/**
 * Keeps the redemption of a checkout that somebody looks at. Where it was given back and none is left, the checkout is canceled, so that
 * nobody pays what could not buy it; then it answers true.
 */
export async function holdDiscount(db: Database, session: Session, now: Date): Promise<boolean> {
  if (!isHolding(session)) return false;
  const held = await findHeldUntil(db, { merchantId: session.merchantId, sessionId: session.id });
  const leftMs = held?.heldUntil ? held.heldUntil.getTime() - now.getTime() : 0;
  if (held && (held.heldUntil === null || leftMs > HOLD_MS - PROLONG_AFTER_MS)) return false;
  return codesInTurn(session.merchantId, () => db.transaction((tx) => holdOrClose(tx, session, now)));
}

function isHolding({ discount, status, paymentStatus, origin }: Session): boolean {
  return discount !== null && status === 'open' && paymentStatus === 'unpaid' && origin !== 'renewal';
}

async function holdOrClose(tx: Tx, seen: Session, now: Date): Promise<boolean> {
  const locked = await lockWholeSession(tx, seen.merchantId, seen.paymentIntentId);
  const { session, intent, invoice } = locked;
  if (!isHolding(session) || !isUnseen(intent) || (await hasPaymentUnderWay(tx, intent))) return false;
  if (await holdRedemption(tx, redemptionOf(session), now)) return false;
  const { events } = await closeSession(tx, locked, now);
  const ended = invoice.subscriptionId ? [await endUnpaid(tx, invoice, now)] : [];
  await appendEvents(tx, [...events, ...ended], now);
  return true;
}
