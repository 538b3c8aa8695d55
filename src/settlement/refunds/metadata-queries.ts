import type { Queryable } from '../../platform/db/database.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { RefundRef } from './queries.ts';

export async function updateMetadata(
  tx: Queryable,
  { merchantId, id }: RefundRef,
  metadata: Metadata,
): Promise<void> {
  await tx.query('update refunds set metadata = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    metadata,
  ]);
}
