import type { Queryable } from '../../platform/db/database.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';

/** Lists intents of checkouts that received nothing and can still be paid: open, or expired after `expiredSince`. */
export async function listPayableIntents(
  tx: Queryable,
  { merchantId, customerId }: CustomerRef,
  expiredSince: Date,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select payment_intent_id as id from checkout_sessions
      where merchant_id = $1 and customer_id = $2 and payment_status = 'unpaid'
        and (status = 'open' or (status = 'expired' and expires_at > $3))
      order by payment_intent_id limit $4`,
    [merchantId, customerId, expiredSince, limit],
  );
  return rows.map(({ id }) => id);
}

/** The sessions of locked intents. */
export async function lockSessionIds(
  tx: Queryable,
  merchantId: string,
  intentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from checkout_sessions where merchant_id = $1 and payment_intent_id = any($2)
      order by payment_intent_id for no key update`,
    [merchantId, intentIds],
  );
  return rows.map(({ id }) => id);
}

export async function lockInvoiceIds(
  tx: Queryable,
  merchantId: string,
  sessionIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from invoices where merchant_id = $1 and checkout_session_id = any($2) order by id for no key update`,
    [merchantId, sessionIds],
  );
  return rows.map(({ id }) => id);
}

/** The intents among these that some transaction refers to, whether sent, seen or booked. They are few and are checked one by one. */
export async function listNamedIntents(
  tx: Queryable,
  merchantId: string,
  intentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from unnest($2::uuid[]) as named(id)
      where exists (select from payment_allocations a where a.merchant_id = $1 and a.intent_id = named.id)
         or exists (select from sponsored_transactions t where t.merchant_id = $1 and t.intent_id = named.id)
         or exists (select from submitted_signatures s where s.merchant_id = $1 and s.intent_id = named.id)`,
    [merchantId, intentIds],
  );
  return rows.map(({ id }) => id);
}
