import type { Intent } from '../../intents/intent.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { storableText } from '../../platform/lib/storable-text.ts';

export interface SubmittedSignature {
  signature: string;
  submittedAt: Date;
  /** Checked and sent by us. Of others somebody only says that they were sent. */
  wasSent: boolean;
  /** Block past which it can no longer land; null until the chain was looked at after it was sent. */
  lapsesAtHeight: bigint | null;
}

/** True if it should be read now: it is new and there is room, or it was already queued. */
export async function insertSubmittedSignature(
  db: Queryable,
  { merchantId, id }: Intent,
  { signature, submittedAt, wasSent }: Omit<SubmittedSignature, 'lapsesAtHeight'>,
  max: number,
): Promise<boolean> {
  const rows = await db.query(
    `insert into submitted_signatures as s (merchant_id, intent_id, signature, submitted_at, sends)
     select $1, $2, $3, $4, $5::boolean::integer where $5 or (
       select count(*) from submitted_signatures where merchant_id = $1 and intent_id = $2 and signature <> $3) < $6
     on conflict (merchant_id, intent_id, signature) do update set sends = s.sends + excluded.sends,
       submitted_at = case when s.sends = 0 then excluded.submitted_at else s.submitted_at end,
       lapses_at_height = case when s.sends > 0 then s.lapses_at_height end
     returning signature`,
    [merchantId, id, signature, submittedAt, wasSent, max],
  );
  return rows.length > 0;
}

export async function listSubmittedSignatures(
  db: Queryable,
  { merchantId, id }: Intent,
): Promise<SubmittedSignature[]> {
  return db.query<SubmittedSignature>(
    `select signature, submitted_at, sends > 0 as was_sent, lapses_at_height from submitted_signatures
      where merchant_id = $1 and intent_id = $2`,
    [merchantId, id],
  );
}

/** True if the books have money of this transaction for the intent. */
export async function isBooked(db: Queryable, { merchantId, id }: Ref, signature: string): Promise<boolean> {
  const rows = await db.query(
    'select from payment_allocations where merchant_id = $1 and intent_id = $2 and signature = $3',
    [merchantId, id, signature],
  );
  return rows.length > 0;
}

export async function updateLapseHeight(
  db: Queryable,
  { merchantId, id }: Intent,
  signature: string,
  height: bigint,
): Promise<void> {
  await db.query(
    `update submitted_signatures set lapses_at_height = $4
      where merchant_id = $1 and intent_id = $2 and signature = $3`,
    [merchantId, id, signature, height],
  );
}

/**
 * False for one that was sent while the books do not have its money as final: a node may have shown what is on no chain, and then it
 * may still land. It is kept until its money is final and answers for it.
 */
export async function deleteSubmittedSignature(
  db: Queryable,
  { merchantId, id }: Intent,
  signature: string,
): Promise<boolean> {
  const rows = await db.query(
    `delete from submitted_signatures s where merchant_id = $1 and intent_id = $2 and signature = $3
        and (sends = 0 or not exists (
              select from payment_allocations a
               where a.merchant_id = s.merchant_id and a.intent_id = s.intent_id and a.signature = s.signature
                 and not a.is_final))
     returning true`,
    [merchantId, id, signature],
  );
  return rows.length > 0;
}

/**
 * Notes what our fee payer has signed for the merchant and is not known to be final, as sent. Returns what it pays for.
 */
export async function insertSigned(tx: Queryable, merchantId: string, now: Date): Promise<Ref[]> {
  return tx.query<Ref>(
    `insert into submitted_signatures (merchant_id, intent_id, signature, submitted_at, sends, lapses_at_height, message_hash)
     select merchant_id, intent_id, signature, greatest(created_at, $2), 1, lapses_at_height,
            message_hash
       from sponsored_transactions t
      where merchant_id = $1 and state <> 'dropped' and not has_failed
        and not exists (select from incoming_transfers i where i.signature = t.signature and i.is_final)
     on conflict (merchant_id, intent_id, signature) do update set sends = 1, submitted_at = excluded.submitted_at,
       lapses_at_height = excluded.lapses_at_height, message_hash = excluded.message_hash
     returning merchant_id, intent_id as id`,
    [merchantId, now],
  );
}

/** Counts one more attempt to send; false where there was none before. */
export async function updateSentAgain(
  db: Queryable,
  { merchantId, id }: Intent,
  signature: string,
): Promise<boolean> {
  const rows = await db.query(
    `update submitted_signatures set sends = sends + 1
      where merchant_id = $1 and intent_id = $2 and signature = $3 and sends > 0 returning signature`,
    [merchantId, id, signature],
  );
  return rows.length > 0;
}

/** Takes one attempt back; returns those that are left. */
export async function updateNotSent(
  tx: Queryable,
  { merchantId, id }: Intent,
  signature: string,
): Promise<number> {
  const [row] = await tx.query<{ sends: number }>(
    `update submitted_signatures set sends = sends - 1
      where merchant_id = $1 and intent_id = $2 and signature = $3 and sends > 0 returning sends`,
    [merchantId, id, signature],
  );
  return row?.sends ?? 0;
}

