import { attribute } from '../../chain/solana/attribute.ts';
import { type Destination, measureReceived } from '../../chain/solana/measure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { listNamedRefunds, type NamedRefund } from '../refunds/queries.ts';

/**
 * Returns what a transaction brought for this refund: growth of its address that belongs to this reference and no
 * other.
 */
export function measureRefund(
  refundId: string,
  destination: Destination,
  transaction: LandedTransaction,
  named: readonly NamedRefund[],
): BaseUnits {
  const received = measureReceived(transaction, destination);
  const claimants = named.filter(({ address }) => address === destination.owner);
  const { shares } = attribute(transaction, destination.account, received, claimants);
  return shares.get(refundId) ?? 0n;
}

/** The merchant's refunds whose references a transaction names. */
export type NamedRefunds = (
  merchantId: string,
  transaction: LandedTransaction,
) => Promise<readonly NamedRefund[]>;

/** Looked up once for each transaction and merchant. */
export function namedRefundsOnce(db: Queryable): NamedRefunds {
  const known = new Map<string, Promise<NamedRefund[]>>();
  return (merchantId, { signature, accounts }) => {
    // Nodes may show different accounts for one signature.
    const key = [merchantId, signature, ...accounts].join(' ');
    const named = known.get(key) ?? listNamedRefunds(db, merchantId, accounts);
    known.set(key, named);
    return named;
  };
}
