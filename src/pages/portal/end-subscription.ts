import { cancelSubscription, undoCancel } from '../../billing/renewals/cancel-subscription.ts';
import type { Subscription } from '../../billing/subscriptions/subscription.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { findOwnSubscription } from './own-subscriptions.ts';
import { actorOf, type Visitor } from './portal-session.ts';

interface EndDesk {
  db: Database;
  clock: Clock;
}

/**
 * Ends a subscription at the end of its paid period; one whose renewal is overdue, or that never started, ends
 * immediately.
 */
export async function endAtPeriodEnd(desk: EndDesk, visitor: Visitor, id: string): Promise<Subscription> {
  const { db, clock } = desk;
  const { merchantId } = visitor;
  const now = clock.now();
  await findOwnSubscription(db, visitor, id);
  return db.transaction(async (tx) => {
    const canceled = await cancelSubscription(tx, { merchantId, id }, { atPeriodEnd: true, now });
    const action = 'subscription.cancel_chosen';
    await recordAudit(tx, { merchantId, actor: actorOf(visitor), action, targetId: id, now });
    return canceled;
  });
}

/** Takes a planned end back, as long as it has not come. */
export async function keepSubscription(desk: EndDesk, visitor: Visitor, id: string): Promise<Subscription> {
  const { db, clock } = desk;
  const { merchantId } = visitor;
  const now = clock.now();
  const { cancelAtPeriodEnd } = await findOwnSubscription(db, visitor, id);
  return db.transaction(async (tx) => {
    const kept = await undoCancel(tx, { merchantId, id }, now);
    if (!cancelAtPeriodEnd) return kept;
    const action = 'subscription.cancel_undone';
    await recordAudit(tx, { merchantId, actor: actorOf(visitor), action, targetId: id, now });
    return kept;
  });
}
