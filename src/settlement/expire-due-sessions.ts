import { changeSession, laneOf, lockSessionOfIntent } from '../checkout-sessions/change-session.ts';
import { withVolume } from '../checkout-sessions/session.ts';
import type { Database, Tx } from '../db/database.ts';
import { appendEvents } from '../events/append-events.ts';
import { hasPendingCredit } from '../intents/has-pending-credit.ts';
import { type Intent, isUnseen } from '../intents/intent.ts';
import { lockOneIntent } from '../intents/lock-intents.ts';
import { moveIntents } from '../intents/move-intents.ts';
import { changeInvoice, lockInvoiceOfSession } from '../invoices/change-invoice.ts';
import { listDueSessions } from './session-queries.ts';

const SLICE = 200;

/**
 * Ends every open session whose deadline has passed, and answers how many; but only where the chain has been read
 * past that moment and no payment is under way. What was received in part stays where it is, and full payment in
 * the 30 days after still completes all of it.
 */
export async function expireDueSessions(db: Database, now: Date): Promise<number> {
  let expired = 0;
  for (;;) {
    const due = await listDueSessions(db, now, SLICE);
    let moved = 0;
    for (const session of due) {
      if (await db.transaction((tx) => expireSession(tx, session, now))) moved++;
    }
    expired += moved;
    if (due.length < SLICE || moved === 0) return expired;
  }
}

interface DueSession {
  merchantId: string;
  intentId: string;
}

async function expireSession(tx: Tx, { merchantId, intentId }: DueSession, now: Date): Promise<boolean> {
  const intent = (await lockOneIntent(tx, { merchantId, id: intentId }))!;
  const before = await lockSessionOfIntent(tx, merchantId, intentId);
  if (before?.status !== 'open' || !isSettled(intent)) return false;
  // Money that is confirmed but not final yet may still make it complete, or at least part of it.
  if (await hasPendingCredit(tx, intent)) return false;
  const invoice = (await lockInvoiceOfSession(tx, merchantId, before.id))!;
  if (isUnseen(intent)) await moveIntents(tx, [intent], 'expired', now);
  const lane = laneOf(before);
  const uncollectible = await changeInvoice(tx, {
    before: invoice,
    after: { ...invoice, status: 'uncollectible' },
    event: 'invoice.uncollectible',
    lane,
    now,
  });
  const expired = await changeSession(tx, {
    before,
    after: withVolume({ ...before, status: 'expired' }, now),
    event: 'checkout.session.expired',
    txSignature: intent.txSignature,
  });
  await appendEvents(tx, [uncollectible, expired], now);
  return true;
}

function isSettled({ status }: Intent): boolean {
  return status === 'pending' || status === 'failed' || status === 'underpaid';
}
