import { isUnseen } from '../../intents/intent.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { amountOfLines } from '../invoices/invoice.ts';
import { changeTip } from './change-tip.ts';
import { lockWholeSession } from './lock-session.ts';
import type { Session } from './session.ts';
import { largestTip, tipOf, withoutTip } from './tip.ts';

export interface SetTip {
  merchantId: string;
  paymentIntentId: string;
  /** One of the percentages that are offered, or an amount; nothing takes the tip away. */
  tip: { percent: number } | { cents: Cents };
  now: Date;
}

/**
 * The buyer adds a tip on the page of an open session that nobody has paid toward, changes it or takes it away. It is a line
 * of its own: discounts and taxes are for what is sold.
 */
export async function setTip(tx: Tx, { merchantId, paymentIntentId, tip, now }: SetTip): Promise<Session> {
  const whole = await lockWholeSession(tx, merchantId, paymentIntentId);
  const { intent, session: before, invoice } = whole;
  const isOpen = before.status === 'open' && now < before.expiresAt && isUnseen(intent);
  if (before.tipPercents.length === 0 || !isOpen || (await hasPaymentUnderWay(tx, intent)))
    throw new AppError('INVALID_STATE', { message: 'This checkout takes no tip now.' });
  const goods = withoutTip(before, invoice.lines);
  const tipCents = amountOfTip(before, amountOfLines(goods), tip);
  return changeTip(tx, whole, tipCents, now);
}

function amountOfTip({ tipPercents }: Session, goodsCents: Cents, tip: SetTip['tip']): Cents {
  if ('percent' in tip && !tipPercents.includes(tip.percent))
    throw badField('percent', 'must be one of the tips that are offered');
  const cents = 'percent' in tip ? tipOf(goodsCents, tip.percent) : tip.cents;
  if (cents < 0n || cents > largestTip(goodsCents))
    throw badField(
      'percent' in tip ? 'percent' : 'amount',
      `must be from 0 to ${largestTip(goodsCents)} cents`,
    );
  return cents;
}
