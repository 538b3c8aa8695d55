import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { newId, randomBase62 } from '../../platform/lib/ids.ts';
import type { PromotionCode } from './discount.ts';
import { findDiscount, insertCode } from './queries.ts';

export interface CreateCode {
  merchantId: string;
  discountId: string;
  code?: string;
  now: Date;
}

/** A code that buyers can type to get a discount. Within a project no two are the same, however they are written. */
export async function createCode(
  tx: Tx,
  { merchantId, discountId, code, now }: CreateCode,
): Promise<PromotionCode> {
  const discount = await findDiscount(tx, { merchantId, id: discountId.toLowerCase() });
  if (!discount) throw badField('discountId', 'must be the id of one of your discounts');
  await requireActiveProject(tx, { merchantId, id: discount.projectId });
  const promotionCode: PromotionCode = {
    id: newId(now),
    merchantId,
    projectId: discount.projectId,
    discountId: discount.id,
    code: code ?? randomBase62(10).toUpperCase(),
    isActive: true,
    createdAt: now,
  };
  if (!(await insertCode(tx, promotionCode))) throw new AppError('PROMOTION_CODE_EXISTS');
  return promotionCode;
}
