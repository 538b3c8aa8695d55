import { senderOf } from '../../chain/solana/find-payer.ts';
import type { Destination } from '../../chain/solana/measure.ts';
import { isOfMpp, namedInMemos } from '../../chain/solana/order-memo.ts';
import { ordersNamed } from '../../chain/solana/orders-named.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Intent } from '../../intents/intent.ts';
import { hasAnotherIntent, lockIntentsById, lockIntentsByReference } from '../../intents/queries.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { lockIntentOfAmount } from '../reserved-amounts/queries.ts';
import { listSponsoredAmong, type SponsoredIntent } from '../sponsor/queries.ts';
import type { Origin } from './apply-money.ts';

export interface NamedIntents {
  intents: Intent[];
  /** The transaction was signed for this payment, here or where the merchant has moved from. */
  sponsored: SponsoredIntent | undefined;
}

/** Everything in a transaction that may be a reference: its accounts, and what its memos name. */
export function mentionsOf({ accounts, memos }: LandedTransaction): Set<string> {
  return new Set([...accounts, ...namedInMemos(memos)]);
}

/**
 * Locks the intents that a transaction names: the one that we signed it for, whatever else it mentions; otherwise all
 * that it mentions; and if it names no other order, the one for which exactly as much as it brought is reserved.
 */
export async function lockNamedIntents(
  tx: Tx,
  transaction: LandedTransaction,
  destination: Destination,
  received: BaseUnits,
): Promise<NamedIntents> {
  const { owner } = destination;
  const { signature } = transaction;
  const [sponsored] = await listSponsoredAmong(tx, [{ signature, destination: owner }]);
  if (!sponsored) {
    const mentioned = await lockIntentsByReference(tx, owner, [...mentionsOf(transaction)]);
    if (mentioned.length > 0) return { intents: mentioned, sponsored };
    return { intents: await lockByAmount(tx, transaction, destination, received), sponsored };
  }
  const locked = await lockIntentsById(tx, [{ merchantId: sponsored.merchantId, id: sponsored.intentId }]);
  return { intents: locked.filter((intent) => intent.destinationAddress === owner), sponsored };
}

async function lockByAmount(
  tx: Tx,
  transaction: LandedTransaction,
  { owner, account }: Destination,
  baseUnits: BaseUnits,
): Promise<Intent[]> {
  if (baseUnits === 0n) return [];
  const { blockTime } = transaction;
  const intent = await lockIntentOfAmount(tx, { destination: owner, baseUnits, blockTime });
  if (!intent) return [];
  const isForAnother = ordersNamed(transaction, account).some((each) => each !== intent.referenceAddress);
  return isForAnother ? [] : [intent];
}

/**
 * True if a payment of this intent that is not sent yet names another order, too. A memo does by its form alone: an offer that
 * nobody has paid yet is not stored.
 */
export async function namesAnother(
  db: Queryable,
  { id: intentId, referenceAddress, destinationAddress: payTo }: Intent,
  { accounts, memos }: Pick<LandedTransaction, 'accounts' | 'memos'>,
): Promise<boolean> {
  if (namedInMemos(memos).some((reference) => reference !== referenceAddress)) return true;
  return hasAnotherIntent(db, accounts, { intentId, payTo });
}

/** Returns how a payment came. Transactions that we have built carry our memo; others have what their wallets wrote. */
export function originOf(
  transaction: LandedTransaction,
  destination: Destination,
  { referenceAddress }: Intent,
  sponsored: SponsoredIntent | undefined,
): Origin {
  const isOurs = namedInMemos(transaction.memos).includes(referenceAddress);
  const own = isOfMpp(transaction.memos, referenceAddress) ? 'mpp' : 'wallet';
  return {
    paidVia: sponsored?.via ?? (isOurs ? own : 'transfer'),
    payerAddress: senderOf(transaction, destination) ?? null,
  };
}