/** A transaction that was listed for an account and could not be read. */
export interface Unreadable {
  signature: string;
  slot: number;
  reason: string;
}

export interface StoredUnreadable {
  signature: string;
  slot: bigint;
  attempts: number;
}

/** Stores these, up to `max` for an account; returns those that were not known before. */
export async function insertUnreadable(
  db: Queryable,
  destination: string,
  unreadable: readonly Unreadable[],
  now: Date,
  max: number,
): Promise<{ signature: string; reason: string }[]> {
  return db.query(
    `insert into unreadable_transactions (destination, signature, slot, reason, attempts, first_seen_at, next_attempt_at)
     select $1, signature, slot, reason, 1, $5, $5
       from unnest($2::text[], $3::bigint[], $4::text[]) as g(signature, slot, reason)
      order by slot
      limit greatest(0, $6 - (select count(*) from unreadable_transactions where destination = $1))
     on conflict (destination, signature) do nothing
     returning signature, reason`,
    [
      destination,
      unreadable.map(({ signature }) => signature),
      unreadable.map(({ slot }) => slot),
      unreadable.map(({ reason }) => storableText(reason, MAX_REASON)),
      now,
      max,
    ],
  );
}

const MAX_REASON = 300;

export async function listDueUnreadable(
  db: Queryable,
  destination: string,
  now: Date,
  limit: number,
): Promise<StoredUnreadable[]> {
  return db.query(
    `select signature, slot, attempts from unreadable_transactions
      where destination = $1 and next_attempt_at <= $2 order by next_attempt_at limit $3`,
    [destination, now, limit],
  );
}

/** The addresses with transactions that are to be looked up again. */
export async function listUnreadableDestinations(db: Queryable, now: Date): Promise<string[]> {
  const rows = await db.query<{ destination: string }>(
    'select distinct destination from unreadable_transactions where next_attempt_at <= $1',
    [now],
  );
  return rows.map(({ destination }) => destination);
}

/** The watched addresses at which something is open though its deadline has passed by `dueBy`. */
export async function listDueWatched(db: Queryable, serviceNow: Date, dueBy: Date): Promise<string[]> {
  const rows = await db.query<{ destination: string }>(
    `select destination from watched_accounts w
      where watch_until > $1 and ${isOpenMerchant('w.merchant_id')}
        and exists (select from payment_intents i
                     where i.status in ('pending', 'failed') and not i.is_withdrawn
                       and i.destination_address = w.destination and i.expires_at <= $2)`,
    [serviceNow, dueBy],
  );
  return rows.map(({ destination }) => destination);
}

export async function listUnreadableAmong(
  db: Queryable,
  destination: string,
  signatures: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ signature: string }>(
    'select signature from unreadable_transactions where destination = $1 and signature = any($2)',
    [destination, signatures],
  );
  return rows.map(({ signature }) => signature);
}

/** Counts all of them, and those that were requested fewer than `sureAttempts` times. */
export async function countUnreadable(
  db: Queryable,
  destination: string,
  sureAttempts: number,
): Promise<{ all: number; young: number }> {
  const [row] = await db.query<{ all: number; young: number }>(
    `select count(*)::integer as all, count(*) filter (where attempts < $2)::integer as young
       from unreadable_transactions where destination = $1`,
    [destination, sureAttempts],
  );
  return row!;
}

export async function updateUnreadable(
  db: Queryable,
  destination: string,
  signature: string,
  { reason, nextAttemptAt }: { reason: string; nextAttemptAt: Date },
): Promise<void> {
  await db.query(
    `update unreadable_transactions set attempts = attempts + 1, reason = $3, next_attempt_at = $4
      where destination = $1 and signature = $2`,
    [destination, signature, storableText(reason, MAX_REASON), nextAttemptAt],
  );
}

export async function deleteUnreadable(
  db: Queryable,
  destination: string,
  signatures: readonly string[],
): Promise<void> {
  await db.query('delete from unreadable_transactions where destination = $1 and signature = any($2)', [
    destination,
    signatures,
  ]);
}

/** Counts those that could not be read since before `before`. */
export async function countLongUnreadable(db: Queryable, before: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::integer as count from unreadable_transactions where first_seen_at < $1',
    [before],
  );
  return row!.count;
}

/** Returns those of these addresses at which a merchant is or was paid, or was by then. */
export async function listOwnAddresses(
  db: Queryable,
  merchantId: string,
  addresses: readonly string[],
  by: Date | null = null,
): Promise<string[]> {
  const rows = await db.query<{ address: string }>(
    `select address from payout_addresses
      where merchant_id = $1 and address = any($2) and ($3::timestamptz is null or created_at <= $3)
     union select destination from watched_accounts
      where merchant_id = $1 and destination = any($2) and ($3::timestamptz is null or watch_since <= $3)`,
    [merchantId, addresses, by],
  );
  return rows.map(({ address }) => address);
}
