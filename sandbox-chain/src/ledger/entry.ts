import type { RecordPlace } from './ledger-log.ts';
import type { LandedSummary } from './records.ts';
import type { TransactionError } from './transaction-error.ts';

/** A transaction that landed, as far as lists of transactions show it; the rest is read from the log. */
export interface LedgerEntry {
  /** Counts all landed transactions: the order they happened in. */
  sequence: number;
  signature: string;
  slot: number;
  blockTime: number;
  err: TransactionError | null;
  memo: string | null;
  place: RecordPlace;
}

/** One that is not in the archive yet. */
export interface RecentEntry extends LedgerEntry {
  /** Every account the transaction names, those from lookup tables included. */
  keys: string[];
}

export function entryOf(landed: LandedSummary, sequence: number, place: RecordPlace): RecentEntry {
  const { signature, slot, blockTime, err, memo, keys } = landed;
  return { sequence, signature, slot, blockTime, err, memo, keys, place };
}
