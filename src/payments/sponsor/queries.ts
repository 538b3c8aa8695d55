import type { SponsorMode } from '../../accounts/merchants/sponsor-fees.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';
import { type Sponsored, sponsoredTransactions, type Via } from './sponsor.ts';

export const findSponsoredByMessage = (db: Queryable, messageHash: Buffer): Promise<Sponsored | undefined> =>
  sponsoredTransactions.find(db, { messageHash });

export const findSponsored = (db: Queryable, signature: string): Promise<Sponsored | undefined> =>
  sponsoredTransactions.find(db, { signature });

/** True while a sponsored transaction of the payment may still land. */
export async function hasSponsoredUnderWay(db: Queryable, { merchantId, id }: Ref): Promise<boolean> {
  const rows = await db.query(
    `select from sponsored_transactions
      where merchant_id = $1 and intent_id = $2 and state in ('prepared', 'sent')`,
    [merchantId, id],
  );
  return rows.length > 0;
}

export interface WalletRecord {
  underWayCents: bigint;
  /** Number of these payments. */
  underWay: number;
  failures: number;
}

/**
 * Sums a wallet's payments under way that nobody has seen on chain, and counts its failures since then. The lock
 * keeps others from adding to them meanwhile.
 */
export async function readWalletRecord(tx: Queryable, payer: string, since: Date): Promise<WalletRecord> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('sponsored ' || $1, 0))`, [payer]);
  const [row] = await tx.query<WalletRecord>(
    `select u.cents as under_way_cents, u.count as under_way,
            (select count(*)::int from sponsored_transactions
              where payer = $1 and has_failed and created_at > $2) as failures
       from (select coalesce(sum(i.expected_amount_cents), 0) as cents, count(*)::int as count
               from sponsored_transactions t
               join payment_intents i on i.merchant_id = t.merchant_id and i.id = t.intent_id
              where t.payer = $1 and t.state in ('prepared', 'sent') and t.confirmed_at is null
                and i.status not in ('processing', 'succeeded')) u`,
    [payer, since],
  );
  return row!;
}

export interface SponsoredIntent {
  signature: string;
  merchantId: string;
  intentId: string;
  /** Null for what was signed where the merchant has moved from. */
  via: Via | null;
}

/**
 * Lists the payments that these transactions make to these destinations, each to the one in its place, if they were signed here, or
 * where the merchant has moved from: what that installation says of a transaction counts for the merchant's own address alone.
 */
export async function listSponsoredAmong(
  db: Queryable,
  transfers: readonly { signature: string; destination: string }[],
): Promise<SponsoredIntent[]> {
  return db.query<SponsoredIntent>(
    `select signature, merchant_id, intent_id, via
       from sponsored_transactions where signature = any($1)
      union all
     select s.signature, s.merchant_id, s.intent_id, null
       from unnest($1::text[], $2::text[]) as asked(signature, destination)
       join submitted_signatures s on s.signature = asked.signature and s.message_hash is not null
       join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.intent_id
                             and i.destination_address = asked.destination
      where not exists (select from sponsored_transactions t where t.signature = s.signature)`,
    [transfers.map(({ signature }) => signature), transfers.map(({ destination }) => destination)],
  );
}

export const insertSponsored = (tx: Queryable, sponsored: Sponsored) =>
  sponsoredTransactions.insert(tx, { ...sponsored, nextCheckAt: sponsored.createdAt });

export const SPONSORED_TO_END = 'end sponsored payments';

/** Claims those whose end is not known yet; they come again at `nextCheckAt`. */
export async function claimUnderWay(
  db: Queryable,
  now: Date,
  nextCheckAt: Date,
  limit: number,
): Promise<Sponsored[]> {
  return db.query<Sponsored>(
    `update sponsored_transactions set next_check_at = $2 where signature in (
       select signature from sponsored_transactions where state in ('prepared', 'sent') and next_check_at <= $1
          and ${notSetAside(SPONSORED_TO_END, '$1', { merchantId: 'sponsored_transactions.merchant_id', id: 'intent_id' })}
        order by next_check_at limit $3 for update skip locked)
     returning ${sponsoredTransactions.columns()}`,
    [now, nextCheckAt, limit],
  );
}

export async function updateSent(db: Queryable, signatures: readonly string[]): Promise<void> {
  await db.query(
    `update sponsored_transactions set state = 'sent' where signature = any($1) and state = 'prepared'`,
    [signatures],
  );
}

export async function updateLapseHeights(
  db: Queryable,
  signatures: readonly string[],
  lapsesAtHeight: bigint,
): Promise<void> {
  await db.query(
    'update sponsored_transactions set lapses_at_height = $2 where signature = any($1) and lapses_at_height is null',
    [signatures, lapsesAtHeight],
  );
}

export async function updateLanded(
  db: Queryable,
  signatures: readonly string[],
  { hasFailed }: { hasFailed: boolean },
): Promise<void> {
  await db.query(
    `update sponsored_transactions set state = 'landed', has_failed = $2
      where signature = any($1) and state <> 'landed'`,
    [signatures, hasFailed],
  );
}

/** The network has confirmed them, so they can no longer fail; they count as landed once they are final. */
export async function updateConfirmed(
  db: Queryable,
  signatures: readonly string[],
  now: Date,
): Promise<void> {
  await db.query(
    `update sponsored_transactions set confirmed_at = $2 where signature = any($1) and confirmed_at is null`,
    [signatures, now],
  );
}

/** True for the first who asks, and for the same request again. */
export async function updateAnswered(
  db: Queryable,
  signature: string,
  { key, now }: { key: string | null; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    `update sponsored_transactions set answered_at = coalesce(answered_at, $2), answered_key = $3
      where signature = $1 and (answered_at is null or answered_key = $3) returning signature`,
    [signature, now, key],
  );
  return rows.length > 0;
}

/** It can no longer land, so its day gets back what was set aside for its fee. */
export async function updateDropped(tx: Queryable, signature: string): Promise<void> {
  await tx.query(
    `with dropped as (
       update sponsored_transactions set state = 'dropped'
        where signature = $1 and state in ('prepared', 'sent') returning created_at, fee_lamports)
     update sponsor_days d set spent_lamports = d.spent_lamports - dropped.fee_lamports, transactions = d.transactions - 1
       from dropped where d.day = (dropped.created_at at time zone 'UTC')::date`,
    [signature],
  );
}

/** Sets aside a fee; false where the day's limit does not allow it. */
export async function reserveFee(
  tx: Queryable,
  day: string,
  lamports: bigint,
  limit: bigint,
): Promise<boolean> {
  if (lamports > limit) return false;
  const rows = await tx.query(
    `insert into sponsor_days as d (day, spent_lamports, transactions) values ($1, $2, 1)
     on conflict (day) do update
       set spent_lamports = d.spent_lamports + excluded.spent_lamports, transactions = d.transactions + 1
     where d.spent_lamports + excluded.spent_lamports <= $3
     returning day`,
    [day, lamports, limit],
  );
  return rows.length > 0;
}

export async function sumSpent(db: Queryable, day: string): Promise<bigint> {
  const [row] = await db.query<{ spent: bigint }>(
    'select spent_lamports as spent from sponsor_days where day = $1',
    [day],
  );
  return row?.spent ?? 0n;
}

/** Sums the fees that a merchant's payments since then have cost or may still cost. */
export async function sumSpentFor(db: Queryable, merchantId: string, since: Date): Promise<bigint> {
  const [row] = await db.query<{ spent: bigint }>(
    `select coalesce(sum(fee_lamports), 0) as spent from sponsored_transactions
      where merchant_id = $1 and created_at >= $2 and state <> 'dropped'`,
    [merchantId, since],
  );
  return row!.spent;
}

/** True if the merchant shares the fee payer with others. */
export async function hasOtherMerchants(db: Queryable, merchantId: string): Promise<boolean> {
  const [row] = await db.query<{ hasOthers: boolean }>(
    'select exists (select from merchants where id <> $1 and closed_at is null) as has_others',
    [merchantId],
  );
  return row!.hasOthers;
}

/** True if the merchant is or was paid at this wallet. */
export async function isOwnWallet(db: Queryable, merchantId: string, wallet: string): Promise<boolean> {
  const rows = await db.query('select from payout_addresses where merchant_id = $1 and address = $2', [
    merchantId,
    wallet,
  ]);
  return rows.length > 0;
}

/** Counts a merchant's payments signed since then, without those that lapsed. */
export async function countSponsored(db: Queryable, merchantId: string, since: Date): Promise<bigint> {
  const [row] = await db.query<{ count: bigint }>(
    `select count(*) as count from sponsored_transactions
      where merchant_id = $1 and created_at >= $2 and state <> 'dropped'`,
    [merchantId, since],
  );
  return row!.count;
}

/** Lists what a merchant's lapsed or failed transactions were signed for. */
export async function listPaidInVain(tx: Queryable, merchantId: string): Promise<Ref[]> {
  return tx.query(
    `select distinct t.merchant_id, t.intent_id as id from sponsored_transactions t
       join payment_intents i on i.merchant_id = t.merchant_id and i.id = t.intent_id and i.status = 'pending'
      where t.merchant_id = $1 and (t.state = 'dropped' or t.has_failed)`,
    [merchantId],
  );
}

/** Returns the mode that the payment's project has chosen, or else its merchant; null if neither has. */
export async function findSponsorMode(db: Queryable, { merchantId, id }: Ref): Promise<SponsorMode | null> {
  const [row] = await db.query<{ mode: SponsorMode | null }>(
    `select coalesce(p.settings ->> 'sponsorFees', m.sponsor_fees) as mode
       from merchants m
       left join checkout_sessions s on s.merchant_id = m.id and s.payment_intent_id = $2
       left join projects p on p.merchant_id = s.merchant_id and p.id = s.project_id
      where m.id = $1`,
    [merchantId, id],
  );
  return row?.mode ?? null;
}

/** False where that is known already. */
export async function insertLow(tx: Queryable, address: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    'insert into sponsor_low (address, since) values ($1, $2) on conflict do nothing returning address',
    [address, now],
  );
  return rows.length > 0;
}

export async function deleteLow(db: Queryable, address: string): Promise<void> {
  await db.query('delete from sponsor_low where address = $1', [address]);
}

/** Lists merchants who have fees paid for some of their payers. */
export async function listSponsoringMerchants(
  tx: Queryable,
  defaultMode: SponsorMode,
): Promise<{ id: string }[]> {
  return tx.query<{ id: string }>(
    `select m.id from merchants m
      where coalesce(m.sponsor_fees, $1) <> 'never'
         or exists (select from projects p where p.merchant_id = m.id and p.archived_at is null
                       and p.settings ->> 'sponsorFees' in ('when_needed', 'always'))
      order by m.id`,
    [defaultMode],
  );
}
