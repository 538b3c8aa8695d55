import { findCustomer } from '../../accounts/customers/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { RefundEmailKind } from '../../platform/email/email.ts';
import { queueRefundEmail } from '../../platform/email/queue-email.ts';
import { mintClaimUrl } from './claim.ts';
import { creditNoteNumber } from './credit-note.ts';
import { type Refund, refundNumber } from './refund.ts';

/** Asks the customer where a new refund should go. The link is made here and written nowhere but in this e-mail. */
export async function emailClaimLink(tx: Tx, refund: Refund, publicUrl: string): Promise<void> {
  if (!tx.queuesEmails || !refund.notifyCustomer || refund.address !== null) return;
  const { merchantId, customerId } = refund;
  const customer = customerId === null ? undefined : await findCustomer(tx, { merchantId, id: customerId });
  if (!customer?.email) return;
  await queue(tx, refund, 'refund_claim', await mintClaimUrl(tx, refund, publicUrl));
}

/** Tells the customer that the money has arrived. */
export async function emailRefundSent(tx: Tx, refund: Refund): Promise<void> {
  if (refund.notifyCustomer) await queue(tx, refund, 'refund_sent');
}

async function queue(tx: Tx, refund: Refund, kind: RefundEmailKind, claimUrl?: string): Promise<void> {
  const { merchantId, projectId, customerId } = refund;
  if (projectId === null || customerId === null) return;
  await queueRefundEmail(tx, {
    ...{ merchantId, projectId, customerId, kind },
    refundId: refund.id,
    facts: {
      number: refundNumber(refund.number),
      amountCents: refund.amountCents,
      expiresAt: refund.expiresAt,
      ...(claimUrl !== undefined && { claimUrl }),
      address: refund.address,
      sentAt: refund.succeededAt,
      creditNoteNumber: refund.creditNoteNumber === null ? null : creditNoteNumber(refund.creditNoteNumber),
      txSignature: refund.txSignature,
    },
  });
}
