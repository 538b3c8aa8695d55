import { deleteSessions } from '../../billing/checkout-sessions/change-session.ts';
import { deleteInvoices } from '../../billing/invoices/change-invoice.ts';
import { PAYABLE_DAYS_AFTER_EXPIRY } from '../../chain/solana/watched-account.ts';
import { deleteIntents } from '../../intents/create-intents.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { deleteObjectEvents } from '../../webhooks/delete-object-events.ts';
import { type AbandonedSession, listAbandoned, lockAbandoned, type Place } from './abandoned-queries.ts';

const SLICE = 500;

/**
 * Deletes what strangers opened by a payment link and never paid a cent toward, once no payment can complete it any
 * more: 30 days after its deadline, with the chain read past that moment. Session, invoice, intent, events and their
 * deliveries go together; none of them ever had a number, a customer or a subscription. Returns how many were deleted.
 */
export async function pruneAbandonedSessions(db: Database, now: Date): Promise<number> {
  const lastDay = addDays(now, -PAYABLE_DAYS_AFTER_EXPIRY);
  let pruned = 0;
  for (let place = BEGINNING; ; ) {
    const ended = await listAbandoned(db, lastDay, place, SLICE);
    const drafts = ended.filter(isDraft);
    if (drafts.length > 0) pruned += await db.transaction((tx) => pruneSome(tx, drafts));
    if (ended.length < SLICE) return pruned;
    place = ended.at(-1)!;
  }
}

const BEGINNING: Place = { expiresAt: '-infinity', sessionId: '00000000-0000-0000-0000-000000000000' };

type Draft = AbandonedSession & { invoiceId: string };

/** An invoice with a number is kept, so that no number is missing. */
function isDraft(session: AbandonedSession): session is Draft {
  return session.invoiceId !== null;
}

async function pruneSome(tx: Tx, drafts: readonly Draft[]): Promise<number> {
  const refsOf = (sessions: readonly Draft[], field: 'sessionId' | 'invoiceId' | 'intentId') =>
    sessions.map((session) => ({ merchantId: session.merchantId, id: session[field] }));
  const forgotten = new Set(await lockAbandoned(tx, refsOf(drafts, 'intentId')));
  const gone = drafts.filter(({ intentId }) => forgotten.has(intentId));
  const [sessions, invoices, intents] = [
    refsOf(gone, 'sessionId'),
    refsOf(gone, 'invoiceId'),
    refsOf(gone, 'intentId'),
  ];
  const objects = [...sessions, ...invoices, ...intents];
  await deleteObjectEvents(
    tx,
    objects.map(({ merchantId, id: objectId }) => ({ merchantId, objectId })),
  );
  await deleteInvoices(tx, invoices);
  await deleteSessions(tx, sessions);
  await deleteIntents(tx, intents);
  return gone.length;
}
