import { requireNotErased } from '../../accounts/customers/require-not-erased.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { lockRefund } from './queries.ts';
import { type Refund, refunds } from './refund.ts';

/** Changes what the merchant notes on a refund. What is sent, and where, stays. */
export async function patchRefund(tx: Tx, ref: Ref, change: { metadata?: MetadataChange }): Promise<Refund> {
  const before = await lockRefund(tx, ref);
  if (!before) throw new AppError('NOT_FOUND');
  await requireNotErased(tx, ref.merchantId, before.customerId);
  const metadata = mergeMetadata(before.metadata, change.metadata);
  await refunds.update(tx, ref, { metadata });
  return { ...before, metadata };
}
