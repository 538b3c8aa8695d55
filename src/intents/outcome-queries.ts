import type { Queryable } from '../platform/db/database.ts';

export interface Outcome {
  intentId: string;
  succeededAt: Date | null;
  refundedCents: bigint;
}

/** When these succeeded, and what was sent back of them. */
export async function listOutcomes(
  db: Queryable,
  merchantId: string,
  intentIds: readonly string[],
): Promise<Outcome[]> {
  return db.query<Outcome>(
    `select i.id as intent_id, i.succeeded_at,
            least(coalesce(sum(r.amount_cents), 0), 9223372036854775807)::bigint as refunded_cents
       from payment_intents i
       left join refunds r on r.merchant_id = i.merchant_id and r.payment_intent_id = i.id and r.status = 'succeeded'
      where i.merchant_id = $1 and i.id = any($2::uuid[])
      group by i.merchant_id, i.id`,
    [merchantId, intentIds],
  );
}
