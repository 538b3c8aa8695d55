import { createRefund } from '../../payments/refunds/create-refund.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { NO_METADATA } from '../../platform/lib/metadata.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { announceRequest } from './announce-request.ts';
import { type RefundRequestRow, refundRequests } from './refund-request.ts';
import { lockRequest } from './request-queries.ts';

export interface DecideRequest {
  merchantId: string;
  id: string;
  actor: string;
  now: Date;
}

export interface RefundTerms {
  payerAddress: string | null;
  mint: string;
  publicUrl: string;
  secrets: SecretBox;
}

/** Turns a request into a refund of all that is left of the sale, in one transaction. */
export async function approveRequest(
  tx: Tx,
  input: DecideRequest,
  terms: RefundTerms,
): Promise<RefundRequestRow> {
  const request = await lockOpenRequest(tx, input);
  const { merchantId, actor, now } = input;
  const refund = await createRefund(tx, {
    ...{ merchantId, actor, now, ...terms },
    ...{ paymentIntentId: request.intentId, exceptionId: null, amountCents: undefined },
    ...{ reason: 'requested_by_customer' as const, note: request.reason, metadata: NO_METADATA },
    ...{ address: null, isAgent: false, notifyCustomer: false },
    ...{ revokeCredits: false, cancelSubscription: false },
  });
  return decide(tx, input, { ...request, status: 'approved', refundId: refund.id, decidedAt: now });
}

/** Staff see at the till that it was declined, and may ask again. */
export async function declineRequest(tx: Tx, input: DecideRequest): Promise<RefundRequestRow> {
  const request = await lockOpenRequest(tx, input);
  return decide(tx, input, { ...request, status: 'declined', decidedAt: input.now });
}

async function lockOpenRequest(tx: Tx, { merchantId, id }: DecideRequest): Promise<RefundRequestRow> {
  const request = await lockRequest(tx, merchantId, id);
  if (!request) throw new AppError('NOT_FOUND');
  if (request.status !== 'open')
    throw new AppError('INVALID_STATE', { message: `This request is already ${request.status}.` });
  return request;
}

async function decide(tx: Tx, input: DecideRequest, decided: RefundRequestRow): Promise<RefundRequestRow> {
  const { merchantId, actor, now } = input;
  await refundRequests.store(tx, decided, ['status', 'refundId', 'decidedAt']);
  await announceRequest(tx, decided, now);
  await recordAudit(tx, {
    ...{ merchantId, actor, now, targetId: decided.id },
    action: `refund_request.${decided.status}`,
    detail: { paymentIntentId: decided.intentId, refundId: decided.refundId },
  });
  return decided;
}
