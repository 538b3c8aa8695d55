import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { type Discount, type Redeemer, type Redemption, whyNotGiven } from './discount.ts';
import type { NamedDiscount } from './find-given.ts';
import {
  addRedemptions,
  countRedemptionsOf,
  deleteRedemption,
  insertRedemptionIfLeft,
  insertRedemptions,
} from './redemption-queries.ts';

/** Refuses a locked discount that cannot be given now, or not to this buyer. */
export async function requireGivable(
  tx: Tx,
  discount: Discount,
  redeemer: Redeemer,
  named: NamedDiscount,
  now: Date,
): Promise<void> {
  const reason = whyNotGiven(discount, now);
  if (reason) throw new AppError('INVALID_STATE', { message: reason });
  if (discount.maxPerCustomer === null) return;
  if (redeemer.customerId === null && redeemer.email === null) {
    const field = named.promotionCode == null ? 'discountId' : 'promotionCode';
    throw badField(field, 'is limited per customer and needs a customer or an e-mail address');
  }
  const had = await countRedemptionsOf(tx, discount, redeemer);
  if (had >= discount.maxPerCustomer) {
    throw new AppError('INVALID_STATE', { message: 'This customer has already used this discount.' });
  }
}

/** Counts redemptions of locked discounts; the database refuses one too many. */
export async function redeem(tx: Tx, redemptions: readonly Redemption[]): Promise<void> {
  if (redemptions.length === 0) return;
  await addRedemptions(tx, redemptions);
  await insertRedemptions(tx, redemptions);
}

/** Gives back what a session had that closed unpaid. */
export async function releaseRedemption(
  tx: Tx,
  ref: { merchantId: string; sessionId: string },
): Promise<void> {
  await deleteRedemption(tx, ref);
}

/** Counts one again that was given back, unless none is left: what was paid is not refused for that. */
export async function redeemAgain(tx: Tx, redemption: Redemption): Promise<void> {
  await insertRedemptionIfLeft(tx, redemption);
}
