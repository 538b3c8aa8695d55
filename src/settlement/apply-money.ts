import type { Tx } from '../db/database.ts';
import { type Intent, statusFromMoney } from '../intents/intent.ts';
import { storeMoves, storeQuietly } from '../intents/move-intents.ts';
import { followIntent, type Money } from './follow-intent.ts';
import { sumCredits } from './queries.ts';

/**
 * Brings a locked intent in line with its credits, and whatever stands behind it in line with the intent; writes
 * the events of the changes, if there are any.
 */
export async function applyMoney(
  tx: Tx,
  intent: Intent,
  { signature, paidAt, now }: { signature: string } & Money,
): Promise<Intent> {
  const { received, seen } = await sumCredits(tx, intent.merchantId, intent.id);
  const isMore = received > intent.receivedBaseUnits;
  const funded: Intent = {
    ...intent,
    receivedBaseUnits: received,
    txSignature: isMore ? signature : intent.txSignature,
  };
  const status = statusFromMoney(funded, seen);
  const after: Intent = {
    ...funded,
    status,
    succeededAt: status === 'succeeded' ? (intent.succeededAt ?? now) : null,
  };
  if (status === intent.status && !(status === 'underpaid' && isMore)) {
    if (isMore || after.restingStatus !== intent.restingStatus) await storeQuietly(tx, [after]);
    if (isMore) await followIntent(tx, intent, after, { paidAt, now });
    return after;
  }
  // Falling back is no new expiry or failure: it is told as a plain change.
  const isFallBack = intent.status === 'processing' && !isMore && status !== 'succeeded';
  const [stored] = await storeMoves(
    tx,
    [{ before: intent, after, ...(isFallBack && { event: UPDATED }) }],
    now,
  );
  await followIntent(tx, intent, stored!, { paidAt, now });
  return stored!;
}

const UPDATED = 'payment_intent.updated';
