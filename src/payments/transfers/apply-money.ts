import { eventFor, type Intent, receivedCents, statusFromMoney } from '../../intents/intent.ts';
import { storeMoves, storeQuietly } from '../../intents/move-intents.ts';
import { addsCents } from '../../intents/seen.ts';
import type { Tx } from '../../platform/db/database.ts';
import { findLastEventBody } from '../../platform/events/queries.ts';
import { parseJson } from '../../platform/lib/json.ts';
import { followIntent, type Money } from './follow-intent.ts';
import { sumAllocations } from './queries.ts';

/** Protocol and wallet that a transaction came by; unknown for money that a person has linked. */
export type Origin = Pick<Intent, 'paidVia' | 'payerAddress'>;

/**
 * Updates a locked intent to match its payment allocations, and its session, invoice and subscription to match the
 * intent; writes the events of the changes, if any. What is paid stays as it was, whatever comes later.
 */
export async function applyMoney(
  tx: Tx,
  intent: Intent,
  { signature, origin, ...money }: { signature: string; origin?: Origin } & Money,
): Promise<Intent> {
  if (intent.status === 'succeeded') return intent;
  const { now } = money;
  const { received, seen } = await sumAllocations(tx, intent.merchantId, intent.id);
  const isMore = received > intent.receivedBaseUnits;
  const isCentsMore = addsCents(intent.receivedBaseUnits, received - intent.receivedBaseUnits);
  const funded: Intent = {
    ...intent,
    receivedBaseUnits: received,
    // Dust changes nothing that is shown.
    ...(isCentsMore && { txSignature: signature, ...origin }),
  };
  const status = statusFromMoney(funded, seen);
  const after: Intent = {
    ...funded,
    status,
    succeededAt: status === 'succeeded' ? now : null,
  };
  if (status === intent.status && !isCentsMore) {
    if (isMore || after.statusWithoutPayment !== intent.statusWithoutPayment) await storeQuietly(tx, [after]);
    return after;
  }
  // Falling back is not a new expiry or failure: its event is a plain update.
  const isFallBack = intent.status === 'processing' && !isCentsMore && status !== 'succeeded';
  // A partial payment that became final while the rest was on its way gets its event now that the rest was dropped.
  const isUnannouncedPartial = isFallBack && status === 'underpaid' && !(await wasAnnounced(tx, after));
  const [stored] = await storeMoves(
    tx,
    [{ before: intent, after, signature, ...(isFallBack && !isUnannouncedPartial && { event: UPDATED }) }],
    now,
  );
  await followIntent(tx, intent, stored!, money);
  return stored!;
}

/** True if the merchant was notified that exactly this much arrived. */
async function wasAnnounced(tx: Tx, intent: Intent): Promise<boolean> {
  const { merchantId, id: objectId } = intent;
  const body = await findLastEventBody(tx, { merchantId, objectId, event: eventFor('underpaid') });
  if (body === undefined) return false;
  const { data } = parseJson(body) as { data: { amountCents: number | bigint } };
  return BigInt(data.amountCents) === receivedCents(intent);
}

const UPDATED = 'payment_intent.updated';
