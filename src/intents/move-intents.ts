import assert from 'node:assert';
import type { Tx } from '../db/database.ts';
import { appendEvents } from '../events/append-events.ts';
import { eventFor, type Intent, type IntentStatus, TRANSITIONS } from './intent.ts';
import { presentIntentEventData } from './present.ts';
import { updateStatuses } from './queries.ts';

/** Moves locked intents to a status and writes the event of each move, all or nothing. */
export async function moveIntents(
  tx: Tx,
  intents: readonly Intent[],
  to: IntentStatus,
  now: Date,
): Promise<Intent[]> {
  const moved = intents.map((intent) => {
    assert(TRANSITIONS[intent.status].includes(to), `an intent cannot go from ${intent.status} to ${to}`);
    return { ...intent, status: to, sequence: intent.sequence + 1 };
  });
  await updateStatuses(tx, moved);
  const events = moved.map((intent, i) => ({
    merchantId: intent.merchantId,
    event: eventFor(to),
    objectType: 'payment_intent',
    objectId: intent.id,
    sequence: intent.sequence,
    status: to,
    previousStatus: intents[i]!.status,
    lane: intent.id,
    data: presentIntentEventData(intent),
  }));
  await appendEvents(tx, events, now);
  return moved;
}
