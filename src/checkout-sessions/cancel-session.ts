import type { Tx } from '../db/database.ts';
import { appendEvents } from '../events/append-events.ts';
import { hasPendingCredit } from '../intents/has-pending-credit.ts';
import { isUnseen } from '../intents/intent.ts';
import { lockOneIntent } from '../intents/lock-intents.ts';
import { moveIntents } from '../intents/move-intents.ts';
import { changeInvoice, lockInvoiceOfSession } from '../invoices/change-invoice.ts';
import { AppError } from '../lib/errors.ts';
import { changeSession, laneOf } from './change-session.ts';
import { findSession, lockSessionOfIntent, type SessionRef } from './queries.ts';
import { type Session, withVolume } from './session.ts';

/** Ends a session toward which nothing was seen: intent and session canceled, invoice void, all or nothing. */
export async function cancelSession(tx: Tx, ref: SessionRef, now: Date): Promise<Session> {
  const { merchantId } = ref;
  const found = await findSession(tx, ref);
  if (!found) throw new AppError('NOT_FOUND');
  const intent = (await lockOneIntent(tx, { merchantId, id: found.paymentIntentId }))!;
  const before = (await lockSessionOfIntent(tx, merchantId, intent.id))!;
  if (before.status !== 'open') {
    throw new AppError('INVALID_STATE', {
      message: `A session that is ${before.status} cannot be canceled.`,
    });
  }
  if (!isUnseen(intent) || (await hasPendingCredit(tx, intent))) {
    throw new AppError('INVALID_STATE', { message: 'A payment for this session is under way.' });
  }
  const invoice = (await lockInvoiceOfSession(tx, merchantId, before.id))!;
  await moveIntents(tx, [intent], 'canceled', now);
  const after = withVolume({ ...before, status: 'canceled' }, now);
  const voided = await changeInvoice(tx, {
    before: invoice,
    after: { ...invoice, status: 'void' },
    event: 'invoice.voided',
    lane: laneOf(before),
    now,
  });
  const canceled = await changeSession(tx, {
    before,
    after,
    event: 'checkout.session.canceled',
    txSignature: intent.txSignature,
  });
  await appendEvents(tx, [voided, canceled], now);
  return after;
}
