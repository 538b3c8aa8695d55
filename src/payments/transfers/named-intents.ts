import { senderOf } from '../../chain/solana/find-payer.ts';
import type { Destination } from '../../chain/solana/measure.ts';
import { isOfMpp, namedInMemos } from '../../chain/solana/order-memo.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Intent } from '../../intents/intent.ts';
import { hasAnotherIntent, lockIntentsById, lockIntentsByReference } from '../../intents/queries.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { listSponsoredAmong, type SponsoredIntent } from '../sponsor/queries.ts';
import type { Origin } from './apply-money.ts';

export interface NamedIntents {
  intents: Intent[];
  /** The transaction was signed here, for this payment. */
  sponsored: SponsoredIntent | undefined;
}

/** Everything in a transaction that may be a reference: its accounts, and what its memos name. */
export function mentionsOf({ accounts, memos }: LandedTransaction): Set<string> {
  return new Set([...accounts, ...namedInMemos(memos)]);
}

/**
 * Locks the intents that a transaction names: the one that we signed it for, whatever else it mentions; otherwise all
 * that it mentions.
 */
export async function lockNamedIntents(
  tx: Tx,
  transaction: LandedTransaction,
  { owner }: Destination,
): Promise<NamedIntents> {
  const [sponsored] = await listSponsoredAmong(tx, [transaction.signature]);
  if (!sponsored) {
    const intents = await lockIntentsByReference(tx, owner, [...mentionsOf(transaction)]);
    return { intents, sponsored };
  }
  const locked = await lockIntentsById(tx, [{ merchantId: sponsored.merchantId, id: sponsored.intentId }]);
  return { intents: locked.filter((intent) => intent.destinationAddress === owner), sponsored };
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
