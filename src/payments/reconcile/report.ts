import type { WaivedSums } from '../../intents/stats-queries.ts';

export interface Difference {
  destination: string;
  signature: string;
  /** Base units that arrived according to our books, and according to the chain. */
  booked: bigint | null;
  onChain: bigint | null;
}

/** Item that could not be compared: one transaction, or (without a signature) a part of an account's history. */
export interface NotCompared {
  destination: string;
  signature: string | null;
  problem: string;
}

/** Findings about one account or refund. */
export interface Findings {
  transactions: number;
  /** Number of them that were fetched; the others are proven by balances. */
  fetched: number;
  differences: Difference[];
  /** Entries that the books lacked and have now. */
  repaired: Difference[];
  unreadable: NotCompared[];
}

export interface ReconcileReport extends Findings {
  accounts: number;
  /** Number of refunds for which the books know of sent money. */
  refunds: number;
  /** Accounts and refunds that an interruption left out or unfinished. */
  left: number;
  /** The total that merchants have waived, which never arrived on chain. */
  waived: WaivedSums;
}

export function noFindings(): Findings {
  return { transactions: 0, fetched: 0, differences: [], repaired: [], unreadable: [] };
}

export function addFindings(to: Findings, more: Findings): void {
  to.transactions += more.transactions;
  to.fetched += more.fetched;
  for (const difference of more.differences) to.differences.push(difference);
  for (const difference of more.repaired) to.repaired.push(difference);
  for (const item of more.unreadable) to.unreadable.push(item);
}
