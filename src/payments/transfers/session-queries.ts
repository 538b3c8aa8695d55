import { PAYABLE_INTERVAL } from '../../chain/solana/watched-account.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';

export interface DueSession {
  merchantId: string;
  sessionId: string;
  intentId: string;
}

const SESSIONS_READ_PAST = `
  from checkout_sessions s
  join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
  join watched_accounts w on w.destination = i.destination_address`;
const REF = `s.merchant_id, s.id as session_id, s.payment_intent_id as intent_id`;

/**
 * Condition that no refund exists: money that a merchant sends back is the merchant's to settle, to the last cent,
 * and must not become account credit as well.
 */
const NOT_REFUNDED = `not exists (select from refunds r
  where r.merchant_id = s.merchant_id and r.payment_intent_id = s.payment_intent_id
    and r.status not in ('canceled', 'expired'))`;

export const SESSIONS_TO_EXPIRE = 'expire checkout sessions';
export const ARCHIVED_TO_CLOSE = 'close archived projects';
export const UNAPPLIED = 'post money that bought nothing';
const OF_SESSION = { merchantId: 's.merchant_id', id: 's.id' };

/** Open sessions past their deadline whose destination has been read past it too. */
export async function listDueSessions(db: Queryable, now: Date, limit: number): Promise<DueSession[]> {
  return db.query<DueSession>(
    `select ${REF} ${SESSIONS_READ_PAST}
      where s.status = 'open' and s.expires_at <= $1 and s.expires_at <= w.read_through and i.status <> 'processing'
        and ${isOpenMerchant('s.merchant_id')} and ${notSetAside(SESSIONS_TO_EXPIRE, '$1', OF_SESSION)}
      order by s.expires_at limit $2`,
    [now, limit],
  );
}

/** Sessions that can still be paid, open or late, of projects archived since then. */
export async function listPayableOfArchived(
  db: Queryable,
  { since, now }: { since: Date; now: Date },
  limit: number,
): Promise<DueSession[]> {
  return db.query<DueSession>(
    `select ${REF} from projects p
       join checkout_sessions s on s.merchant_id = p.merchant_id and s.project_id = p.id and s.status in ('open', 'expired')
       join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
      where p.archived_at >= $1 and s.expires_at > $2::timestamptz - ${PAYABLE_INTERVAL} and s.unapplied_at is null
        and i.status in ('pending', 'failed', 'expired', 'underpaid') and ${isOpenMerchant('s.merchant_id')}
        and ${notSetAside(ARCHIVED_TO_CLOSE, '$2', OF_SESSION)} limit $3`,
    [since, now, limit],
  );
}

/**
 * Sessions that were paid in part, whose last day for the rest has passed and been read past; and those that were
 * closed although money had come.
 */
export async function listUnapplied(
  db: Queryable,
  { lastDay, now }: { lastDay: Date; now: Date },
  limit: number,
): Promise<DueSession[]> {
  return db.query<DueSession>(
    `(select ${REF} ${SESSIONS_READ_PAST}
      where s.status = 'expired' and s.payment_status = 'underpaid' and s.unapplied_at is null
        and s.expires_at <= $1 and s.expires_at <= w.read_through - ${PAYABLE_INTERVAL} and ${NOT_REFUNDED}
        and ${isOpenMerchant('s.merchant_id')} and ${notSetAside(UNAPPLIED, '$3', OF_SESSION)}
      order by s.expires_at limit $2)
     union all
     (select ${REF} from checkout_sessions s
       where s.status = 'canceled' and s.payment_status <> 'unpaid' and s.unapplied_at is null
         and ${NOT_REFUNDED} and ${isOpenMerchant('s.merchant_id')}
         and ${notSetAside(UNAPPLIED, '$3', OF_SESSION)} limit $2)`,
    [lastDay, limit, now],
  );
}

/**
 * Queries for what depends on the chain being read past $1 and where its payment is expected. Each kind is written
 * once, for one address and for all.
 */
