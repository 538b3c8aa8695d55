import type { Queryable } from '../../platform/db/database.ts';

/** True if this transaction was sent for an order of the merchant and may still land, or has and is not final. */
export async function isAwaited(
  db: Queryable,
  merchantId: string,
  { hash, signature }: { hash: Buffer; signature: string },
): Promise<boolean> {
  const rows = await db.query(
    `select from submitted_signatures s
      where s.merchant_id = $1 and s.sends > 0 and (s.message_hash = $2 or s.signature = $3)
        and not exists (select from payment_allocations a
                         where a.merchant_id = s.merchant_id and a.intent_id = s.intent_id and a.signature = s.signature
                           and (a.is_final or s.message_hash is null))
      limit 1`,
    [merchantId, hash, signature],
  );
  return rows.length > 0;
}

/** The paid orders of a merchant that have one of these references. */
export async function listPaidOrdersNamed(
  db: Queryable,
  merchantId: string,
  references: readonly string[],
): Promise<{ payerAddress: string | null }[]> {
  if (references.length === 0) return [];
  return db.query(
    `select payer_address from payment_intents
      where merchant_id = $1 and reference_address = any($2) and received_base_units > 0`,
    [merchantId, references],
  );
}
