import type { Queryable } from '../../platform/db/database.ts';

/**
 * Fees since $1 that may still be lost, because nobody has seen the transaction on chain yet, or that failures have
 * lost.
 */
const AT_RISK = `
  select t.merchant_id, t.fee_lamports
    from sponsored_transactions t
    join payment_intents i on i.merchant_id = t.merchant_id and i.id = t.intent_id
   where t.created_at >= $1
     and (t.has_failed or (t.state in ('prepared', 'sent') and t.confirmed_at is null and i.status not in ('processing', 'succeeded')))`;

/** Sums the fees at risk of one merchant, and of all together. */
export async function sumAtRisk(
  db: Queryable,
  merchantId: string,
  since: Date,
): Promise<{ ofMerchant: bigint; ofAll: bigint }> {
  const [row] = await db.query<{ ofMerchant: bigint; ofAll: bigint }>(
    `select coalesce(sum(fee_lamports) filter (where merchant_id = $2), 0) as of_merchant,
            coalesce(sum(fee_lamports), 0) as of_all
       from (${AT_RISK}) r`,
    [since, merchantId],
  );
  return row!;
}

/** True if more of a wallet's payments to this merchant have arrived than have failed, at any time. */
export async function isProvenWallet(db: Queryable, merchantId: string, payer: string): Promise<boolean> {
  const [row] = await db.query<{ isProven: boolean | null }>(
    `select count(*) filter (where not has_failed) > count(*) filter (where has_failed) as is_proven
       from sponsored_transactions where merchant_id = $1 and payer = $2 and state = 'landed'`,
    [merchantId, payer],
  );
  return row!.isProven ?? false;
}
