import { requireNotErased } from '../accounts/customers/require-not-erased.ts';
import type { Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/lib/errors.ts';
import { type MetadataChange, mergeMetadata } from '../platform/lib/metadata.ts';
import type { Ref } from '../platform/lib/ref.ts';
import { findBuyer } from './buyer-queries.ts';
import { type Intent, paymentIntents } from './intent.ts';
import { lockIntent } from './queries.ts';

/** Changes what the merchant notes on an intent, whatever has become of it. */
export async function patchIntent(tx: Tx, ref: Ref, change: { metadata?: MetadataChange }): Promise<Intent> {
  const before = await lockIntent(tx, ref);
  if (!before) throw new AppError('NOT_FOUND');
  if (before.sessionOrderingKey !== null)
    await requireNotErased(tx, ref.merchantId, await findBuyer(tx, ref));
  const metadata = mergeMetadata(before.metadata, change.metadata);
  await paymentIntents.update(tx, ref, { metadata });
  return { ...before, metadata };
}
