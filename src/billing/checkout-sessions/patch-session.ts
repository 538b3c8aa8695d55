import { requireNotErased } from '../../accounts/customers/require-not-erased.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { lockSession } from './queries.ts';
import { checkoutSessions, type Session } from './session.ts';

/** Changes what the merchant notes on a session. Its intent and invoice keep what was copied to them. */
export async function patchSession(
  tx: Tx,
  ref: Ref,
  change: { metadata?: MetadataChange },
): Promise<Session> {
  const before = await lockSession(tx, ref);
  if (!before) throw new AppError('NOT_FOUND');
  await requireNotErased(tx, ref.merchantId, before.customerId);
  const metadata = mergeMetadata(before.metadata, change.metadata);
  await checkoutSessions.update(tx, ref, { metadata });
  return { ...before, metadata };
}
