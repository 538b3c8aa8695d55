import type { Archive } from './archive.ts';
import type { LedgerEntry, RecentEntry } from './entry.ts';

export interface Page {
  before: LedgerEntry | undefined;
  until: LedgerEntry | undefined;
  limit: number;
  /** Nothing newer is shown. */
  maxSlot: number;
}

/**
 * Index of all transactions by time and by account: the recent ones in memory, those before them in the archive. Every
 * look-up is by index, however long the chain gets.
 */
export class Ledger {
  /** Absent: everything is kept in memory. */
  readonly #archive: Archive | undefined;
  readonly #bySignature = new Map<string, RecentEntry>();
  readonly #byKey = new Map<string, RecentEntry[]>();
  readonly #bySlot = new Map<number, RecentEntry[]>();
  readonly #recent: RecentEntry[] = [];

  constructor(archive?: Archive) {
    this.#archive = archive;
  }

  get size(): number {
    return this.archivedCount + this.#recent.length;
  }

  /** How many are held in memory. */
  get recentCount(): number {
    return this.#recent.length;
  }

  get archivedCount(): number {
    return this.#archive?.checkpoint?.count ?? 0;
  }

  add(entry: RecentEntry): void {
    this.#recent.push(entry);
    this.#bySignature.set(entry.signature, entry);
    append(this.#bySlot, entry.slot, entry);
    for (const key of entry.keys) append(this.#byKey, key, entry);
  }

  find(signature: string): LedgerEntry | undefined {
    return this.#bySignature.get(signature) ?? this.#archive?.find(signature);
  }

  /** Entries of a recent slot. */
  inSlot(slot: number): readonly RecentEntry[] {
    return this.#bySlot.get(slot) ?? [];
  }

  /** A transaction's place in its block; the first one is 0. */
  indexInSlot({ slot, sequence }: LedgerEntry): number {
    const first = this.inSlot(slot)[0]?.sequence ?? this.#archive?.firstOf(slot) ?? sequence;
    return sequence - first;
  }

  /** Known of any slot that something landed in. */
  blockTime(slot: number): number | undefined {
    return this.inSlot(slot)[0]?.blockTime ?? this.#archive?.blockTime(slot);
  }

  /** Newest first: from below `before` down to above `until`. */
  page(key: string, page: Page): LedgerEntry[] {
    const { before, until, limit, maxSlot } = page;
    const found: LedgerEntry[] = this.#recentPage(key, page);
    // The archive is older than everything here: it is asked only where that is not enough.
    if (!this.#archive || found.length === limit || (until && until.sequence >= this.archivedCount))
      return found;
    const below = Math.min(before?.sequence ?? this.archivedCount, this.archivedCount);
    const older = { below, above: until?.sequence ?? -1, maxSlot, limit: limit - found.length };
    return [...found, ...this.#archive.page(key, older)];
  }

  #recentPage(key: string, { before, until, limit, maxSlot }: Page): RecentEntry[] {
    const entries = this.#byKey.get(key) ?? [];
    const page: RecentEntry[] = [];
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
  rollBackTo(slot: number): RecentEntry[] {
    const cut = this.#recent.findLastIndex((entry) => entry.slot <= slot) + 1;
    const gone = this.#recent.splice(cut);
    for (const entry of gone) {
      this.#bySignature.delete(entry.signature);
      this.#bySlot.delete(entry.slot);
      // All later entries of the key are going too, so each removes one from the end.
      for (const key of entry.keys) this.#byKey.get(key)!.pop();
    }
    return gone;
  }

  /** The oldest in memory, up to that slot. */
  recentBefore(slot: number): RecentEntry[] {
    return this.#recent.slice(
      0,
      countWhile(this.#recent, (entry) => entry.slot < slot),
    );
  }

  /** Lets go of the oldest ones, which are in the archive now. */
  forget(entries: readonly RecentEntry[]): void {
    this.#recent.splice(0, entries.length);
    const counts = new Map<string, number>();
    for (const entry of entries) {
      this.#bySignature.delete(entry.signature);
      this.#bySlot.delete(entry.slot);
      for (const key of entry.keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, count] of counts) {
      const named = this.#byKey.get(key)!;
      if (named.length === count) this.#byKey.delete(key);
      else named.splice(0, count);
    }
  }
}

function append<Key>(index: Map<Key, RecentEntry[]>, key: Key, entry: RecentEntry): void {
  const entries = index.get(key);
  if (entries) entries.push(entry);
  else index.set(key, [entry]);
}

/** How many entries at the front are so; they are in order, so halving finds the end of them. */
function countWhile(entries: readonly RecentEntry[], isSo: (entry: RecentEntry) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(entries[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
