import { attribute } from '../../chain/solana/attribute.ts';
import { type Destination, measureReceived } from '../../chain/solana/measure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { listRefundsByReference } from '../refunds/queries.ts';

/** What a transaction brought for this refund: growth of its address that is this reference's and no other's. */
export async function measureRefund(
  db: Queryable,
  refundId: string,
  destination: Destination,
  transaction: LandedTransaction,
): Promise<BaseUnits> {
  const received = measureReceived(transaction, destination);
  const named = (await listRefundsByReference(db, transaction.accounts)).filter(
    ({ address }) => address === destination.owner,
  );
  const { shares } = attribute(transaction, destination.account, received, named);
  return shares.get(refundId) ?? 0n;
}
