import type { Queryable } from '../../platform/db/database.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { IntentRef } from './queries.ts';

export async function updateMetadata(
  tx: Queryable,
  { merchantId, id }: IntentRef,
  metadata: Metadata,
): Promise<void> {
  await tx.query('update payment_intents set metadata = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    metadata,
  ]);
}

/** The customer of an intent's checkout; null if there is none. */
export async function findBuyer(tx: Queryable, { merchantId, id }: IntentRef): Promise<string | null> {
  const [row] = await tx.query<{ customerId: string | null }>(
    'select customer_id from checkout_sessions where merchant_id = $1 and payment_intent_id = $2',
    [merchantId, id],
  );
  return row?.customerId ?? null;
}
