import type { Queryable } from '../../platform/db/database.ts';
import type { Credit, IncomingTransfer } from './queries.ts';

/** Transfers that were recorded now and are locked; one that was final already is not among them. */
export interface OpenTransfers {
  has(signature: string, destination: string): boolean;
}

/**
 * Records transfers, none of them twice, and locks them for the rest of the transaction, in a fixed order to avoid
 * deadlocks. Left out is what was final already, or is from before its account was watched: everything has been done then,
 * and nothing may be done again. The account is asked with a lock, because a sandbox may be reset just now, which moves
 * that moment.
 */
export async function upsertTransfers(
  tx: Queryable,
  transfers: readonly IncomingTransfer[],
  now: Date,
): Promise<OpenTransfers> {
  const rows = await tx.query<{ signature: string; destination: string }>(
    `insert into incoming_transfers as a (signature, destination, slot, block_time, received_base_units, has_failed, is_final, seen_at,
                                balance_after, balance_before)
     select signature, destination, slot, block_time, received, has_failed, is_final, $9, balance_after, balance_before
       from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::numeric[], $6::boolean[],
                   $7::boolean[], $8::numeric[], $10::numeric[])
            as g(signature, destination, slot, block_time, received, has_failed, is_final, balance_after, balance_before)
       join watched_accounts w using (destination)
      where w.watch_since <= g.block_time
      order by signature, destination
        for key share of w
     on conflict (signature, destination) do update
       set slot = excluded.slot, block_time = excluded.block_time, has_failed = excluded.has_failed,
           received_base_units = excluded.received_base_units, is_final = excluded.is_final,
           balance_after = excluded.balance_after, balance_before = excluded.balance_before
     where not a.is_final
     returning signature, destination`,
    [
      transfers.map((transfer) => transfer.signature),
      transfers.map((transfer) => transfer.destination),
      transfers.map((transfer) => transfer.slot),
      transfers.map((transfer) => transfer.blockTime),
      transfers.map((transfer) => transfer.receivedBaseUnits.toString()),
      transfers.map((transfer) => transfer.hasFailed),
      transfers.map((transfer) => transfer.isFinal),
      transfers.map((transfer) => transfer.balanceAfter?.toString() ?? null),
      now,
      transfers.map((transfer) => transfer.balanceBefore?.toString() ?? null),
    ],
  );
  const names = new Set(rows.map((row) => `${row.signature} ${row.destination}`));
  return { has: (signature, destination) => names.has(`${signature} ${destination}`) };
}

/** Lists the earlier allocations of these transactions. */
export async function listAllocationsAmong(
  tx: Queryable,
  signatures: readonly string[],
): Promise<Pick<Credit, 'signature' | 'destination' | 'intentId'>[]> {
  return tx.query(
    `select signature, destination, intent_id from payment_allocations where signature = any($1)`,
    [signatures],
  );
}

/** Inserts or updates allocations; one that is final stays as it is. */
export async function upsertAllocations(tx: Queryable, credits: readonly Credit[], now: Date): Promise<void> {
  await tx.query(
    `insert into payment_allocations (merchant_id, intent_id, signature, destination, base_units, is_final, created_at)
     select g.*, $7 from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::numeric[], $6::boolean[]) as g
     on conflict (merchant_id, intent_id, signature) do update
       set base_units = excluded.base_units, is_final = excluded.is_final
     where not payment_allocations.is_final`,
    [
      credits.map((credit) => credit.merchantId),
      credits.map((credit) => credit.intentId),
      credits.map((credit) => credit.signature),
      credits.map((credit) => credit.destination),
      credits.map((credit) => credit.baseUnits.toString()),
      credits.map((credit) => credit.isFinal),
      now,
    ],
  );
}
