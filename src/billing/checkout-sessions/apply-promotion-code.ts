import { listPricesByRef } from '../../accounts/catalog/queries.ts';
import { changeExpectedAmount } from '../../money/intents/change-expected-amount.ts';
import { isUnseen } from '../../money/intents/intent.ts';
import { hasPaymentUnderWay } from '../../money/intents/queries.ts';
import { repriceInvoice } from '../../money/invoices/change-invoice.ts';
import { amountOfLines, sumOfDiscounts, sumOfTax } from '../../money/invoices/invoice.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { startingDiscount } from '../discounts/discount.ts';
import { lockGiven } from '../discounts/find-given.ts';
import { redeem, releaseRedemption, requireGivable } from '../discounts/redeem.ts';
import { storeSubscriptionQuietly } from '../subscriptions/change-subscription.ts';
import { lockSubscription } from '../subscriptions/queries.ts';
import { changeSession } from './change-session.ts';
import { discounted, keptForLater } from './create-session.ts';
import { lockWholeSession } from './lock-session.ts';
import { lineOfPrice } from './price-line.ts';
import { redemptionOf, type Session, seatsOf } from './session.ts';
import { tipAfter, withoutTip, withTip } from './tip.ts';

export interface ApplyPromotionCode {
  merchantId: string;
  paymentIntentId: string;
  promotionCode: string;
  now: Date;
}

/**
 * The customer enters a code on the page of an open session that nobody has paid toward: session, intent and invoice
 * cost less from then on, and the redemption is counted, all or nothing. Another code replaces the first.
 */
export async function applyPromotionCode(tx: Tx, input: ApplyPromotionCode): Promise<Session> {
  const { merchantId, paymentIntentId, promotionCode, now } = input;
  const { intent, session: before, invoice } = await lockWholeSession(tx, merchantId, paymentIntentId);
  const isOpen = before.status === 'open' && now < before.expiresAt && isUnseen(intent);
  if (!before.allowPromotionCodes || !isOpen || (await hasPaymentUnderWay(tx, intent))) {
    throw new AppError('INVALID_STATE', { message: 'This checkout takes no promotion code now.' });
  }
  const { projectId } = before;
  if (before.discount) await releaseRedemption(tx, { merchantId, sessionId: before.id });
  const given = (await lockGiven(tx, { merchantId, projectId }, { promotionCode }))!;
  const redeemer = { customerId: before.customerId, email: before.customerEmail };
  await requireGivable(tx, given.discount, redeemer, { promotionCode }, now);
  const { productOf, fullLines } = await readCatalog(tx, before);
  const goods = withoutTip(before, invoice.lines);
  const left =
    before.trialDays === null
      ? discounted(goods, given, { promotionCode }, productOf)
      : keptForLater(goods, fullLines, given, { promotionCode }, productOf);
  const tipCents = tipAfter(before, amountOfLines(goods), amountOfLines(left));
  const lines = withTip(left, tipCents);
  const after: Session = {
    ...before,
    lines,
    tipCents,
    discount: given.applied,
    discountCents: sumOfDiscounts(lines),
    taxCents: sumOfTax(lines),
    amountCents: amountOfLines(lines) - invoice.creditAppliedCents,
  };
  await repriceInvoice(tx, { ...invoice, lines, discount: given.applied });
  await changeExpectedAmount(tx, intent, after.amountCents);
  if (before.subscriptionId !== null) {
    const subscription = (await lockSubscription(tx, { merchantId, id: before.subscriptionId }))!;
    await storeSubscriptionQuietly(tx, { ...subscription, ...startingDiscount(given.discount) });
  }
  const event = await changeSession(tx, {
    before,
    after,
    event: 'checkout.session.updated',
    txSignature: null,
  });
  await redeem(tx, [redemptionOf(after)]);
  await appendEvents(tx, [event], now);
  return after;
}

async function readCatalog(tx: Tx, { merchantId, lines, priceId }: Session) {
  const ids = [...new Set(lines.flatMap(({ priceId }) => priceId ?? []))];
  const prices = await listPricesByRef(
    tx,
    ids.map((id) => ({ merchantId, id })),
  );
  const plan = prices.find(({ id }) => id === priceId);
  return {
    productOf: (wanted: string) => prices.find(({ id }) => id === wanted)?.productId,
    /** The plan as it costs after a trial. */
    fullLines: plan ? [lineOfPrice(plan, seatsOf(lines))] : [],
  };
}
