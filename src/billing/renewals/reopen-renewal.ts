import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { closeSession } from '../checkout-sessions/close-session.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { scheduled } from './schedule.ts';

/**
 * Withdraws a renewal that was requested under other terms; the scheduler requests it again right away, because it is
 * already due. Returns the subscription, not yet stored, and the events so far.
 */
export async function reopenRenewal(
  tx: Tx,
  { renewal, project }: LockedSubscription,
  changed: Subscription,
  now: Date,
): Promise<{ subscription: Subscription; events: NewEvent[] }> {
  const { events } = renewal ? await closeSession(tx, renewal, now) : { events: [] };
  const free: Subscription = {
    ...changed,
    renewalInvoiceId: null,
    renewalCheckoutUrl: null,
    graceEndsAt: null,
    remindersSent: 0,
  };
  return { subscription: scheduled(free, project, null), events };
}
