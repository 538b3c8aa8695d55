import type { Queryable } from '../../platform/db/database.ts';

/** Fills the next batch of records. False: the last one was filled before, or another process is at it. */
export async function updateMissingCustomers(db: Queryable, limit: number): Promise<boolean> {
  const rows = await db.query<{ isLast: boolean }>(
    `with place as materialized (
       select merchant_id, usage_record_id from usage_customer_fill for update skip locked
     ), part as materialized (
       select u.merchant_id, u.id, u.customer_id, u.subscription_id
         from place p, lateral (
           select * from usage_records r
            where (r.merchant_id, r.id) > (p.merchant_id, p.usage_record_id)
            order by r.merchant_id, r.id limit $1) u
     ), filled as (
       update usage_records u set customer_id = b.customer_id
         from part p join subscriptions b on b.merchant_id = p.merchant_id and b.id = p.subscription_id
        where u.merchant_id = p.merchant_id and u.id = p.id and p.customer_id is null
     ), last as (
       select merchant_id, id from part order by merchant_id desc, id desc limit 1
     ), moved as (
       update usage_customer_fill f set merchant_id = l.merchant_id, usage_record_id = l.id from last l, place
     ), ended as (
       delete from usage_customer_fill using place where not exists (select from part)
     )
     select (select count(*) from part) = 0 as "isLast" from place`,
    [limit],
  );
  return rows[0]?.isLast === false;
}
