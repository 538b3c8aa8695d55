import type { Queryable } from '../../platform/db/database.ts';
import type { IntentRef } from './queries.ts';

export async function updateRefunding(
  tx: Queryable,
  { merchantId, id }: IntentRef,
  isRefunding: boolean,
): Promise<void> {
  await tx.query('update payment_intents set is_refunding = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    isRefunding,
  ]);
}

export async function updateWithdrawn(tx: Queryable, { merchantId, id }: IntentRef): Promise<void> {
  await tx.query('update payment_intents set is_withdrawn = true where merchant_id = $1 and id = $2', [
    merchantId,
    id,
  ]);
}
