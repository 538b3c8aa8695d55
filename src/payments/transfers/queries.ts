import { as, boolean, numeric, text, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';

export interface IncomingTransfer {
  signature: string;
  destination: string;
  slot: number;
  blockTime: Date;
  receivedBaseUnits: BaseUnits;
  /** Balance of the account before and after; null if the transaction did not touch it. */
  balanceBefore: BaseUnits | null;
  balanceAfter: BaseUnits | null;
  hasFailed: boolean;
  isFinal: boolean;
}

/**
 * Returns the balance after the newest final transaction we know up to a slot; several if transactions share the
 * slot.
 */
export async function listNewestBalances(
  db: Queryable,
  destination: string,
  throughSlot: number,
): Promise<BaseUnits[]> {
  const rows = await db.query<{ balance: bigint }>(
    `select balance_after as balance from incoming_transfers
      where destination = $1 and is_final and balance_after is not null and slot = (
        select max(slot) from incoming_transfers
         where destination = $1 and slot <= $2 and is_final and balance_after is not null)`,
    [destination, throughSlot],
  );
  return rows.map((row) => row.balance);
}

export interface KnownBalances {
  destination: string;
  /** Slot of the newest transaction that moved something. */
  slot: bigint;
  /** Possible balances after it: several if transactions share the slot. */
  balances: BaseUnits[];
}

/**
 * Lists the balances after the newest known transactions up to a slot, final or not; accounts without a known
 * transaction are left out.
 */
export async function listKnownBalances(
  db: Queryable,
  destinations: readonly string[],
  throughSlot: number,
): Promise<KnownBalances[]> {
  const rows = await db.query<Omit<KnownBalances, 'balances'> & { balances: string[] }>(
    `select d.destination, newest.slot,
            array(select t.balance_after::text from incoming_transfers t
                   where t.destination = d.destination and t.slot = newest.slot and t.balance_after is not null) as balances
       from unnest($1::text[]) as d(destination)
      cross join lateral (select slot from incoming_transfers t
                           where t.destination = d.destination and slot <= $2 and balance_after is not null
                           order by slot desc limit 1) newest`,
    [destinations, throughSlot],
  );
  return rows.map((row) => ({ ...row, balances: row.balances.map(BigInt) }));
}

export interface Movement {
  /** All that came less all that went. */
  change: bigint;
  /** Possible balances before: several if the oldest transactions share a slot. */
  before: BaseUnits[];
}

/** Sums the known movements on an account in these slots; undefined if some of them cannot be measured. */
export async function sumMovements(
  db: Queryable,
  destination: string,
  afterSlot: bigint,
  throughSlot: number,
): Promise<Movement | undefined> {
  const [row] = await db.query<{ change: bigint; isTold: boolean; before: string[] | null }>(
    `with known as (
       select slot, balance_before, balance_after from incoming_transfers
        where destination = $1 and slot > $2 and slot <= $3 and is_final and balance_after is not null
     )
     select coalesce(sum(balance_after - balance_before), 0) as change,
            count(*) = count(balance_before) as is_told,
            array_agg(balance_before::text) filter (where slot = (select min(slot) from known)) as before
       from known`,
    [destination, afterSlot, throughSlot],
  );
  const { change, isTold, before } = row!;
  return isTold ? { change, before: (before ?? []).map(BigInt) } : undefined;
}

/** Locks a transfer that is not final yet. */
export async function lockTransfer(tx: Queryable, signature: string, destination: string): Promise<boolean> {
  const rows = await tx.query(
    'select from incoming_transfers where signature = $1 and destination = $2 and not is_final for update',
    [signature, destination],
  );
  return rows.length > 0;
}

export async function deleteTransfer(tx: Queryable, signature: string, destination: string): Promise<void> {
  await tx.query(
    'delete from incoming_transfers where signature = $1 and destination = $2 and not is_final',
    [signature, destination],
  );
}

export async function listKnownSignatures(
  db: Queryable,
  destination: string,
  signatures: readonly string[],
): Promise<{ signature: string; isFinal: boolean }[]> {
  return db.query(
    `select signature, is_final from incoming_transfers where destination = $1 and signature = any($2)`,
    [destination, signatures],
  );
}

/** The newest final transfer before a slot: reading back to it is reading back far enough. */
export async function findFinalBefore(
  db: Queryable,
  destination: string,
  slot: bigint,
): Promise<{ signature: string; slot: bigint } | undefined> {
  const [row] = await db.query<{ signature: string; slot: bigint }>(
    `select signature, slot from incoming_transfers where destination = $1 and slot < $2 and is_final order by slot desc limit 1`,
    [destination, slot],
  );
  return row;
}

/** The same before a time. */
export async function findFinalBeforeTime(
  db: Queryable,
  destination: string,
  time: Date,
): Promise<{ signature: string; slot: bigint } | undefined> {
  const [row] = await db.query<{ signature: string; slot: bigint }>(
    `select signature, slot from incoming_transfers where destination = $1 and block_time < $2 and is_final
      order by slot desc limit 1`,
    [destination, time],
  );
  return row;
}

/** The time of a transaction's block; undefined if the books do not have it. */
export async function findTransferTime(
  db: Queryable,
  destination: string,
  signature: string,
): Promise<Date | undefined> {
  const [row] = await db.query<{ blockTime: Date }>(
    'select block_time from incoming_transfers where destination = $1 and signature = $2',
    [destination, signature],
  );
  return row?.blockTime;
}

/**
 * Confirmed but not final, merchant by merchant in turns; of each the oldest of every destination, then the second oldest,
 * and so on: a flood at one destination, or at many of one merchant, keeps none of the others waiting. Only those seen by
 * `seenBy`, if given, and without those of `except`.
 */
export async function listPendingTransfers(
  db: Queryable,
  limit: number,
  {
    seenBy,
    except,
  }: { seenBy: Date | undefined; except: { destinations: readonly string[]; signatures: readonly string[] } },
): Promise<{ signature: string; destination: string; slot: bigint; seenAt: Date }[]> {
  return db.query(
    `select signature, destination, slot, seen_at from (
       select signature, destination, slot, seen_at,
              row_number() over (partition by merchant_id order by place, seen_at) as turn
         from (
           select t.signature, t.destination, t.slot, t.seen_at, w.merchant_id,
                  row_number() over (partition by t.destination order by t.seen_at) as place
             from incoming_transfers t join watched_accounts w on w.destination = t.destination
            where not t.is_final and ($4::timestamptz is null or t.seen_at <= $4) and t.destination <> all($2) and t.signature <> all($3)
              and ${isOpenMerchant('w.merchant_id')}) as of_address
       ) as of_merchant
      order by turn, seen_at limit $1`,
    [limit, except.destinations, except.signatures, seenBy ?? null],
  );
}

/**
 * Deletes final transactions of before `before` that moved nothing; none at or above the slot from which the account
 * is read again, two minutes before its cursor, so that a list still reaches back to one we know.
 */
export async function deleteMentions(
  db: Queryable,
  destination: string,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `delete from incoming_transfers where (signature, destination) in (
       select a.signature, a.destination from incoming_transfers a
        where a.destination = $1 and a.is_final and a.received_base_units = 0 and a.block_time < $2
          and a.balance_before is not distinct from a.balance_after
          and a.slot < (select max(f.slot) from incoming_transfers f
                         where f.destination = $1 and f.is_final
                           and f.block_time < (select c.block_time - interval '2 minutes'
                                                 from watched_accounts w join incoming_transfers c
                                                   on c.destination = w.destination and c.signature = w.cursor_signature
                                                where w.destination = $1))
          and not exists (select from payment_allocations c where c.signature = a.signature and c.destination = a.destination)
          and not exists (select from payment_exceptions e
                           where e.signature = a.signature and e.destination = a.destination)
        limit $3)
     returning 1`,
    [destination, before, limit],
  );
  return rows.length;
}

