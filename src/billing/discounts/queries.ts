import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Discount, PromotionCode } from './discount.ts';

const COLUMNS = `
  d.id, d.merchant_id as "merchantId", d.project_id as "projectId", d.name, d.percent_off_bps as "percentOffBps",
  d.amount_off_cents as "amountOffCents", d.duration, d.duration_periods as "durationPeriods",
  d.product_ids as "productIds", d.starts_at as "startsAt", d.ends_at as "endsAt",
  d.max_redemptions as "maxRedemptions", d.max_per_customer as "maxPerCustomer",
  d.redemptions_count as "redemptionsCount", d.is_active as "isActive", d.created_at as "createdAt"`;

const CODE_COLUMNS = `
  p.id, p.merchant_id as "merchantId", p.project_id as "projectId", p.discount_id as "discountId", p.code,
  p.is_active as "isActive", p.created_at as "createdAt"`;

export interface DiscountRef {
  merchantId: string;
  id: string;
  /** If set, discounts of other projects count as missing. */
  projectId?: string;
}

export async function insertDiscount(tx: Queryable, discount: Discount): Promise<void> {
  await tx.query(
    `insert into discounts (merchant_id, id, project_id, name, percent_off_bps, amount_off_cents, duration,
                            duration_periods, product_ids, starts_at, ends_at, max_redemptions, max_per_customer, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      discount.merchantId,
      discount.id,
      discount.projectId,
      discount.name,
      discount.percentOffBps,
      discount.amountOffCents,
      discount.duration,
      discount.durationPeriods,
      discount.productIds,
      discount.startsAt,
      discount.endsAt,
      discount.maxRedemptions,
      discount.maxPerCustomer,
      discount.createdAt,
    ],
  );
}

export async function findDiscount(
  db: Queryable,
  { merchantId, id }: DiscountRef,
): Promise<Discount | undefined> {
  const [row] = await db.query<Discount>(
    `select ${COLUMNS} from discounts d where d.merchant_id = $1 and d.id = $2`,
    [merchantId, id],
  );
  return row;
}

export async function lockDiscount(tx: Queryable, ref: DiscountRef): Promise<Discount | undefined> {
  const [row] = await tx.query<Discount>(
    `select ${COLUMNS} from discounts d
      where d.merchant_id = $1 and d.id = $2 and d.project_id = coalesce($3, d.project_id) for no key update`,
    [ref.merchantId, ref.id, ref.projectId ?? null],
  );
  return row;
}

/** Reads many, each by its own id. */
export async function listDiscountsByRef(
  db: Queryable,
  refs: readonly { merchantId: string; id: string }[],
): Promise<Discount[]> {
  if (refs.length === 0) return [];
  return db.query<Discount>(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
       join discounts d on d.merchant_id = w.merchant_id and d.id = w.id`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)],
  );
}

/** Locks many in one order, so that two that want the same do not wait for each other. */
export async function lockDiscountsByRef(
  tx: Queryable,
  refs: readonly { merchantId: string; id: string }[],
): Promise<Discount[]> {
  if (refs.length === 0) return [];
  return tx.query<Discount>(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
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
    `select ${COLUMNS} from discounts d
      where ${conditions.where} order by d.id desc limit ${conditions.place(range.limit)}`,
    conditions.values,
  );
}

export async function updateDiscount(tx: Queryable, discount: Discount): Promise<void> {
  await tx.query(
    `update discounts set name = $3, is_active = $4, starts_at = $5, ends_at = $6, max_redemptions = $7,
            max_per_customer = $8
      where merchant_id = $1 and id = $2`,
    [
      discount.merchantId,
      discount.id,
      discount.name,
      discount.isActive,
      discount.startsAt,
      discount.endsAt,
      discount.maxRedemptions,
      discount.maxPerCustomer,
    ],
  );
}

/** False: the project has this code already. */
export async function insertCode(tx: Queryable, code: PromotionCode): Promise<boolean> {
  const rows = await tx.query(
    `insert into promotion_codes (merchant_id, id, project_id, discount_id, code, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing returning id`,
    [code.merchantId, code.id, code.projectId, code.discountId, code.code, code.createdAt],
  );
  return rows.length > 0;
}

export async function findCode(
  db: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<PromotionCode | undefined> {
  const [row] = await db.query<PromotionCode>(
    `select ${CODE_COLUMNS} from promotion_codes p where p.merchant_id = $1 and p.id = $2`,
    [merchantId, id],
  );
  return row;
}

export async function lockCode(
  tx: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<PromotionCode | undefined> {
  const [row] = await tx.query<PromotionCode>(
    `select ${CODE_COLUMNS} from promotion_codes p where p.merchant_id = $1 and p.id = $2 for no key update`,
    [merchantId, id],
  );
  return row;
}

/** However it is written. */
export async function findCodeByText(
  db: Queryable,
  { merchantId, projectId }: { merchantId: string; projectId: string },
  text: string,
): Promise<PromotionCode | undefined> {
  const [row] = await db.query<PromotionCode>(
    `select ${CODE_COLUMNS} from promotion_codes p
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
    `select ${CODE_COLUMNS}
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
    `select ${CODE_COLUMNS} from promotion_codes p
      where ${conditions.where} order by p.id desc limit ${conditions.place(range.limit)}`,
    conditions.values,
  );
}

export async function updateCode(tx: Queryable, { merchantId, id, isActive }: PromotionCode): Promise<void> {
  await tx.query('update promotion_codes set is_active = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    isActive,
  ]);
}
