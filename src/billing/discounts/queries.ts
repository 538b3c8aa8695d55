import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Ref, ScopedRef } from '../../platform/lib/ref.ts';
import { type Discount, discounts, type PromotionCode, promotionCodes } from './discount.ts';

export const findDiscount = (db: Queryable, { merchantId, id }: ScopedRef) =>
  discounts.find(db, { merchantId, id });

/** Locks one; of another project it counts as missing. */
export const lockDiscount = (tx: Queryable, ref: ScopedRef) => discounts.lock(tx, ref);

/** Reads many, each by its own id. */
export async function listDiscountsByRef(db: Queryable, refs: readonly Ref[]): Promise<Discount[]> {
  if (refs.length === 0) return [];
  return db.query<Discount>(
    `select ${discounts.columns('d')} from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
       join discounts d on d.merchant_id = w.merchant_id and d.id = w.id`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)],
  );
}

/** Locks many in one order, so that two that want the same do not wait for each other. */
export async function lockDiscountsByRef(tx: Queryable, refs: readonly Ref[]): Promise<Discount[]> {
  if (refs.length === 0) return [];
  return tx.query<Discount>(
    `select ${discounts.columns('d')} from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
       join discounts d on d.merchant_id = w.merchant_id and d.id = w.id
      order by d.merchant_id, d.id for no key update of d`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)],
  );
}

export interface DiscountFilter {
  projectId?: string | undefined;
  isActive?: boolean | undefined;
}

export async function listDiscounts(
  db: Queryable,
  merchantId: string,
  filter: DiscountFilter,
  range: Range,
): Promise<Discount[]> {
  const conditions = new Conditions()
    .add('d.merchant_id = ?', merchantId)
    .within('d.id', range)
    .add('d.project_id = ?', filter.projectId)
    .add('d.is_active = ?', filter.isActive);
  return db.query<Discount>(
    `select ${discounts.columns('d')} from discounts d
      where ${conditions.where} order by d.id desc limit ${conditions.place(range.limit)}`,
    conditions.values,
  );
}

/** False: the project has this code already. */
export async function insertCode(tx: Queryable, code: PromotionCode): Promise<boolean> {
  return (await promotionCodes.insert(tx, code, 'on conflict do nothing returning id')).length > 0;
}

export const findCode = (db: Queryable, { merchantId, id }: Ref) =>
  promotionCodes.find(db, { merchantId, id });

/** However it is written. */
export async function findCodeByText(
  db: Queryable,
  { merchantId, projectId }: { merchantId: string; projectId: string },
  text: string,
): Promise<PromotionCode | undefined> {
  const [row] = await db.query<PromotionCode>(
    `select ${promotionCodes.columns('p')} from promotion_codes p
      where p.merchant_id = $1 and p.project_id = $2 and upper(p.code) collate "C" = upper($3)`,
    [merchantId, projectId, text],
  );
  return row;
}

/** Many, however they are written. */
export async function listCodesByText(
  db: Queryable,
  wanted: readonly { merchantId: string; projectId: string; text: string }[],
): Promise<PromotionCode[]> {
  if (wanted.length === 0) return [];
  return db.query<PromotionCode>(
    `select ${promotionCodes.columns('p')}
       from (select distinct merchant_id, project_id, upper(text) as text
               from unnest($1::uuid[], $2::uuid[], $3::text[]) as r(merchant_id, project_id, text)) w
       join promotion_codes p on p.merchant_id = w.merchant_id and p.project_id = w.project_id
                             and upper(p.code) collate "C" = w.text`,
    [
      wanted.map(({ merchantId }) => merchantId),
      wanted.map(({ projectId }) => projectId),
      wanted.map(({ text }) => text),
    ],
  );
}

export interface CodeFilter {
  projectId?: string | undefined;
  discountId?: string | undefined;
  code?: string | undefined;
  isActive?: boolean | undefined;
}

export async function listCodes(
  db: Queryable,
  merchantId: string,
  filter: CodeFilter,
  range: Range,
): Promise<PromotionCode[]> {
  const conditions = new Conditions()
    .add('p.merchant_id = ?', merchantId)
    .within('p.id', range)
    .add('p.project_id = ?', filter.projectId)
    .add('p.discount_id = ?', filter.discountId)
    .add('upper(p.code) collate "C" = upper(?)', filter.code)
    .add('p.is_active = ?', filter.isActive);
  return db.query<PromotionCode>(
    `select ${promotionCodes.columns('p')} from promotion_codes p
      where ${conditions.where} order by p.id desc limit ${conditions.place(range.limit)}`,
    conditions.values,
  );
}
