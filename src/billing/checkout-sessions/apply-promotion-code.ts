import { changeExpectedAmount } from '../../intents/change-expected-amount.ts';
import { isUnseen } from '../../intents/intent.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Visitor } from '../../platform/limits/visitor-places.ts';
import { listPricesByRef } from '../catalog/queries.ts';
import type { Discount } from '../discounts/discount.ts';
import { lockGiven } from '../discounts/find-given.ts';
import {
  heldOnLook,
  LONGEST_HOLD_MS,
  redeem,
  releaseRedemption,
  requireGivable,
} from '../discounts/redeem.ts';
import { listUnpaidWith } from '../discounts/redemption-queries.ts';
import { repriceInvoice } from '../invoices/change-invoice.ts';
import { amountOfLines, sumOfDiscounts, sumOfTax } from '../invoices/invoice.ts';
import { changeSession, orderingKeyOf } from './change-session.ts';
import { discounted, keptForLater } from './create-session.ts';
import { lockWholeSession } from './lock-session.ts';
import { lineOfPrice } from './price-line.ts';
import { redemptionOf, type Session, seatsOf } from './session.ts';
import { setStartingDiscount } from './set-starting-discount.ts';
import { tipAfter, withoutTip, withTip } from './tip.ts';

export interface ApplyPromotionCode {
  merchantId: string;
  paymentIntentId: string;
  promotionCode: string;
  /** The person who typed it, known by an address alone. */
  visitor?: Visitor;
  now: Date;
}

/**
 * The customer enters a code on the page of an open session that nobody has paid toward: session, intent and invoice
 * cost less from then on, and the redemption is counted, all or nothing. Another code replaces the first.
 */
export async function applyPromotionCode(tx: Tx, input: ApplyPromotionCode): Promise<Session> {
  const { merchantId, paymentIntentId, promotionCode, visitor, now } = input;
  const { intent, session: before, invoice } = await lockWholeSession(tx, merchantId, paymentIntentId);
  const isOpen = before.status === 'open' && now < before.expiresAt && isUnseen(intent);
  if (!before.allowPromotionCodes || !isOpen || (await hasPaymentUnderWay(tx, intent))) {
    throw new AppError('INVALID_STATE', { message: 'This checkout takes no promotion code now.' });
  }
  const { projectId } = before;
  if (before.discount) await releaseRedemption(tx, { merchantId, sessionId: before.id });
  const given = (await lockGiven(tx, { merchantId, projectId }, { promotionCode }))!;
  const { customerId, customerEmail: email, origin } = before;
  const redeemer = { customerId, email, isTyped: origin === 'link' };
  await requireGivable(tx, given.discount, redeemer, { promotionCode }, now);
  // Whom a seller's own server has opened a checkout for is no stranger.
  const isNew = before.discount?.id !== given.discount.id;
  const stranger = origin === 'link' && isNew ? visitor : undefined;
  if (stranger) await requireRoomFor(tx, given.discount, { sessionId: before.id, visitor: stranger, now });
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
  const orderingKey = orderingKeyOf(before);
  const repriced = await repriceInvoice(tx, {
    ...{ before: invoice, after: { ...invoice, lines, discount: given.applied }, orderingKey, now },
  });
  await changeExpectedAmount(tx, intent, after.amountCents);
  const begun = await setStartingDiscount(tx, before, given.discount);
  const event = await changeSession(tx, {
    before,
    after,
    event: 'checkout.session.updated',
    txSignature: null,
  });
  await redeem(tx, [redemptionOf(after)], heldOnLook(redemptionOf(after), now));
  await appendEvents(tx, [...repriced, event, ...begun], now);
  return after;
}

/** Anybody can open checkouts of a link, and each with the code keeps one redemption from other buyers. */
async function requireRoomFor(
  tx: Tx,
  { id, merchantId, maxRedemptions }: Discount,
  { sessionId, visitor, now }: { sessionId: string; visitor: Visitor; now: Date },
): Promise<void> {
  if (maxRedemptions === null) return;
  const youngFrom = new Date(now.getTime() - LONGEST_HOLD_MS);
  const listUnpaid = (_: Tx, __: string, sessionIds: readonly string[]) =>
    listUnpaidWith(tx, { merchantId, discountId: id }, { sessionIds, youngFrom });
  await visitor.places.require(tx, { id, merchantId, total: maxRedemptions, listUnpaid }, visitor);
  visitor.places.add({ id }, visitor.ip, sessionId);
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
