import assert from 'node:assert';
import type { Tx } from '../platform/db/database.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { eventFor, type Intent, type IntentStatus, paymentIntents, TRANSITIONS } from './intent.ts';
import { presentIntentEventData } from './present.ts';
import { updateIntents } from './queries.ts';

/** One change of an intent: its state before and now. `event` names it if the status alone does not. */
export interface IntentMove {
  before: Intent;
  after: Intent;
  event?: string;
  /** The transaction behind it. A failed one brought nothing, so only the event names it. */
  signature?: string;
}

/** Moves locked intents to a status and writes the event of each move, all or nothing. */
export async function moveIntents(
  tx: Tx,
  intents: readonly Intent[],
  to: IntentStatus,
  now: Date,
): Promise<Intent[]> {
  const statusWithoutPayment = to === 'expired' || to === 'failed' ? to : undefined;
  return storeMoves(
    tx,
    intents.map((before) => ({
      before,
      after: {
        ...before,
        status: to,
        statusWithoutPayment: statusWithoutPayment ?? before.statusWithoutPayment,
      },
    })),
    now,
  );
}

/** Stores changed intents, numbers each change, and writes its event in the same transaction. */
export async function storeMoves(tx: Tx, moves: readonly IntentMove[], now: Date): Promise<Intent[]> {
  const stored = moves.map(({ before, after }) => {
    const { status: from } = before;
    assert(TRANSITIONS[from].includes(after.status), `an intent cannot go from ${from} to ${after.status}`);
    return { ...after, sequence: before.sequence + 1 };
  });
  await updateIntents(tx, stored);
  const events = stored.map((intent, i) => {
    const { before, signature, event = eventFor(intent.status) } = moves[i]!;
    const announced = event === FAILED && signature ? { ...intent, txSignature: signature } : intent;
    return {
      merchantId: intent.merchantId,
      event,
      objectType: 'payment_intent',
      objectId: intent.id,
      sequence: intent.sequence,
      status: intent.status,
      previousStatus: before.status,
      orderingKey: intent.sessionOrderingKey ?? intent.id,
      metadata: intent.metadata,
      data: presentIntentEventData(announced),
    };
  });
  await appendEvents(tx, events, now);
  return stored;
}

/** Marks a locked intent as paid because the rest was waived, and writes the event. */
export async function storeWaived(tx: Tx, before: Intent, after: Intent, now: Date): Promise<Intent> {
  const [stored] = await storeMoves(tx, [{ before, after }], now);
  await paymentIntents.store(tx, stored!, ['waivedBaseUnits']);
  return stored!;
}

const FAILED = eventFor('failed');

/** Stores what nobody is shown and so has no event: less than a cent, and what an intent is without its payment. */
export async function storeQuietly(tx: Tx, intents: readonly Intent[]): Promise<void> {
  await updateIntents(tx, intents);
}
