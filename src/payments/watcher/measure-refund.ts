import { attribute } from '../../chain/solana/attribute.ts';
import { measureLoss, payersOf } from '../../chain/solana/find-payer.ts';
import { type Destination, measureReceived } from '../../chain/solana/measure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { listNamedRefunds, type NamedRefund } from '../refunds/queries.ts';
import { listOwnAddresses } from './queries.ts';

/** Amount that a transaction brought for a refund. */
export interface MeasuredRefund {
  baseUnits: BaseUnits;
  /** The part that left addresses at which the merchant is or was paid. */
  ownBaseUnits: BaseUnits;
}

/**
 * Returns what a transaction brought for this refund: growth of its address that belongs to this reference and no
 * other.
 */
export async function measureRefund(
  db: Queryable,
  { merchantId, id }: Ref,
  destination: Destination,
  transaction: LandedTransaction,
  named: readonly NamedRefund[],
): Promise<MeasuredRefund> {
  const received = measureReceived(transaction, destination);
  const claimants = named.filter(({ address }) => address === destination.owner);
  const { shares } = attribute(transaction, destination.account, received, claimants);
  const baseUnits = shares.get(id) ?? 0n;
  if (baseUnits === 0n) return { baseUnits, ownBaseUnits: 0n };
  const { owner, mint } = destination;
  const payers = [...payersOf(transaction, { mint, destination: owner })];
  // An address that becomes the merchant's later changes nothing that was booked.
  const own = await listOwnAddresses(db, merchantId, payers, transaction.blockTime);
  const lost = measureLoss(transaction, mint, own);
  return { baseUnits, ownBaseUnits: lost < baseUnits ? lost : baseUnits };
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
