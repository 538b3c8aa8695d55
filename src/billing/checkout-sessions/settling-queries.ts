import type { Queryable } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';

const HAS_PENDING = `exists (select from payment_allocations c
  where c.merchant_id = s.merchant_id and c.intent_id = s.payment_intent_id and not c.is_final)`;

/** Condition for canceled sessions with money, arrived or on its way, that is not account credit yet. */
const IS_SETTLING = `s.status = 'canceled' and ((s.payment_status <> 'unpaid' and s.unapplied_at is null) or ${HAS_PENDING})`;

/**
 * True if money for something a subscription no longer needs is about to become account credit. Requesting more money
 * before that would charge that part twice.
 */
export async function isSettling(db: Queryable, { merchantId, id }: Ref): Promise<boolean> {
  const rows = await db.query(
    `select from checkout_sessions s where s.merchant_id = $1 and s.subscription_id = $2 and ${IS_SETTLING} limit 1`,
    [merchantId, id],
  );
  return rows.length > 0;
}

/** The same for many: which of these subscriptions it is true for. */
export async function listSettling(db: Queryable, subscriptions: readonly Ref[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `select distinct s.subscription_id as id from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
       join checkout_sessions s on s.merchant_id = w.merchant_id and s.subscription_id = w.id
      where ${IS_SETTLING}`,
    [subscriptions.map(({ merchantId }) => merchantId), subscriptions.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** True if any money toward an invoice was seen, final or not. */
export async function hasMoney(db: Queryable, merchantId: string, invoiceId: string): Promise<boolean> {
  const rows = await db.query(
    `select from invoices v
       join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
      where v.merchant_id = $1 and v.id = $2 and (s.payment_status <> 'unpaid' or ${HAS_PENDING})`,
    [merchantId, invoiceId],
  );
  return rows.length > 0;
}
