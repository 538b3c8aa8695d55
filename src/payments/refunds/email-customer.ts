import { findCustomer } from '../../accounts/customers/queries.ts';
import type { RefundEmailKind } from '../../email/email.ts';
import { queueRefundEmail } from '../../email/queue-email.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { mintClaimUrl } from './claim.ts';
import { creditNoteNumber } from './credit-note.ts';
import { type Refund, refundNumber } from './refund.ts';

/**
 * Asks the customer where a new refund should go. The link is made here, sealed, and readable nowhere but in the e-mail.
 * Answers whether there was somebody to ask.
 */
export async function emailClaimLink(
  tx: Tx,
  refund: Refund,
  { publicUrl, secrets }: { publicUrl: string; secrets: SecretBox },
): Promise<boolean> {
  if (!tx.queuesEmails || !refund.notifyCustomer || refund.address !== null) return false;
  const { merchantId, customerId } = refund;
  const customer = customerId === null ? undefined : await findCustomer(tx, { merchantId, id: customerId });
  if (!customer?.email) return false;
  return queue(tx, refund, 'refund_claim', secrets.seal(await mintClaimUrl(tx, refund, publicUrl)));
}

/** Tells the customer that the money has arrived. */
export async function emailRefundSent(tx: Tx, refund: Refund): Promise<void> {
  if (refund.notifyCustomer) await queue(tx, refund, 'refund_sent', null);
}

async function queue(
  tx: Tx,
  refund: Refund,
  kind: RefundEmailKind,
  sealedLink: Buffer | null,
): Promise<boolean> {
  const { merchantId, projectId, customerId } = refund;
  if (projectId === null || customerId === null) return false;
  return queueRefundEmail(tx, {
    ...{ merchantId, projectId, customerId, kind, sealedLink },
    refundId: refund.id,
    facts: {
      number: refundNumber(refund.number),
      amountCents: refund.amountCents,
      expiresAt: refund.expiresAt,
      address: refund.address,
      sentAt: refund.succeededAt,
      creditNoteNumber: refund.creditNoteNumber === null ? null : creditNoteNumber(refund.creditNoteNumber),
      txSignature: refund.txSignature,
    },
  });
}
