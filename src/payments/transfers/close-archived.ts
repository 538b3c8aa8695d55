import { lockProjectsForUse } from '../../accounts/projects/queries.ts';
import { closeSession } from '../../billing/checkout-sessions/close-session.ts';
import { lockWholeSession } from '../../billing/checkout-sessions/lock-session.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { dropLateRenewal } from '../../billing/renewals/end-unpaid.ts';
import { isWaiting } from '../../intents/intent.ts';
import { hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { ARCHIVED_TO_CLOSE, type DueSession, listPayableOfArchived } from './session-queries.ts';

const SLICE = 200;
/** Whatever is found later is closed when somebody looks at it, and its money is refused. */
const LOOKED_BACK_MS = 7 * DAY_MS;

/** An archived project asks for nothing: what could still be paid in it is closed, open or late. */
export async function closeArchived(db: Database, now: Date, log?: Logger): Promise<number> {
  return eachAlone({ db, log }, ARCHIVED_TO_CLOSE, now, async (alone) => {
    let closed = 0;
    for (;;) {
      const failed = alone.failures();
      const sessions = await listPayableOfArchived(
        db,
        { since: new Date(now.getTime() - LOOKED_BACK_MS), now },
        SLICE,
      );
      let moved = 0;
      for (const ref of sessions)
        if (await alone({ merchantId: ref.merchantId, id: ref.sessionId }, () => close(db, ref, now)))
          moved++;
      closed += moved;
      if (sessions.length < SLICE || (moved === 0 && alone.failures() === failed)) return closed;
    }
  });
}

/** Closes a checkout that somebody looks at, if its project is archived; then it answers true. */
export async function closeOfArchived(db: Database, session: Session, now: Date): Promise<boolean> {
  const { merchantId, id: sessionId, paymentIntentId: intentId, projectId } = session;
  if (!isPayable(session)) return false;
  const isOver = await db.transaction((tx) => isArchived(tx, { merchantId, id: projectId }));
  return isOver && close(db, { merchantId, sessionId, intentId }, now);
}

/** Money that is on its way is waited for: it is refused when it is final. */
function close(db: Database, { merchantId, intentId }: DueSession, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await lockWholeSession(tx, merchantId, intentId);
    const { intent, session, invoice } = locked;
    if (!isPayable(session) || !isWaiting(intent, now) || (await hasPaymentUnderWay(tx, intent)))
      return false;
    const { events } = await closeSession(tx, locked, now);
    if (invoice.billingReason === 'subscription_cycle') events.push(await dropLateRenewal(tx, invoice));
    await appendEvents(tx, events, now);
    return true;
  });
}

/**
 * True if nothing is sold for this checkout any more because its project is archived. While a numbered invoice is open, no
 * project is. Locks the project, so that it is archived before this sale or after it.
 */
export async function isOfArchived(tx: Tx, session: Session, { number }: Invoice): Promise<boolean> {
  const { merchantId, projectId } = session;
  if (!isPayable(session) || (session.status === 'open' && number !== null)) return false;
  return isArchived(tx, { merchantId, id: projectId });
}

function isPayable({ status }: Session): boolean {
  return status === 'open' || status === 'expired';
}

async function isArchived(tx: Tx, ref: Ref): Promise<boolean> {
  const [project] = await lockProjectsForUse(tx, [ref]);
  return project!.archivedAt !== null;
}
