import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { type Discount, type Redeemer, type Redemption, whyNotGiven } from './discount.ts';
import type { NamedDiscount } from './find-given.ts';
import { halfPaidSince } from './half-paid.ts';
import { lockDiscount } from './queries.ts';
import {
  addRedemptions,
  countRedemptionsOf,
  deleteHeldRedemption,
  deleteRedemption,
  findHeldUntil,
  insertRedemptions,
  listHeldRedemptions,
  REDEMPTIONS_TO_RETURN,
  updateHeldUntil,
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

/** Time for which an open checkout keeps a redemption that nobody pays for: as long as a limited link holds a place. */
export const HOLD_MS = 3_600_000;

/** Longest time for which looking at a checkout that anybody can open keeps a redemption. */
export const LONGEST_HOLD_MS = 3 * HOLD_MS;

export function heldFrom(now: Date): Date {
  return new Date(now.getTime() + HOLD_MS);
}

/**
 * Returns the time until which looking at a checkout keeps its redemption: an hour more, but with a typed address at
 * most three hours after it was created.
 */
export function heldOnLook({ isTyped, createdAt }: Redemption, now: Date): Date {
  const end = new Date(createdAt.getTime() + LONGEST_HOLD_MS);
  const heldUntil = heldFrom(now);
  return isTyped && end < heldUntil ? end : heldUntil;
}

/** Counts redemptions of locked discounts, and holds them; the database refuses one too many. Null holds them to the end. */
export async function redeem(
  tx: Tx,
  redemptions: readonly Redemption[],
  heldUntil: Date | null,
): Promise<void> {
  if (redemptions.length === 0) return;
  await addRedemptions(tx, redemptions);
  await insertRedemptions(tx, redemptions, heldUntil);
}

/** Gives back what a session had that closed for good. */
export async function releaseRedemption(
  tx: Tx,
  ref: { merchantId: string; sessionId: string },
): Promise<void> {
  await deleteRedemption(tx, ref, null);
}

/** The same of one that has expired, which can still be completed: half paid, it is held for as long as a place is. */
export async function releaseExpired(
  tx: Tx,
  ref: { merchantId: string; sessionId: string },
  now: Date,
): Promise<void> {
  await deleteRedemption(tx, ref, halfPaidSince(now));
}

/**
 * Keeps the redemption of a session that is paid, for good. One that was given back is counted again if there is one left,
 * and one left for this buyer; otherwise it answers false, and nothing has changed.
 */
export async function keepRedemption(tx: Tx, redemption: Redemption): Promise<boolean> {
  return (await updateHeldUntil(tx, redemption, null)) || redeemAgain(tx, redemption, null);
}

/**
 * The same for a session that somebody looks at: it is held for another while. Where that has ended, nothing is held, and
 * the answer is whether one could be counted again.
 */
export async function holdRedemption(tx: Tx, redemption: Redemption, now: Date): Promise<boolean> {
  const heldUntil = heldOnLook(redemption, now);
  if (heldUntil <= now) return (await findHeldUntil(tx, redemption)) !== undefined || isLeft(tx, redemption);
  return (await updateHeldUntil(tx, redemption, heldUntil)) || redeemAgain(tx, redemption, heldUntil);
}

async function redeemAgain(tx: Tx, redemption: Redemption, heldUntil: Date | null): Promise<boolean> {
  if (!(await isLeft(tx, redemption))) return false;
  await redeem(tx, [redemption], heldUntil);
  return true;
}

/** Locks the discount: until the transaction ends nobody else counts one. */
async function isLeft(tx: Tx, redemption: Redemption): Promise<boolean> {
  const { merchantId, discountId } = redemption;
  const discount = (await lockDiscount(tx, { merchantId, id: discountId }))!;
  const { maxRedemptions, redemptionsCount, maxPerCustomer } = discount;
  if (maxRedemptions !== null && redemptionsCount >= maxRedemptions) return false;
  const isOfSomebody = redemption.customerId !== null || redemption.email !== null;
  if (maxPerCustomer !== null && isOfSomebody) {
    if ((await countRedemptionsOf(tx, discount, redemption)) >= maxPerCustomer) return false;
  }
  return true;
}

const SLICE = 200;

/**
 * Gives back the redemptions of checkouts that are open or expired and that nobody has looked at for an hour or paid half of, and answers how many. The
 * checkouts stay as they are.
 */
export function releaseHeldRedemptions(db: Database, now: Date, log?: Logger): Promise<number> {
  return eachAlone({ db, log }, REDEMPTIONS_TO_RETURN, now, async (alone) => {
    let released = 0;
    for (;;) {
      const failed = alone.failures();
      const due = await listHeldRedemptions(db, now, SLICE);
      let moved = 0;
      for (const held of due) {
        const item = { merchantId: held.merchantId, id: held.sessionId };
        if (await alone(item, () => db.transaction((tx) => releaseHeld(tx, held, now)))) moved++;
      }
      released += moved;
      if (due.length < SLICE || (moved === 0 && alone.failures() === failed)) return released;
    }
  });
}

async function releaseHeld(
  tx: Tx,
  { merchantId, discountId, sessionId }: { merchantId: string; discountId: string; sessionId: string },
  now: Date,
): Promise<boolean> {
  // The discount before the redemption, as those lock that count one: nobody waits for the other.
  await lockDiscount(tx, { merchantId, id: discountId });
  return deleteHeldRedemption(tx, { merchantId, sessionId }, now);
}
