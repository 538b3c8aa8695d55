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

/** Whether a transaction pays this intent, by what was booked. */
export async function isAllocated(
  db: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
  signature: string,
): Promise<boolean> {
  const rows = await db.query(
    'select from payment_allocations where merchant_id = $1 and intent_id = $2 and signature = $3',
    [merchantId, id, signature],
  );
  return rows.length > 0;
}

/** Whether any of these accounts is how another intent is named. */
export async function namesAnotherIntent(
  db: Queryable,
  accounts: readonly string[],
  intentId: string,
): Promise<boolean> {
  const rows = await db.query(
    'select from payment_intents where reference_address = any($1) and id <> $2 limit 1',
    [accounts, intentId],
  );
  return rows.length > 0;
}
