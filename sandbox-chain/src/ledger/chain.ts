import { type AccountKeys, accountKeysOf } from './account-keys.ts';
import { Accounts } from './accounts.ts';
import { type Archive, openArchive } from './archive.ts';
import type { Archiver } from './archiver.ts';
import { FINALIZED_AFTER_SLOTS } from './commitment.ts';
import { entryOf, type LedgerEntry, type RecentEntry } from './entry.ts';
import { type Change, executeTransaction } from './execute-transaction.ts';
import { Ledger } from './ledger.ts';
import type { LedgerLog, RecordPlace } from './ledger-log.ts';
import { isAlive } from './lifetime.ts';
import { type LoadedChain, loadChain, rollBackTo, type State } from './load-chain.ts';
import { type LandedTransaction, readLanded, writeLanded, writeRecord } from './records.ts';
import { notExecuted, type Outcome, Runtime, type Simulation } from './runtime.ts';
import { RESERVED_SLOTS, Slots } from './slots.ts';
import type { TransactionError } from './transaction-error.ts';
import type { WireTransaction } from './wire-transaction.ts';

export interface ChainOptions {
  now: () => Date;
  /** Without one the chain lives in memory. */
  stateFolder: string | undefined;
}

/** Called with what happens, in order and before the call that made it happen returns. */
export interface ChainWatcher {
  landed(entry: RecentEntry): void;
  slotOpened(): void;
}

/**
 * The sandbox's chain without its network face: transactions come in, are executed by the real runtime, and stay
 * with everything a cluster remembers about them. All of it happens in the order of the calls.
 */
export class Chain {
  readonly slots: Slots;
  readonly accounts: Accounts;
  readonly ledger: Ledger;
  readonly runtime = new Runtime();
  readonly #archive: Archive | undefined;
  readonly #archiver: Archiver | undefined;
  readonly #log: LedgerLog;
  readonly #watchers = new Set<ChainWatcher>();
  #reservedUpTo = 0;

  constructor({ now, stateFolder }: ChainOptions) {
    const state =
      stateFolder === undefined ? undefined : { folder: stateFolder, archive: openArchive(stateFolder) };
    this.#archive = state?.archive;
    this.accounts = new Accounts(this.runtime);
    this.ledger = new Ledger(state?.archive);
    const { log, archiver, start } = loadOrClose(state, this);
    this.#log = log;
    this.#archiver = archiver;
    this.slots = new Slots(now, start);
    this.#reserve(this.slots.slot);
  }

  watch(watcher: ChainWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** A slot that cannot be noted on disk is not opened. */
  openSlot(): void {
    this.#reserve(this.slots.slot + 1);
    this.slots.open();
    const { slot, time: unixTime } = this.slots;
    this.#archiver?.slotOpened({ ...this.#log.position, slot, reservedUpTo: this.#reservedUpTo, unixTime });
    for (const watcher of this.#watchers) watcher.slotOpened();
  }

  /** Why the transaction cannot run at all as of `slot`; undefined when it can be tried. */
  refusal(tx: WireTransaction, slot = this.slots.slot): TransactionError | undefined {
    const read = (address: string) => this.accounts.latest(address);
    if (!isAlive(tx.message, this.slots, slot, read)) return 'BlockhashNotFound';
    return this.ledger.find(tx.signature) ? 'AlreadyProcessed' : undefined;
  }

  accountKeys(tx: WireTransaction): AccountKeys | undefined {
    return accountKeysOf(tx.message, (address) => this.accounts.latest(address));
  }

  simulate(tx: WireTransaction): Simulation {
    this.runtime.enterSlot(this.slots.slot, this.slots.time);
    return this.runtime.simulate(tx);
  }

  /**
   * Signatures are checked already. Answers what came of a transaction that did not land, and undefined for one
   * that did, be it with an error; with `keepFailures` off only a success lands.
   */
  land(tx: WireTransaction, { keepFailures }: { keepFailures: boolean }): Outcome | undefined {
    const refusal = this.refusal(tx);
    if (refusal) return notExecuted(refusal);
    this.runtime.enterSlot(this.slots.slot, this.slots.time);
    const execution = executeTransaction(tx, this, keepFailures);
    if (!execution.landed) return execution.outcome;
    const entry = this.#commit(execution.transaction, execution.changes);
    for (const watcher of this.#watchers) watcher.landed(entry);
    return undefined;
  }

  /** Records a transaction on disk first: if the disk does not take it, it did not happen. */
  #commit(landed: LandedTransaction, changes: readonly Change[]): RecentEntry {
    const entry = entryOf(landed, this.ledger.size, this.#appendOrUndo(landed, changes));
    for (const { address, before, after } of changes)
      this.accounts.record(landed.slot, address, () => before, after);
    this.ledger.add(entry);
    return entry;
  }

  #appendOrUndo(landed: LandedTransaction, changes: readonly Change[]): RecordPlace {
    try {
      return this.#log.append(writeLanded(landed));
    } catch (error) {
      for (const { address, before } of changes) this.runtime.write(address, before);
      throw error;
    }
  }

  details(entry: LedgerEntry): LandedTransaction {
    return readLanded(this.#log.read(entry.place));
  }

  /**
   * The last slots turn out to be on the wrong fork: what landed in them never did, and may be sent again. What
   * is final cannot go.
   */
  rollBack(slotCount: number): string[] {
    if (!Number.isInteger(slotCount) || slotCount < 1 || slotCount > FINALIZED_AFTER_SLOTS)
      throw new Error(`only 1 to ${FINALIZED_AFTER_SLOTS} slots can be rolled back: what is older is final`);
    const toSlot = this.slots.slot - slotCount;
    this.#log.append(writeRecord({ kind: 'rollBack', toSlot }));
    const gone = rollBackTo(toSlot, this);
    this.openSlot();
    return gone;
  }

  /** Resolves when everything that happened so far would survive a power cut. */
  synced(): Promise<void> {
    return this.#log.synced();
  }

  /** The next start continues from exactly this slot. */
  async close(): Promise<void> {
    try {
      this.#log.append(writeRecord({ kind: 'slots', upTo: this.slots.slot, unixTime: this.slots.time }));
    } finally {
      this.#archive?.close();
      await this.#log.close();
    }
  }

  #reserve(slot: number): void {
    if (slot <= this.#reservedUpTo) return;
    const upTo = slot + RESERVED_SLOTS;
    this.#log.append(writeRecord({ kind: 'slots', upTo, unixTime: this.slots.time }));
    this.#reservedUpTo = upTo;
  }
}

/** Closes the archive of a chain that cannot be loaded: it may be repaired then, and the archive must be free. */
function loadOrClose(state: State | undefined, chain: Chain): LoadedChain {
  try {
    return loadChain(state, chain);
  } catch (error) {
    state?.archive.close();
    throw error;
  }
}
