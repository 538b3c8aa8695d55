import type { Queryable } from '../../platform/db/database.ts';
import { whyNotGiven } from './discount.ts';
import type { GivenDiscount, NamedDiscount } from './find-given.ts';
import { listCodesByText, lockDiscountsByRef } from './queries.ts';

export interface AskedDiscount extends NamedDiscount {
  merchantId: string;
  projectId: string;
}

export interface DiscountBatch {
  /** The discount a request asks for, counted among those of the batch; undefined: it must be tried alone. */
  take(asked: AskedDiscount, now: Date): GivenDiscount | undefined;
}

/** Locks all discounts that many requests ask for, with one statement for the codes and one for the discounts. */
export async function lockDiscounts(tx: Queryable, asked: readonly AskedDiscount[]): Promise<DiscountBatch> {
  const coded = asked.flatMap(({ merchantId, projectId, promotionCode }) =>
    promotionCode == null ? [] : [{ merchantId, projectId: projectId.toLowerCase(), text: promotionCode }],
  );
  const codes = await listCodesByText(tx, coded);
  const byId = asked.flatMap(({ merchantId, discountId }) =>
    discountId == null ? [] : [{ merchantId, id: discountId.toLowerCase() }],
  );
  const byCode = codes.map(({ merchantId, discountId: id }) => ({ merchantId, id }));
  const refs = new Map([...byId, ...byCode].map((ref) => [`${ref.merchantId} ${ref.id}`, ref]));
  const discounts = await lockDiscountsByRef(tx, [...refs.values()]);

  return {
    take({ merchantId, projectId, discountId, promotionCode }, now) {
      if (discountId != null && promotionCode != null) return undefined;
      const wanted = promotionCode?.toUpperCase();
      const isOfProject = (each: { merchantId: string; projectId: string }) =>
        each.merchantId === merchantId && each.projectId === projectId.toLowerCase();
      const code = codes.find((each) => isOfProject(each) && each.code.toUpperCase() === wanted);
      if (promotionCode != null && !code?.isActive) return undefined;
      const id = code?.discountId ?? discountId?.toLowerCase();
      const discount = discounts.find((each) => isOfProject(each) && each.id === id);
      if (!discount || discount.maxPerCustomer !== null || whyNotGiven(discount, now)) return undefined;
      discount.redemptionsCount++;
      return {
        discount,
        applied: { id: discount.id, name: discount.name, promotionCode: code?.code ?? null },
      };
    },
  };
}
