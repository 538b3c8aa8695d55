import type { Intent } from '../../intents/intent.ts';
import type { Queryable } from '../../platform/db/database.ts';

/** Anybody with a link to the payment page can make a claim, so an intent keeps no more than this many. */
const MAX_CLAIMS = 5;

/** A payer says that a transaction to the merchant, which names no intent, was for this one. */
export async function insertClaim(
  db: Queryable,
  { merchantId, id }: Intent,
  signature: string,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into payment_claims (merchant_id, signature, intent_id, claimed_at)
     select $1, $2, $3, $4
      where (select count(*) from payment_claims where merchant_id = $1 and intent_id = $3) < ${MAX_CLAIMS}
     on conflict do nothing`,
    [merchantId, signature, id, now],
  );
}
