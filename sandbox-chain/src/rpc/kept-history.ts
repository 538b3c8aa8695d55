import type { LedgerEntry } from '../ledger/entry.ts';

export interface Kept {
  /** The oldest slot of the node's own ledger. */
  firstLocalSlot: number;
  /** How far its long-term storage goes; undefined where it has none. */
  archivedThrough: number | undefined;
}

/**
 * The part of the chain's history that one node still has. Its own ledger holds the last slots; a long-term storage,
 * if there is one, everything up to some slots ago. Anything that is in neither does not exist for this node.
 */
export class KeptHistory {
  readonly firstLocalSlot: number;
  readonly #archivedThrough: number | undefined;

  constructor({ firstLocalSlot, archivedThrough }: Kept) {
    this.firstLocalSlot = firstLocalSlot;
    this.#archivedThrough = archivedThrough;
  }

  get hasArchive(): boolean {
    return this.#archivedThrough !== undefined;
  }

  /** The oldest slot that it has anything of. */
  get firstSlot(): number {
    return this.hasArchive ? 0 : this.firstLocalSlot;
  }

  isLocal(slot: number): boolean {
    return slot >= this.firstLocalSlot;
  }

  isArchived(slot: number): boolean {
    return this.#archivedThrough !== undefined && slot <= this.#archivedThrough;
  }

  has(entry: LedgerEntry | undefined): entry is LedgerEntry {
    return entry !== undefined && (this.isLocal(entry.slot) || this.isArchived(entry.slot));
  }
}
