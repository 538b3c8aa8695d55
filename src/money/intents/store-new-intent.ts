import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { INTENT_CREATED } from '../webhooks/event-types.ts';
import { insertIntent } from './creation-queries.ts';
import type { Intent } from './intent.ts';
import { presentIntentEventData } from './present.ts';

/** Writes an intent and, for a merchant with an endpoint that asks for it, announces it as its first change. */
export async function storeNewIntent(tx: Tx, intent: Intent): Promise<void> {
  if (await insertIntent(tx, intent)) await appendEvents(tx, [intentCreated(intent)], intent.createdAt);
}

export function intentCreated(intent: Intent): NewEvent {
  return {
    merchantId: intent.merchantId,
    event: INTENT_CREATED,
    objectType: 'payment_intent',
    objectId: intent.id,
    sequence: 1,
    status: 'pending',
    previousStatus: null,
    orderingKey: intent.sessionOrderingKey ?? intent.id,
    metadata: intent.metadata,
    data: presentIntentEventData(intent),
  };
}
