import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { checkTimes } from './create-discount.ts';
import { type Discount, discounts, type PromotionCode, promotionCodes } from './discount.ts';
import { lockDiscount } from './queries.ts';

export interface PatchDiscount {
  merchantId: string;
  id: string;
  actor: string;
  change: {
    name?: string;
    isActive?: boolean;
    startsAt?: Date | null;
    endsAt?: Date | null;
    maxRedemptions?: number | null;
    maxPerCustomer?: number | null;
  };
  now: Date;
}

/** Changes who can still get a discount, never what those have who got it. */
export async function patchDiscount(tx: Tx, input: PatchDiscount): Promise<Discount> {
  const { merchantId, id, actor, now } = input;
  const before = await lockDiscount(tx, { merchantId, id });
  if (!before) throw new AppError('NOT_FOUND');
  const given = Object.fromEntries(Object.entries(input.change).filter(([, value]) => value !== undefined));
  const after: Discount = { ...before, ...given };
  checkTimes(after);
  const { maxRedemptions, redemptionsCount } = after;
  if (maxRedemptions !== null && maxRedemptions < redemptionsCount) {
    throw new AppError('INVALID_STATE', {
      message: `This discount has ${redemptionsCount} redemptions already; set isActive to false to end it.`,
    });
  }
  await discounts.update(tx, before, given);
  const detail = { change: given };
  await recordAudit(tx, { merchantId, actor, action: 'discount.changed', targetId: before.id, detail, now });
  return after;
}

export interface PatchCode {
  merchantId: string;
  id: string;
  actor: string;
  change: { isActive?: boolean };
  now: Date;
}

export async function patchCode(tx: Tx, input: PatchCode): Promise<PromotionCode> {
  const { merchantId, id, actor, change, now } = input;
  const before = await promotionCodes.lock(tx, { merchantId, id });
  if (!before) throw new AppError('NOT_FOUND');
  const after = { ...before, isActive: change.isActive ?? before.isActive };
  if (after.isActive === before.isActive) return before;
  await promotionCodes.update(tx, before, { isActive: after.isActive });
  const detail = { isActive: after.isActive };
  const action = 'promotion_code.changed';
  await recordAudit(tx, { merchantId, actor, action, targetId: before.id, detail, now });
  return after;
}
