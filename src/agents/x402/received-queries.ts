import type { Queryable } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';

/**
 * Sums what a transaction has brought a merchant by our own books, at any address and whatever became of it: in USDC,
 * so zero for another token. Undefined if the books do not list it.
 */
export async function findReceived(
  db: Queryable,
  { merchantId, signature }: { merchantId: string; signature: string },
): Promise<BaseUnits | undefined> {
  const [row] = await db.query<{ baseUnits: string | null }>(
    `select sum(base_units)::text as base_units
       from (select t.received_base_units as base_units from incoming_transfers t
              where t.signature = $2 and t.received_base_units > 0
                and (exists (select from watched_accounts w
                              where w.merchant_id = $1 and w.destination = t.destination)
                  or exists (select from payout_addresses p
                              where p.merchant_id = $1 and p.address = t.destination)
                  or exists (select from payment_allocations a
                              where a.merchant_id = $1 and a.signature = $2 and a.destination = t.destination))
             union all
             select 0 from payment_exceptions e
              where e.merchant_id = $1 and e.signature = $2 and e.kind <> 'over_refunded') received`,
    [merchantId, signature],
  );
  return row!.baseUnits === null ? undefined : BigInt(row!.baseUnits);
}
