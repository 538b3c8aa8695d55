import type { Tx } from '../platform/db/database.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import type { NewEvent } from '../platform/events/event.ts';
import { INTENT_CREATED } from '../webhooks/event-types.ts';
import { insertAnyIntents } from './creation-queries.ts';
import type { Intent } from './intent.ts';
import { presentIntentEventData } from './present.ts';

/** Writes intents and, for a merchant with an endpoint that asks for it, announces each as its first change. */
export async function storeNewIntents(tx: Tx, intents: readonly Intent[]): Promise<void> {
  const announced = new Set((await insertAnyIntents(tx, intents)).map(({ id }) => id));
  if (announced.size === 0) return;
  const told = intents.filter(({ id }) => announced.has(id));
  await appendEvents(tx, told.map(created), told[0]!.createdAt);
}

function created(intent: Intent): NewEvent {
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
