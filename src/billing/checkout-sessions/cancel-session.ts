import { isUnseen } from '../../intents/intent.ts';
import { paymentInProgress } from '../../intents/payment-in-progress.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { inState } from '../../platform/lib/in-state.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { changeSubscription } from '../subscriptions/change-subscription.ts';
import { lockSubscription } from '../subscriptions/queries.ts';
import { closeSession } from './close-session.ts';
import { lockWholeSession } from './lock-session.ts';
import { findSession } from './queries.ts';
import type { Session } from './session.ts';

/** Ends a session toward which nothing was seen: intent and session canceled, invoice void, all or nothing. */
export async function cancelSession(tx: Tx, ref: Ref, now: Date): Promise<Session> {
  const found = await findSession(tx, ref);
  if (!found) throw new AppError('NOT_FOUND');
  const locked = await lockWholeSession(tx, found.merchantId, found.paymentIntentId);
  const { billingReason } = locked.invoice;
  if (billingReason === 'subscription_cycle' || billingReason === 'subscription_change') {
    throw new AppError('INVALID_STATE', {
      message: 'This session belongs to a subscription; cancel or change the subscription instead.',
    });
  }
  if (billingReason === 'manual') {
    throw new AppError('INVALID_STATE', {
      message: 'This session belongs to an invoice; void the invoice instead.',
    });
  }
  if (locked.session.status !== 'open') {
    throw new AppError('INVALID_STATE', {
      message: `${inState(locked.session.status, 'session')} cannot be canceled.`,
    });
  }
  if (!isUnseen(locked.intent) || (await hasPaymentUnderWay(tx, locked.intent))) {
    throw paymentInProgress('A payment for this session is in progress.');
  }
  const { session, events } = await closeSession(tx, locked, now);
  const ended = session.subscriptionId && (await endSubscription(tx, session, now));
  await appendEvents(tx, ended ? [...events, ended] : events, now);
  return session;
}

/** Ends a subscription whose first session was canceled. */
async function endSubscription(
  tx: Tx,
  { merchantId, subscriptionId }: Session,
  now: Date,
): Promise<NewEvent> {
  const before = (await lockSubscription(tx, { merchantId, id: subscriptionId! }))!;
  const { event } = await changeSubscription(tx, {
    before,
    after: { ...before, status: 'canceled', canceledAt: now, cancelReason: 'requested' },
    event: 'subscription.canceled',
  });
  return event;
}
