import type { Intent } from '../../money/intents/intent.ts';
import type { Queryable } from '../../platform/db/database.ts';

/** Money of a transaction that nobody has been given yet. */
export async function findUnmatched(
  db: Queryable,
  merchantId: string,
  signature: string,
): Promise<{ id: string } | undefined> {
  const [row] = await db.query<{ id: string }>(
    `select id from payment_exceptions
      where merchant_id = $1 and signature = $2 and kind = 'unmatched' and status = 'open' and refund_id is null`,
    [merchantId, signature],
  );
  return row;
}

/** The transaction that brings an intent its money. */
export async function findPayingSignature(
  db: Queryable,
  { merchantId, id }: Intent,
): Promise<string | undefined> {
  const [row] = await db.query<{ signature: string }>(
    `select signature from payment_allocations where merchant_id = $1 and intent_id = $2
      order by base_units desc limit 1`,
    [merchantId, id],
  );
  return row?.signature;
}
