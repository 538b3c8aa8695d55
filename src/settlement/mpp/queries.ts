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
