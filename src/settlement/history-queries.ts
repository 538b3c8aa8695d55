import type { Queryable } from '../db/database.ts';
import type { BaseUnits } from '../lib/money.ts';

export interface CreditedTransaction {
  signature: string;
  /** What it brought toward this intent; it may have paid others too. */
  baseUnits: BaseUnits;
  isFinal: boolean;
  blockTime: Date;
}

/** Transactions that paid toward an intent, oldest first. */
export async function listCreditedTransactions(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<CreditedTransaction[]> {
  return db.query<CreditedTransaction>(
    `select c.signature, c.base_units as "baseUnits", c.is_final as "isFinal", a.block_time as "blockTime"
       from credits c join arrivals a on a.signature = c.signature and a.destination = c.destination
      where c.merchant_id = $1 and c.intent_id = $2
      order by a.slot, c.created_at, c.signature`,
    [merchantId, intentId],
  );
}
