import type { Tx } from '../db/database.ts';
import { findPaidOrder } from '../intents/find-paid-order.ts';
import type { Intent } from '../intents/intent.ts';
import { newId } from '../lib/ids.ts';
import { type BaseUnits, centsToBaseUnits } from '../lib/money.ts';
import type { ExceptionKind } from './exception.ts';
import { insertException } from './queries.ts';

/** The transaction the money came with. */
export interface Source {
  signature: string;
  destination: string;
  mint: string;
  now: Date;
}

/** Lists what is too much, or for an order that was paid already. `intent` is as it was before this money. */
export async function raiseForPaid(tx: Tx, source: Source, intent: Intent, share: BaseUnits): Promise<void> {
  const expected = centsToBaseUnits(intent.expectedAmountCents);
  const had = intent.receivedBaseUnits;
  const surplusBefore = had > expected ? had - expected : 0n;
  const total = had + share;
  const surplus = (total > expected ? total - expected : 0n) - surplusBefore;
  if (surplus > 0n) await raise(tx, source, 'surplus', intent, surplus);
  const isNowPaid = had < expected && total >= expected;
  if (
    isNowPaid &&
    intent.orderId !== null &&
    (await findPaidOrder(tx, intent.merchantId, intent.orderId, intent.id))
  ) {
    await raise(tx, source, 'duplicate_order', intent, total);
  }
}

async function raise(
  tx: Tx,
  { signature, destination, mint, now }: Source,
  kind: ExceptionKind,
  intent: Intent,
  baseUnits: BaseUnits,
): Promise<void> {
  await insertException(tx, {
    id: newId(now),
    merchantId: intent.merchantId,
    kind,
    status: 'open',
    signature,
    destination,
    mint,
    baseUnits,
    intentId: intent.id,
    linkedIntentId: null,
    postingId: null,
    note: null,
    createdAt: now,
    resolvedAt: null,
  });
}
