import type { Queryable } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import type { AppliedDiscount } from '../invoices/invoice.ts';
import type { Discount } from './discount.ts';
import { findCodeByText, lockDiscount } from './queries.ts';

/** A discount as a request names it. */
export interface NamedDiscount {
  discountId?: string | null | undefined;
  promotionCode?: string | null | undefined;
}

export interface GivenDiscount {
  discount: Discount;
  applied: AppliedDiscount;
}

/**
 * The discount a request names by id or by code, locked: until the commit nobody else can take its last redemption.
 * Undefined: it names none.
 */
export async function lockGiven(
  tx: Queryable,
  project: { merchantId: string; projectId: string },
  { discountId, promotionCode }: NamedDiscount,
): Promise<GivenDiscount | undefined> {
  if (discountId != null && promotionCode != null) {
    throw badField('promotionCode', 'cannot be combined with discountId');
  }
  if (promotionCode != null) return lockByCode(tx, project, promotionCode);
  if (discountId == null) return undefined;
  const discount = await lockDiscount(tx, { ...project, id: discountId.toLowerCase() });
  if (!discount) throw badField('discountId', 'must be the id of a discount of this project');
  return { discount, applied: { id: discount.id, name: discount.name, promotionCode: null } };
}

/** Anyone can type anything, also what the database cannot store. */
const isCode = (text: string) => /^[\w-]{1,50}$/.test(text);

/** A code that is switched off is as unknown as one that never was. */
async function lockByCode(
  tx: Queryable,
  project: { merchantId: string; projectId: string },
  text: string,
): Promise<GivenDiscount> {
  const code = isCode(text) ? await findCodeByText(tx, project, text) : undefined;
  if (!code?.isActive) throw badField('promotionCode', 'is not valid');
  const { merchantId, projectId } = project;
  const discount = (await lockDiscount(tx, { merchantId, projectId, id: code.discountId }))!;
  return { discount, applied: { id: discount.id, name: discount.name, promotionCode: code.code } };
}
