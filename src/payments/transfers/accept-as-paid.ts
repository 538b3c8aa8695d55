import { clearUnapplied } from '../../billing/checkout-sessions/mark-unapplied.ts';
import { lockSessionOfIntent } from '../../billing/checkout-sessions/queries.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import { dropTip } from '../../billing/checkout-sessions/shrink-tip.ts';
import { lockInvoiceOfSession } from '../../billing/invoices/queries.ts';
import { storeWaivedShares } from '../../billing/invoices/waive-rest.ts';
import { dueBaseUnits, type Intent, receivedCents, stateOf, waivedCents } from '../../intents/intent.ts';
import { storeWaived } from '../../intents/move-intents.ts';
import { listPaidAmong, lockIntent } from '../../intents/queries.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { endException } from './change-exception.ts';
import { isUndecided, type PaymentException } from './exception.ts';
import { hasRefundUnderWay, listExceptionsOfIntent, lockException } from './exception-queries.ts';
import { followIntent } from './follow-intent.ts';
import { reverseCredit } from './resolve-exception.ts';

export interface Accept {
  merchantId: string;
  intentId: string;
  actor: string;
  now: Date;
}

/**
 * The merchant takes what has arrived as payment in full, and waives the rest: what was ordered is delivered as if all of
 * it had been paid. Nothing is booked that did not arrive. Accepting twice is the same as once.
 */
export async function acceptAsPaid(tx: Tx, input: Accept): Promise<Intent> {
  const { merchantId, intentId, actor, now } = input;
  // Exceptions before the intent, as refunds lock them.
  const parts = await lockParts(tx, input);
  const asked = await lockIntent(tx, { merchantId, id: intentId });
  if (!asked) throw new AppError('NOT_FOUND');
  if (asked.waivedBaseUnits > 0n) return asked;
  await requireAcceptable(tx, asked);
  const session = await lockSessionOfIntent(tx, merchantId, intentId);
  if (session?.status === 'canceled') throw refusal('Its checkout was canceled.');
  if (session) await returnParts(tx, session, parts, input);
  // A tip is voluntary, so it goes first: only what is missing of the goods is waived.
  const intent = session ? await dropTip(tx, asked, now) : asked;
  const after: Intent = {
    ...intent,
    waivedBaseUnits: dueBaseUnits(intent),
    status: 'succeeded',
    succeededAt: now,
  };
  const accepted = await storeWaived(tx, intent, after, now);
  await followIntent(tx, intent, accepted, { paidAt: now, now, isDecision: true });
  if (session) await storeWaivedShares(tx, (await lockInvoiceOfSession(tx, merchantId, session.id))!);
  await recordAudit(tx, {
    merchantId,
    actor,
    action: 'payment_intent.accepted',
    targetId: intentId,
    detail: {
      orderId: intent.orderId,
      receivedCents: receivedCents(intent).toString(),
      waivedCents: waivedCents(accepted).toString(),
    },
    now,
  });
  return accepted;
}

async function requireAcceptable(tx: Tx, intent: Intent): Promise<void> {
  const { status } = intent;
  if (status === 'processing') throw refusal('A payment for this intent is in progress.');
  if (status !== 'underpaid')
    throw refusal(`Only an underpaid payment can be accepted as paid; this one ${stateOf(intent)}.`);
  if (intent.isRefunding) throw refusal('What this payment received is being refunded.');
  if (intent.orderId !== null && (await listPaidAmong(tx, [intent])).length > 0)
    throw new AppError('ORDER_ALREADY_PAID');
}

/** Locks the parts that were listed as unapplied because the rest had not come in time. */
async function lockParts(tx: Tx, { merchantId, intentId }: Accept): Promise<PaymentException[]> {
  const parts: PaymentException[] = [];
  for (const { id, kind } of await listExceptionsOfIntent(tx, merchantId, intentId))
    if (kind === 'stray') parts.push((await lockException(tx, merchantId, id))!);
  return parts;
}

/** It is no longer the customer's account credit, and needs no decision. */
async function returnParts(
  tx: Tx,
  { merchantId, id }: Session,
  parts: readonly PaymentException[],
  { intentId, actor, now }: Accept,
): Promise<void> {
  const listed = await listExceptionsOfIntent(tx, merchantId, intentId);
  if (listed.filter(({ kind }) => kind === 'stray').length !== parts.length)
    throw refusal('This payment has just been listed as an exception; try again.');
  for (const part of parts) {
    if (!isUndecided(part))
      throw refusal(`A part of this payment is ${part.status}; undo that decision first.`);
    if (part.refundId !== null || (await hasRefundUnderWay(tx, merchantId, part.id)))
      throw refusal('A part of this payment is being refunded.');
    await reverseCredit(tx, part, 'payment used for its invoice', now);
    const resolved: PaymentException = {
      ...part,
      status: 'linked',
      linkedIntentId: intentId,
      resolvedAt: now,
    };
    await endException(tx, part, resolved, now);
    await recordAudit(tx, {
      merchantId,
      actor,
      action: 'exception.linked',
      targetId: part.id,
      detail: { kind: part.kind, signature: part.signature, intentId },
      now,
    });
  }
  if (parts.length > 0) await clearUnapplied(tx, merchantId, id);
}

function refusal(message: string): AppError {
  return new AppError('INVALID_STATE', { message });
}
