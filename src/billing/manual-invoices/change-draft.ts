import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { DraftTerms, Invoice } from '../invoices/invoice.ts';
import { patchInvoice } from '../invoices/patch-invoice.ts';
import { lockInvoice } from '../invoices/queries.ts';
import { deleteDraft, storeDraft } from '../invoices/store-draft.ts';
import { type DraftBody, discountOf, dueOf, memoOf, requireCustomer, toDraftItem } from './draft.ts';
import { priceDraft } from './price-draft.ts';
import { requireSendable } from './send-invoice.ts';

export type ChangeBody = DraftBody & { metadata?: MetadataChange };

/** Changes an invoice: of one that is open nothing but the metadata, of a draft everything that is in it. */
export async function changeDraft(tx: Tx, ref: Ref, body: ChangeBody, now: Date): Promise<Invoice> {
  const { metadata, ...change } = body;
  if (Object.keys(change).length === 0) return patchInvoice(tx, ref, { metadata: metadata ?? {} });
  const before = await lockInvoice(tx, ref);
  if (!before) throw new AppError('NOT_FOUND');
  if (!before.draft) {
    throw new AppError('INVALID_STATE', {
      message: 'Only a draft can be changed. Of an open invoice, only the metadata can.',
    });
  }
  const { merchantId, projectId } = before;
  const due = dueOf(change, { dueAt: before.dueAt, netDays: before.draft.netDays }, now);
  const terms: DraftTerms = {
    lineItems: change.lineItems?.map(toDraftItem) ?? before.draft.lineItems,
    netDays: due.netDays,
    ...discountOf(change, before.draft),
    send: change.send ?? before.draft.send,
  };
  const project = await requireActiveProject(tx, { merchantId, id: projectId });
  const customer = await requireCustomer(
    tx,
    { merchantId, projectId },
    change.customerId ?? before.customerId!,
  );
  requireSendable(tx, terms.send, customer);
  const { lines, discount, tax } = await priceDraft(tx, { project, customer }, terms, now);
  return storeDraft(tx, {
    ...before,
    lines,
    discount,
    tax,
    dueAt: due.dueAt,
    customerId: customer.id,
    externalCustomerId: customer.externalCustomerId,
    memo: memoOf(change, before.memo),
    merchantReference:
      change.merchantReference === undefined ? before.merchantReference : change.merchantReference,
    metadata: mergeMetadata(before.metadata, metadata),
    draft: terms,
  });
}

/** Removes a draft without a trace. What is open can only be voided. */
export async function removeDraft(tx: Tx, ref: Ref): Promise<void> {
  const invoice = await lockInvoice(tx, ref);
  if (!invoice) throw new AppError('NOT_FOUND');
  if (invoice.status !== 'draft') {
    throw new AppError('INVALID_STATE', {
      message: 'Only a draft can be deleted. Void an open invoice instead.',
    });
  }
  await deleteDraft(tx, ref);
}
