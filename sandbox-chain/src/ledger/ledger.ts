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
  /** Every account the transaction names, those from lookup tables included. */
  keys: string[];
  place: RecordPlace;
}

export function entryOf(landed: LandedSummary, sequence: number, place: RecordPlace): LedgerEntry {
  const { signature, slot, blockTime, err, memo, keys } = landed;
  return { sequence, signature, slot, blockTime, err, memo, keys, place };
}

export interface Page {
  before: LedgerEntry | undefined;
  until: LedgerEntry | undefined;
  limit: number;
  /** Nothing newer is shown. */
  maxSlot: number;
}

/** Which transaction happened when, and to whom. Every look-up is by index, however long the chain gets. */
export class Ledger {
  readonly #bySignature = new Map<string, LedgerEntry>();
  readonly #byKey = new Map<string, LedgerEntry[]>();
  readonly #bySlot = new Map<number, LedgerEntry[]>();
  readonly #entries: LedgerEntry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  add(entry: LedgerEntry): void {
    this.#entries.push(entry);
    this.#bySignature.set(entry.signature, entry);
    append(this.#bySlot, entry.slot, entry);
    for (const key of entry.keys) append(this.#byKey, key, entry);
  }

  find(signature: string): LedgerEntry | undefined {
    return this.#bySignature.get(signature);
  }

  inSlot(slot: number): readonly LedgerEntry[] {
    return this.#bySlot.get(slot) ?? [];
  }

  /** Newest first: from below `before` down to above `until`. */
  page(key: string, { before, until, limit, maxSlot }: Page): LedgerEntry[] {
    const entries = this.#byKey.get(key) ?? [];
    const page: LedgerEntry[] = [];
    const shown = countWhile(entries, (entry) => entry.slot <= maxSlot);
    const below = before ? countWhile(entries, (entry) => entry.sequence < before.sequence) : shown;
    for (let at = Math.min(shown, below) - 1; at >= 0 && page.length < limit; at--) {
      const entry = entries[at]!;
      if (until && entry.sequence <= until.sequence) break;
      page.push(entry);
    }
    return page;
  }

  /** Takes the transactions after `slot` out again and returns them. */
  rollBackTo(slot: number): LedgerEntry[] {
    const cut = this.#entries.findLastIndex((entry) => entry.slot <= slot) + 1;
    const gone = this.#entries.splice(cut);
    for (const entry of gone) {
      this.#bySignature.delete(entry.signature);
      this.#bySlot.delete(entry.slot);
      // All later entries of the key are going too, so each removes one from the end.
      for (const key of entry.keys) this.#byKey.get(key)!.pop();
    }
    return gone;
  }
}

function append<Key>(index: Map<Key, LedgerEntry[]>, key: Key, entry: LedgerEntry): void {
  const entries = index.get(key);
  if (entries) entries.push(entry);
  else index.set(key, [entry]);
}

/** How many entries at the front are so; they are in order, so halving finds the end of them. */
function countWhile(entries: readonly LedgerEntry[], isSo: (entry: LedgerEntry) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(entries[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
