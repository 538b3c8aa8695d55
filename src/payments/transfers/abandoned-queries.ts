import { PAYABLE_INTERVAL } from '../../chain/solana/watched-account.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';

export interface AbandonedSession {
  merchantId: string;
  sessionId: string;
  intentId: string;
  /** Null if it has a number: then it is kept. */
  invoiceId: string | null;
  /** Its deadline, to the last digit. */
  expiresAt: string;
}

/** Position of a walk through abandoned sessions. */
export type Place = Pick<AbandonedSession, 'expiresAt' | 'sessionId'>;

/** Strangers' sessions that ended unpaid before `lastDay`, in the order of an index, from `after` on. */
export async function listAbandoned(
  db: Queryable,
  lastDay: Date,
  after: Place,
  limit: number,
): Promise<AbandonedSession[]> {
  return db.query<AbandonedSession>(
    `select s.merchant_id, s.id as session_id, s.payment_intent_id as intent_id,
            s.expires_at::text as expires_at,
            (select v.id from invoices v
              where v.merchant_id = s.merchant_id and v.checkout_session_id = s.id and v.number is null) as invoice_id
       from checkout_sessions s
      where s.origin = 'link' and s.payment_status = 'unpaid' and s.status in ('expired', 'canceled')
        and s.expires_at < $1 and (s.expires_at, s.id) > ($2::timestamptz, $3::uuid)
      order by s.expires_at, s.id limit $4`,
    [lastDay, after.expiresAt, after.sessionId, limit],
  );
}

/**
 * True if anonymous sessions paid to this address can be deleted once the chain was read past `time`. Sessions before
 * the last reading, kept or deleted, do not count: the range is a short one of the same index, and intents are looked
 * up by their key, however rare the address.
 */
export async function hasWaitingAbandoned(db: Queryable, destination: string, time: Date): Promise<boolean> {
  const rows = await db.query(
    `select from checkout_sessions s
      where s.origin = 'link' and s.payment_status = 'unpaid' and s.status in ('expired', 'canceled')
        and s.expires_at < $2::timestamptz - ${PAYABLE_INTERVAL}
        and s.expires_at >= coalesce((select read_through from watched_accounts where destination = $1), '-infinity')
                            - ${PAYABLE_INTERVAL}
        and (select i.destination_address from payment_intents i
              where i.merchant_id = s.merchant_id and i.id = s.payment_intent_id) = $1
      limit 1`,
    [destination, time],
  );
  return rows.length > 0;
}

/**
 * Locks those of these intents that received nothing and can no longer be completed: dust is credited to an intent,
 * exceptions reference it, an amount that is reserved names it through its quarantine, and the chain must have been read past
 * its last day. One that another transaction has
 * locked to settle it is skipped.
 */
export async function lockAbandoned(tx: Queryable, refs: readonly Ref[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select i.id from unnest($1::uuid[], $2::uuid[]) as r(merchant_id, id)
       join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.id
       join watched_accounts w on w.destination = i.destination_address
      where i.received_base_units = 0 and i.expires_at < w.read_through - ${PAYABLE_INTERVAL}
        and not exists (select from payment_allocations c where c.merchant_id = i.merchant_id and c.intent_id = i.id)
        and not exists (select from payment_exceptions e where e.merchant_id = i.merchant_id and e.intent_id = i.id)
        and not exists (select from payment_exceptions e
                         where e.merchant_id = i.merchant_id and e.linked_intent_id = i.id)
        and not exists (select from terminals t where t.merchant_id = i.merchant_id and t.current_intent_id = i.id)
        and not exists (select from reserved_amounts r where r.merchant_id = i.merchant_id and r.intent_id = i.id)
        for update of i skip locked`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
}
