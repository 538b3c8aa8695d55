import type { Intent } from '../../intents/intent.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type BaseUnits, baseUnitsToCents, centsToBaseUnits } from '../../platform/lib/money.ts';
import { changeTip } from './change-tip.ts';
import { lockWholeSession } from './lock-session.ts';

/**
 * Tips are voluntary. Once the price of the goods has arrived, the order is paid, and the tip is whatever was paid on top.
 * Call it with the intent locked and the total that has arrived; returns the updated intent.
 */
export async function shrinkTip(
  tx: Tx,
  intent: Intent,
  receivedBaseUnits: BaseUnits,
  now: Date,
): Promise<Intent> {
  const isShort = receivedBaseUnits > 0n && receivedBaseUnits < centsToBaseUnits(intent.expectedAmountCents);
  if (intent.sessionOrderingKey === null || intent.status === 'succeeded' || !isShort) return intent;
  const whole = await lockWholeSession(tx, intent.merchantId, intent.id);
  const { session } = whole;
  const amountCents = baseUnitsToCents(receivedBaseUnits);
  const tipCents = session.tipCents - (intent.expectedAmountCents - amountCents);
  if (session.tipCents === 0n || tipCents < 0n || session.status === 'canceled') return intent;
  const after = await changeTip(tx, { ...whole, intent }, tipCents, now);
  if (after.amountCents !== amountCents)
    throw new Error('the lines of an invoice are not what its intent expects');
  return { ...intent, expectedAmountCents: amountCents };
}

/** Takes the tip away from a locked intent that is accepted as paid with less than the goods cost. */
export async function dropTip(tx: Tx, intent: Intent, now: Date): Promise<Intent> {
  const whole = await lockWholeSession(tx, intent.merchantId, intent.id);
  if (whole.session.tipCents === 0n) return intent;
  const { amountCents } = await changeTip(tx, { ...whole, intent }, 0n, now);
  return { ...intent, expectedAmountCents: amountCents };
}
