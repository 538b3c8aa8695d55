import { changeExpectedAmount } from '../../intents/change-expected-amount.ts';
import { isUnseen } from '../../intents/intent.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { priceLines } from '../discounts/price-lines.ts';
import { releaseRedemption } from '../discounts/redeem.ts';
import { repriceInvoice } from '../invoices/change-invoice.ts';
import { amountOfLines, sumOfTax } from '../invoices/invoice.ts';
import { changeSession, orderingKeyOf } from './change-session.ts';
import { lockWholeSession } from './lock-session.ts';
import type { Session } from './session.ts';
import { setStartingDiscount } from './set-starting-discount.ts';
import { tipAfter, withoutTip, withTip } from './tip.ts';

export interface RemovePromotionCode {
  merchantId: string;
  paymentIntentId: string;
  now: Date;
}

/**
 * Removes the code that the customer entered, as long as nothing has been paid: the old price applies again and the
 * redemption is released. A discount without a code is the seller's and stays.
 */
export async function removePromotionCode(tx: Tx, input: RemovePromotionCode): Promise<Session> {
  const { merchantId, paymentIntentId, now } = input;
  const { intent, session: before, invoice } = await lockWholeSession(tx, merchantId, paymentIntentId);
  if (before.discount?.promotionCode == null) return before;
  const isOpen = before.status === 'open' && now < before.expiresAt && isUnseen(intent);
  if (!before.allowPromotionCodes || !isOpen || (await hasPaymentUnderWay(tx, intent))) {
    throw new AppError('INVALID_STATE', {
      message: 'The promotion code of this checkout stays as it is now.',
    });
  }
  await releaseRedemption(tx, { merchantId, sessionId: before.id });
  const goods = withoutTip(before, invoice.lines);
  const full = priceLines(goods, undefined, () => undefined);
  const tipCents = tipAfter(before, amountOfLines(goods), amountOfLines(full));
  const lines = withTip(full, tipCents);
  const after: Session = {
    ...before,
    lines,
    tipCents,
    discount: null,
    discountCents: 0n,
    taxCents: sumOfTax(lines),
    amountCents: amountOfLines(lines) - invoice.creditAppliedCents,
  };
  const orderingKey = orderingKeyOf(before);
  const repriced = await repriceInvoice(tx, {
    ...{ before: invoice, after: { ...invoice, lines, discount: null }, orderingKey, now },
  });
  await changeExpectedAmount(tx, intent, after.amountCents);
  const begun = await setStartingDiscount(tx, before, undefined);
  const event = await changeSession(tx, {
    before,
    after,
    event: 'checkout.session.updated',
    txSignature: null,
  });
  await appendEvents(tx, [...repriced, event, ...begun], now);
  return after;
}
