import { receivedCents } from '../../intents/intent.ts';
import { lockIntent } from '../../intents/queries.ts';
import { refundableCents } from '../../payments/refunds/refundable.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { actorOf, type PairedTill } from '../tills/till.ts';
import { announceRequest } from './announce-request.ts';
import { insertRequest } from './request-queries.ts';

export interface RequestRefund {
  till: PairedTill;
  intentId: string;
  reason: string | null;
  now: Date;
}

/** Asks an owner to refund a sale that was paid. Nothing is promised by it. */
export async function requestRefund(tx: Tx, { till, intentId, reason, now }: RequestRefund): Promise<void> {
  const { merchantId, id: tillId } = till;
  const intent = await lockIntent(tx, { merchantId, id: intentId });
  if (!intent || receivedCents(intent) === 0n)
    throw new AppError('INVALID_STATE', {
      message: 'Nothing has been paid yet, so there is nothing to refund.',
    });
  if ((await refundableCents(tx, { exception: undefined, intent }, null)) === 0n)
    throw new AppError('INVALID_STATE', { message: 'Nothing is left to refund.' });
  const request = {
    ...{ id: newId(now), merchantId, intentId, tillId, reason, createdAt: now },
    ...{ status: 'open' as const, refundId: null, decidedAt: null },
    ...{ orderId: intent.orderId!, terminalId: till.terminalId, receivedCents: receivedCents(intent) },
  };
  if (!(await insertRequest(tx, request)))
    throw new AppError('INVALID_STATE', { message: 'A refund of this sale was requested already.' });
  await recordAudit(tx, {
    merchantId,
    actor: actorOf(till),
    action: 'refund_request.created',
    targetId: request.id,
    detail: { paymentIntentId: intentId },
    now,
  });
  await announceRequest(tx, request, now);
}