const WAITING = {
  sessions: `
    select merchant_id, payment_intent_id from checkout_sessions where status = 'open' and expires_at <= $1
    union all
    select merchant_id, payment_intent_id from checkout_sessions s
     where status = 'expired' and payment_status = 'underpaid' and unapplied_at is null
       and expires_at <= $1::timestamptz - ${PAYABLE_INTERVAL} and ${NOT_REFUNDED}`,
  renewals: `
    select s.merchant_id, s.payment_intent_id from subscriptions b
      join invoices v on v.merchant_id = b.merchant_id and v.id = b.renewal_invoice_id
      join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
     where b.status in ('active', 'trialing') and b.next_step_at <= $1::timestamptz + interval '1 minute'
       and b.current_period_end <= $1`,
  invoices: `
    select s.merchant_id, s.payment_intent_id from invoices v
      join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
     where v.next_step_at <= $1::timestamptz + interval '1 minute' and v.due_at <= $1`,
};

async function isWaiting(db: Queryable, waiting: string, destination: string, time: Date): Promise<boolean> {
  const rows = await db.query(
    `with waiting as (${waiting})
     select from waiting w
       join payment_intents i on i.merchant_id = w.merchant_id and i.id = w.payment_intent_id
      where i.destination_address = $2 limit 1`,
    [time, destination],
  );
  return rows.length > 0;
}

/** True if a session paid to this address depends on the chain being read past `time`. */
export async function hasWaitingSessions(db: Queryable, destination: string, time: Date): Promise<boolean> {
  return isWaiting(db, WAITING.sessions, destination, time);
}

/** True if a renewal paid to this address is about to become overdue. */
export async function hasWaitingRenewals(db: Queryable, destination: string, time: Date): Promise<boolean> {
  return isWaiting(db, WAITING.renewals, destination, time);
}

/** True if a manual invoice paid to this address is about to become overdue. */
export async function hasWaitingInvoices(db: Queryable, destination: string, time: Date): Promise<boolean> {
  return isWaiting(db, WAITING.invoices, destination, time);
}

/** The addresses for which any of these three would say yes. */
export async function listWaitingDestinations(db: Queryable, time: Date): Promise<string[]> {
  const rows = await db.query<{ destination: string }>(
    `with waiting as (${Object.values(WAITING).join(' union all ')})
     select distinct i.destination_address as destination from waiting w
       join payment_intents i on i.merchant_id = w.merchant_id and i.id = w.payment_intent_id`,
    [time],
  );
  return rows.map((row) => row.destination);
}

/** True if the money that an intent received has been permanently dealt with as unapplied. */
export async function isUnapplied(tx: Queryable, merchantId: string, intentId: string): Promise<boolean> {
  const rows = await tx.query(
    'select from checkout_sessions where merchant_id = $1 and payment_intent_id = $2 and unapplied_at is not null',
    [merchantId, intentId],
  );
  return rows.length > 0;
}

/** Lists transactions of an intent that are already listed as unapplied. */
export async function listUnappliedSignatures(
  tx: Queryable,
  merchantId: string,
  intentId: string,
): Promise<string[]> {
  const rows = await tx.query<{ signature: string }>(
    `select signature from payment_exceptions where merchant_id = $1 and intent_id = $2 and kind = 'stray'`,
    [merchantId, intentId],
  );
  return rows.map((row) => row.signature);
}

export async function listFinalAllocations(
  tx: Queryable,
  merchantId: string,
  intentId: string,
): Promise<{ signature: string; destination: string; baseUnits: BaseUnits }[]> {
  return tx.query(
    `select signature, destination, base_units from payment_allocations
      where merchant_id = $1 and intent_id = $2 and is_final order by created_at, signature`,
    [merchantId, intentId],
  );
}

/** True if the merchant sends back, or has sent back, part of what a session's intent received. */
export async function hasRefund(tx: Queryable, merchantId: string, sessionId: string): Promise<boolean> {
  const rows = await tx.query(
    `select from checkout_sessions s where s.merchant_id = $1 and s.id = $2 and not (${NOT_REFUNDED})`,
    [merchantId, sessionId],
  );
  return rows.length > 0;
}
