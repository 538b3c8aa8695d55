import type { Queryable } from '../../platform/db/database.ts';

/** True for the first to deal with what is left of a session. */
export async function updateUnapplied(
  tx: Queryable,
  merchantId: string,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update checkout_sessions set unapplied_at = $3
      where merchant_id = $1 and id = $2 and status in ('expired', 'canceled') and unapplied_at is null returning id`,
    [merchantId, sessionId, now],
  );
  return rows.length > 0;
}

/** More has come: it is to be dealt with too. */
export async function updateNotUnapplied(
  tx: Queryable,
  merchantId: string,
  sessionId: string,
): Promise<void> {
  await tx.query('update checkout_sessions set unapplied_at = null where merchant_id = $1 and id = $2', [
    merchantId,
    sessionId,
  ]);
}
