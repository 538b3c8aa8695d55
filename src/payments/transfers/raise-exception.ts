import { orderingKeyOf } from '../../billing/checkout-sessions/change-session.ts';
import { lockSessionOfIntent } from '../../billing/checkout-sessions/queries.ts';
import type { Posting } from '../../billing/ledger/posting.ts';
import { type Intent, requiredBaseUnits } from '../../intents/intent.ts';
import { listPaidAmong } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import { type BaseUnits, baseUnitsToCents } from '../../platform/lib/money.ts';
import { storeNewException } from './change-exception.ts';
import { asListed, type ExceptionKind, isOtherToken } from './exception.ts';
import { countWrongToken } from './exception-queries.ts';
import { postUnapplied } from './post-unapplied.ts';

/** Source of the money, and the merchant if no intent says so. */
export interface MoneySource {
  signature: string;
  destination: string;
  mint: string;
  /** Decimals of a token other than USDC. */
  decimals?: number | null;
  merchantId: string;
  now: Date;
}

/**
 * Lists what is too much, or for an order that was paid already. `intent` is as it was before this money: if it had been
 * paid, none of it is the intent's. Money that bought nothing is no surplus: all of it is listed as unapplied.
 */
export async function raiseForPaid(
  tx: Tx,
  source: MoneySource,
  intent: Intent,
  share: BaseUnits,
): Promise<void> {
  if (intent.status === 'succeeded') return raiseException(tx, source, 'surplus', share, intent);
  const expected = requiredBaseUnits(intent);
  const total = intent.receivedBaseUnits + share;
  if (total < expected || (await wasRefused(tx, intent))) return;
  // The whole of it, so that what is also too much is not listed twice.
  if (intent.orderId !== null && (await listPaidAmong(tx, [intent])).length > 0)
    await raiseException(tx, source, 'duplicate_order', total, intent);
  else if (total > expected) await raiseException(tx, source, 'surplus', total - expected, intent);
}

/** Its checkout was closed by this very money, which came when it could buy nothing any more. */
async function wasRefused(tx: Tx, { merchantId, id, sessionOrderingKey }: Intent): Promise<boolean> {
  if (sessionOrderingKey === null) return false;
  return (await lockSessionOfIntent(tx, merchantId, id))?.status === 'canceled';
}

export async function raiseException(
  tx: Tx,
  { signature, destination, mint, decimals, merchantId, now }: MoneySource,
  kind: ExceptionKind,
  baseUnits: BaseUnits,
  intent?: Intent,
): Promise<void> {
  const posting = kind === 'canceled' ? await creditSender(tx, intent!, baseUnits, now) : undefined;
  const raised = asListed({
    id: newId(now),
    merchantId: intent?.merchantId ?? merchantId,
    kind,
    signature,
    destination,
    mint,
    baseUnits,
    ...(decimals !== undefined && { decimals }),
    intentId: intent?.id ?? null,
    postingId: posting?.id ?? null,
    isAfterPayment: kind === 'surplus' && intent?.status === 'succeeded',
    createdAt: now,
  });
  // Anybody can make a token and send it without end, with a reference that everybody sees on the chain.
  if (isOtherToken(raised) && (await countWrongToken(tx, raised))) return;
  await storeNewException(tx, raised);
}

/** Money for something canceled becomes credit of the customer who sent it, if known. */
async function creditSender(
  tx: Tx,
  intent: Intent,
  baseUnits: BaseUnits,
  now: Date,
): Promise<Posting | undefined> {
  if (intent.sessionOrderingKey === null) return undefined;
  const session = await lockSessionOfIntent(tx, intent.merchantId, intent.id);
  return (
    session &&
    postUnapplied(tx, {
      session,
      cents: baseUnitsToCents(baseUnits),
      orderingKey: orderingKeyOf(session),
      now,
    })
  );
}
