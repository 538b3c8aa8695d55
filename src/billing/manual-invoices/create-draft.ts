import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import { type Metadata, newMetadata } from '../../platform/lib/metadata.ts';
import type { LineItem } from '../checkout-sessions/line-items.ts';
import { type DraftTerms, type Invoice, NOT_BY_HAND } from '../invoices/invoice.ts';
import { insertDraft } from '../invoices/store-draft.ts';
import {
  DEFAULT_NET_DAYS,
  type DraftBody,
  discountOf,
  dueOf,
  memoOf,
  requireCustomer,
  toDraftItem,
} from './draft.ts';
import { priceDraft } from './price-draft.ts';
import { requireSendable } from './send-invoice.ts';

export interface CreateDraft {
  merchantId: string;
  body: DraftBody & { projectId: string; customerId: string; lineItems: LineItem[]; metadata?: Metadata };
  now: Date;
}

/** A new draft. It has no number and no event, and nobody owes anything: only its merchant can see it. */
export async function createDraft(tx: Tx, { merchantId, body, now }: CreateDraft): Promise<Invoice> {
  const { dueAt, netDays } = dueOf(body, { dueAt: null, netDays: DEFAULT_NET_DAYS }, now);
  const terms: DraftTerms = {
    lineItems: body.lineItems.map(toDraftItem),
    netDays,
    ...discountOf(body, { discountId: null, promotionCode: null }),
    send: body.send ?? false,
  };
  const project = await requireActiveProject(tx, { merchantId, id: body.projectId.toLowerCase() });
  const customer = await requireCustomer(tx, { merchantId, projectId: project.id }, body.customerId);
  requireSendable(tx, terms.send, customer);
  const { lines, discount, tax } = await priceDraft(tx, { project, customer }, terms, now);
  return insertDraft(tx, {
    ...NOT_BY_HAND,
    id: newId(now),
    merchantId,
    projectId: project.id,
    number: null,
    customerId: customer.id,
    externalCustomerId: customer.externalCustomerId,
    checkoutSessionId: null,
    subscriptionId: null,
    status: 'draft',
    billingReason: 'manual',
    lines,
    subtotalCents: 0n,
    discount,
    discountCents: 0n,
    tax,
    taxCents: 0n,
    taxAddedCents: 0n,
    creditAppliedCents: 0n,
    totalCents: 0n,
    amountPaidCents: 0n,
    waivedCents: 0n,
    remindedAt: null,
    timesReminded: 0,
    refundedCents: 0n,
    dueAt,
    periodStart: null,
    periodEnd: null,
    merchantReference: body.merchantReference ?? null,
    clientReferenceId: null,
    metadata: newMetadata(body.metadata),
    txSignature: null,
    sequence: 0,
    createdAt: now,
    paidAt: null,
    memo: memoOf(body, null),
    draft: terms,
  });
}
