import { idsOfPerson } from '../../accounts/customers/person.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';
import { type Discount, discountRedemptions, type Redeemer, type Redemption } from './discount.ts';
import { halfPaidSince, isHalfPaid } from './half-paid.ts';

interface SessionRef {
  merchantId: string;
  sessionId: string;
}

/** A customer's address that nobody has proven, as one that a stranger typed. */
const isTypedBy = (customer: string, email: string, merchant = '$1') => `exists (
  select from customers c where c.merchant_id = ${merchant} and c.id = ${customer} and c.email_source = 'typed' and ${folded('c.email')} = ${email})`;

/**
 * Counts a customer's redemptions of a discount, by id or by e-mail. A redemption with a typed address counts for
 * people who only type it: it uses up nothing of the person whose address it is.
 */
export async function countRedemptionsOf(
  db: Queryable,
  { merchantId, id }: Discount,
  { customerId, email, isTyped }: Redeemer,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from discount_redemptions r
      where merchant_id = $1 and discount_id = $2
        and (customer_id in ${idsOfPerson('$1', '$3')} or email = ${folded('$4')} and (
              $5 or ${isTypedBy('$3', folded('$4'))}
              or not r.is_typed))`,
    [merchantId, id, customerId, email, isTyped],
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

export async function insertRedemptions(
  tx: Queryable,
  redemptions: readonly Redemption[],
  heldUntil: Date | null,
): Promise<void> {
  await tx.query(
    `insert into discount_redemptions (merchant_id, session_id, discount_id, customer_id, email, created_at, held_until, is_typed)
     select merchant_id, session_id, discount_id, customer_id, ${folded('email')}, created_at, $7,
            is_typed or ${isTypedBy('r.customer_id', folded('r.email'), 'r.merchant_id')}
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[], $8::boolean[])
              as r(merchant_id, session_id, discount_id, customer_id, email, created_at, is_typed)`,
    [
      redemptions.map((each) => each.merchantId),
      redemptions.map((each) => each.sessionId),
      redemptions.map((each) => each.discountId),
      redemptions.map((each) => each.customerId),
      redemptions.map((each) => each.email),
      redemptions.map((each) => each.createdAt),
      heldUntil,
      redemptions.map((each) => each.isTyped),
    ],
  );
}

/** False where it was given back. One that is held for good stays so. */
export async function updateHeldUntil(
  tx: Queryable,
  { merchantId, sessionId }: SessionRef,
  heldUntil: Date | null,
): Promise<boolean> {
  const rows = await tx.query(
    `update discount_redemptions set held_until = case when held_until is not null then $3::timestamptz end
      where merchant_id = $1 and session_id = $2 returning session_id`,
    [merchantId, sessionId, heldUntil],
  );
  return rows.length > 0;
}

export const findHeldUntil = (db: Queryable, { merchantId, sessionId }: SessionRef) =>
  discountRedemptions.find(db, { merchantId, sessionId });

/** Nobody pays for it, or not enough to keep it. */
const isUnpaid = (since: string) => `exists (
  select from checkout_sessions s
    join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
   where s.merchant_id = r.merchant_id and s.id = r.session_id and s.status in ('open', 'expired')
     and s.payment_status in ('unpaid', 'underpaid') and not ${isHalfPaid('s', 'i', since)})`;

/**
 * Lists which of these checkouts have a discount and are open and unpaid. A young one whose redemption was given back counts,
 * because looking at it counts the redemption again.
 */
export async function listUnpaidWith(
  db: Queryable,
  { merchantId, discountId }: { merchantId: string; discountId: string },
  { sessionIds, youngFrom }: { sessionIds: readonly string[]; youngFrom: Date },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select s.id from checkout_sessions s
       join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id
      where s.merchant_id = $1 and s.id = any($2) and s.status = 'open' and s.payment_status in ('unpaid', 'underpaid')
        and v.discount ->> 'id' = $3
        and (s.created_at > $4 or exists (select from discount_redemptions r where r.merchant_id = $1 and r.session_id = s.id))`,
    [merchantId, sessionIds, discountId, youngFrom],
  );
  return rows.map(({ id }) => id);
}

export const REDEMPTIONS_TO_RETURN = 'return unpaid redemptions';

export function listHeldRedemptions(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<(SessionRef & { discountId: string })[]> {
  return db.query(
    `select r.merchant_id, r.session_id, r.discount_id
       from discount_redemptions r
      where r.held_until <= $1 and ${isUnpaid('$3')} and ${isOpenMerchant('r.merchant_id')}
        and ${notSetAside(REDEMPTIONS_TO_RETURN, '$1', { merchantId: 'r.merchant_id', id: 'r.session_id' })}
      order by r.held_until limit $2`,
    [now, limit, halfPaidSince(now)],
  );
}

/**
 * Deletes a held redemption and locks its discount; one that another transaction is about to keep or give back is
 * left to that one.
 */
export async function deleteHeldRedemption(
  tx: Queryable,
  { merchantId, sessionId }: SessionRef,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `with held as (
       select merchant_id, session_id from discount_redemptions r
        where merchant_id = $1 and session_id = $2 and held_until <= $3 and ${isUnpaid('$4')} for update skip locked),
     gone as (
       delete from discount_redemptions r using held
        where r.merchant_id = held.merchant_id and r.session_id = held.session_id
        returning r.merchant_id, r.discount_id)
     update discounts d set redemptions_count = redemptions_count - 1
       from gone where d.merchant_id = gone.merchant_id and d.id = gone.discount_id returning d.id`,
    [merchantId, sessionId, now, halfPaidSince(now)],
  );
  return rows.length > 0;
}

/** Deletes it, unless its checkout is half paid since then. Null: in any case. */
export async function deleteRedemption(
  tx: Queryable,
  { merchantId, sessionId }: SessionRef,
  since: Date | null,
): Promise<void> {
  await tx.query(
    `with gone as (
       delete from discount_redemptions r where merchant_id = $1 and session_id = $2
          and not exists (select from checkout_sessions s
                            join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
                           where s.merchant_id = $1 and s.id = $2 and ${isHalfPaid('s', 'i', '$3::timestamptz')})
       returning merchant_id, discount_id)
     update discounts d set redemptions_count = redemptions_count - 1
       from gone where d.merchant_id = gone.merchant_id and d.id = gone.discount_id`,
    [merchantId, sessionId, since],
  );
}
