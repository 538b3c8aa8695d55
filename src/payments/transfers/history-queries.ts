import type { Queryable } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';

export interface AllocatedTransaction {
  signature: string;
  /** Base units that it brought toward this intent; it may have paid others too. */
  baseUnits: BaseUnits;
  isFinal: boolean;
  blockTime: Date;
}

/** Transactions that paid toward an intent, oldest first. */
export async function listAllocatedTransactions(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<AllocatedTransaction[]> {
  return db.query<AllocatedTransaction>(
    `select c.signature, c.base_units, c.is_final, a.block_time
       from payment_allocations c join incoming_transfers a on a.signature = c.signature and a.destination = c.destination
      where c.merchant_id = $1 and c.intent_id = $2
      order by a.slot, c.created_at, c.signature`,
    [merchantId, intentId],
  );
}

/** The transactions that finally paid toward an intent, oldest first. */
export async function listFinalSignatures(
  db: Queryable,
  merchantId: string,
  intentId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ signature: string }>(
    `select signature from payment_allocations where merchant_id = $1 and intent_id = $2 and is_final
      order by created_at limit $3`,
    [merchantId, intentId, limit],
  );
  return rows.map(({ signature }) => signature);
}

export interface Attempt {
  signature: string;
  hasFailed: boolean;
  /** It brought a token that we do not count. */
  isOtherToken: boolean;
}

/** Lists transactions that brought nothing to an address, with the reason on chain. */
export async function listAttempts(
  db: Queryable,
  merchantId: string,
  destination: string,
  signatures: readonly string[],
): Promise<Attempt[]> {
  return db.query<Attempt>(
    `select t.signature, t.has_failed,
            exists (select from payment_exceptions e
                     where e.merchant_id = $1 and e.signature = t.signature and e.kind = 'wrong_mint') as is_other_token
       from incoming_transfers t where t.destination = $2 and t.signature = any($3)`,
    [merchantId, destination, signatures],
  );
}
