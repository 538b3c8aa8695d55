import type { Queryable } from '../../platform/db/database.ts';
import type { Discount, Redeemer, Redemption } from './discount.ts';

/** How often a customer has a discount, known by id or by e-mail. */
export async function countRedemptionsOf(
  db: Queryable,
  { merchantId, id }: Discount,
  { customerId, email }: Redeemer,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from discount_redemptions
      where merchant_id = $1 and discount_id = $2 and (customer_id = $3 or email = lower($4))`,
    [merchantId, id, customerId, email],
  );
  return row!.count;
}

export async function addRedemptions(tx: Queryable, redemptions: readonly Redemption[]): Promise<void> {
  await tx.query(
    `update discounts d set redemptions_count = redemptions_count + w.count
       from (select merchant_id, id, count(*)::int as count
               from unnest($1::uuid[], $2::uuid[]) as r(merchant_id, id) group by 1, 2) w
      where d.merchant_id = w.merchant_id and d.id = w.id`,
    [redemptions.map((each) => each.merchantId), redemptions.map((each) => each.discountId)],
  );
}

export async function insertRedemptions(tx: Queryable, redemptions: readonly Redemption[]): Promise<void> {
  await tx.query(
    `insert into discount_redemptions (merchant_id, session_id, discount_id, customer_id, email, created_at)
     select merchant_id, session_id, discount_id, customer_id, lower(email), created_at
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[])
              as r(merchant_id, session_id, discount_id, customer_id, email, created_at)`,
    [
      redemptions.map((each) => each.merchantId),
      redemptions.map((each) => each.sessionId),
      redemptions.map((each) => each.discountId),
      redemptions.map((each) => each.customerId),
      redemptions.map((each) => each.email),
      redemptions.map((each) => each.createdAt),
    ],
  );
}

export async function deleteRedemption(
  tx: Queryable,
  { merchantId, sessionId }: { merchantId: string; sessionId: string },
): Promise<void> {
  await tx.query(
    `with gone as (
       delete from discount_redemptions where merchant_id = $1 and session_id = $2 returning merchant_id, discount_id)
     update discounts d set redemptions_count = redemptions_count - 1
       from gone where d.merchant_id = gone.merchant_id and d.id = gone.discount_id`,
    [merchantId, sessionId],
  );
}

export async function insertRedemptionIfLeft(tx: Queryable, redemption: Redemption): Promise<void> {
  await tx.query(
    `with room as (
       update discounts set redemptions_count = redemptions_count + 1
        where merchant_id = $1 and id = $3 and (max_redemptions is null or redemptions_count < max_redemptions)
        returning id)
     insert into discount_redemptions (merchant_id, session_id, discount_id, customer_id, email, created_at)
     select $1, $2, $3, $4, lower($5), $6 from room`,
    [
      redemption.merchantId,
      redemption.sessionId,
      redemption.discountId,
      redemption.customerId,
      redemption.email,
      redemption.createdAt,
    ],
  );
}
