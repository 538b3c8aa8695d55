import { namedInMemos } from '../../chain/solana/order-memo.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';

/** Amount that a transaction on chain brings an order; it never changes. */
export interface PaymentRead {
  receivedBaseUnits: BaseUnits;
  /** The reference of the one order that it names; undefined where it names none or several. */
  reference: string | undefined;
}

const MAX_REMEMBERED = 20_000;

/** Cache of transactions to an address, so that naming an order repeatedly costs one call each. */
export interface PaymentsRead {
  find(signature: string, payTo: string): PaymentRead | undefined;
  note(shown: LandedTransaction, payTo: string, receivedBaseUnits: BaseUnits): PaymentRead;
}

export function paymentsRead(): PaymentsRead {
  const remembered = new BoundedMap<string, PaymentRead>(MAX_REMEMBERED);
  return {
    find: (signature, payTo) => remembered.get(`${signature} ${payTo}`),
    note({ signature, memos }, payTo, receivedBaseUnits) {
      const [named, another] = namedInMemos(memos);
      const read = { receivedBaseUnits, reference: another === undefined ? named : undefined };
      remembered.set(`${signature} ${payTo}`, read);
      return read;
    },
  };
}