/** Counts transfers seen before a moment that are still not final. */
export async function countLongPending(db: Queryable, before: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::integer as count from incoming_transfers where not is_final and seen_at < $1',
    [before],
  );
  return row!.count;
}

export async function findFinalSlot(
  db: Queryable,
  destination: string,
  signature: string,
): Promise<bigint | undefined> {
  const [row] = await db.query<{ slot: bigint }>(
    'select slot from incoming_transfers where destination = $1 and signature = $2 and is_final',
    [destination, signature],
  );
  return row?.slot;
}

/** Parts of transfers, each for one intent. */
export const paymentAllocations = table(
  'payment_allocations',
  {
    merchantId: uuid,
    intentId: uuid,
    signature: text,
    destination: text,
    baseUnits: as<BaseUnits>(numeric),
    isFinal: boolean,
    createdAt: timestamp,
  },
  ['merchantId', 'intentId', 'signature'],
);
export type Credit = Omit<RowOf<typeof paymentAllocations>, 'createdAt'>;

export const listAllocationsOf = (tx: Queryable, signature: string, destination: string): Promise<Credit[]> =>
  paymentAllocations.list(tx, { signature, destination });

export async function deletePendingAllocations(
  tx: Queryable,
  signature: string,
  destination: string,
): Promise<void> {
  await tx.query(
    'delete from payment_allocations where signature = $1 and destination = $2 and not is_final',
    [signature, destination],
  );
}

/** Sums what an intent has finally received, and what is only confirmed so far. */
export async function sumAllocations(
  tx: Queryable,
  merchantId: string,
  intentId: string,
): Promise<{ received: BaseUnits; seen: BaseUnits }> {
  const [row] = await tx.query<{ received: bigint; seen: bigint }>(
    `select coalesce(sum(base_units) filter (where is_final), 0) as received,
            coalesce(sum(base_units) filter (where not is_final), 0) as seen
       from payment_allocations where merchant_id = $1 and intent_id = $2`,
    [merchantId, intentId],
  );
  return row!;
}
