import { type Accounts, MAX_LAG_SLOTS } from './accounts.ts';
import type { Archive } from './archive.ts';
import { FINALIZED_AFTER_SLOTS } from './commitment.ts';
import type { Ledger } from './ledger.ts';
import type { LogPosition } from './ledger-log.ts';

/** A moment between two slots: where the log ended, so that it can be read on from there. */
export interface Mark extends LogPosition {
  /** Everything before is of an earlier slot, and everything after of this one or a later one. */
  slot: number;
  reservedUpTo: number;
  unixTime: number;
}

export interface ArchiverParts {
  archive: Archive;
  ledger: Ledger;
  accounts: Accounts;
}

/** Age up to which a lagging node may show a slot as final. Nothing older is read as of the past, or rolled back. */
const KEPT_SLOTS = MAX_LAG_SLOTS + 2 * FINALIZED_AFTER_SLOTS;
const MARK_EVERY_SLOTS = 16;

/** Moves what has become old from memory to the archive, so that a chain can run for months. */
export class Archiver {
  readonly #parts: ArchiverParts;
  readonly #marks: Mark[] = [];

  constructor(parts: ArchiverParts) {
    this.#parts = parts;
  }

  /** Called as slots open, in the past that is loaded and in the present. */
  slotOpened(mark: Mark): void {
    const last = this.#marks.at(-1);
    if (last && mark.slot < last.slot + MARK_EVERY_SLOTS) return;
    this.#marks.push(mark);
    const old = this.#marks.findLastIndex(({ slot }) => slot <= mark.slot - KEPT_SLOTS);
    if (old < 0) return;
    try {
      this.#moveUpTo(this.#marks[old]!);
      this.#marks.splice(0, old + 1);
    } catch {
      // A full disk, or another process: all stays in memory, and the next mark tries again.
    }
  }

  #moveUpTo({ slot, ...reached }: Mark): void {
    const { archive, ledger, accounts } = this.#parts;
    const entries = ledger.recentBefore(slot);
    const settled = accounts.trackedAt(new Set(entries.flatMap((entry) => entry.keys)), slot - 1);
    const count = ledger.archivedCount + entries.length;
    archive.add({ entries, accounts: settled, checkpoint: { ...reached, count } });
    ledger.forget(entries);
    accounts.forget(settled, slot - 1);
  }
}
