import { requireNotErased } from '../../accounts/customers/require-not-erased.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { type Invoice, invoices } from './invoice.ts';
import { lockInvoice } from './queries.ts';

/** Changes what the merchant notes on an invoice. What the customer owes, and has been told, stays. */
export async function patchInvoice(
  tx: Tx,
  ref: Ref,
  change: { metadata?: MetadataChange },
): Promise<Invoice> {
  const before = await lockInvoice(tx, ref);
  if (!before) throw new AppError('NOT_FOUND');
  await requireNotErased(tx, ref.merchantId, before.customerId);
  const metadata = mergeMetadata(before.metadata, change.metadata);
  await invoices.update(tx, ref, { metadata });
  return { ...before, metadata };
}
