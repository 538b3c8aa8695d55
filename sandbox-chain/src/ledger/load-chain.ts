import type { Accounts } from './accounts.ts';
import type { Archive, Checkpoint } from './archive.ts';
import { Archiver } from './archiver.ts';
import { entryOf } from './entry.ts';
import { genesisAccounts, SANDBOX_FIRST_SLOT, SANDBOX_GENESIS_HASH } from './genesis.ts';
import type { Ledger } from './ledger.ts';
import {
  hasPosition,
  type LedgerLog,
  type LoadedRecord,
  type LogPosition,
  memoryLog,
  openLedgerLog,
  type RecordPlace,
} from './ledger-log.ts';
import { type LandedSummary, readRecord, writeRecord } from './records.ts';
import type { Runtime } from './runtime.ts';
import { REMEMBERED_SLOTS, RESERVED_SLOTS, type SlotsStart } from './slots.ts';

/** The folder a chain is kept in, with its archive. */
export interface State {
  folder: string;
  archive: Archive;
}

export interface LoadedChain {
  log: LedgerLog;
  /** Absent where the chain lives in memory. */
  archiver: Archiver | undefined;
  /** Above every slot, and not before any time, that was ever shown. */
  start: SlotsStart;
}

interface Parts {
  runtime: Runtime;
  accounts: Accounts;
  ledger: Ledger;
}

/**
 * Brings the chain to where the last process left it, however that ended. Nothing is executed again: each
 * record says how the transaction left the accounts it changed. What the archive has is not read again.
 */
export function loadChain(state: State | undefined, parts: Parts): LoadedChain {
  for (const [address, account] of genesisAccounts()) parts.runtime.write(address, account);
  const archiver = state && new Archiver({ ...parts, archive: state.archive });
  const checkpoint = state && restoreArchived(state, parts.accounts);
  const loader = new Loader(parts, archiver, checkpoint);
  const log = state ? openLedgerLog(state.folder, (r) => loader.take(r), checkpoint) : memoryLog();
  if (loader.isEmpty)
    log.append(writeRecord({ kind: 'genesis', version: 1, genesisHash: SANDBOX_GENESIS_HASH }));
  parts.accounts.copyToRuntime();
  const { unixTime, knownTimes } = loader;
  return {
    log,
    archiver,
    start: { slot: Math.max(loader.slot + 1, SANDBOX_FIRST_SLOT), unixTime, knownTimes },
  };
}

/** The accounts as they were where the archive ends, and where that is. */
function restoreArchived({ folder, archive }: State, accounts: Accounts): Checkpoint | undefined {
  const { checkpoint } = archive;
  if (!checkpoint) return undefined;
  // Somebody may have put another log into the folder, or a power cut may have shortened this one.
  if (!hasPosition(folder, checkpoint)) {
    archive.clear();
    return undefined;
  }
  for (const [address, account] of archive.accounts()) accounts.restore(address, account);
  return checkpoint;
}

const MAX_SHARED_TEXTS = 20_000;

class Loader {
  readonly #parts: Parts;
  readonly #archiver: Archiver | undefined;
  /** One string for an address, not one for each time it was written. */
  readonly #texts = new Map<string, string>();
  readonly knownTimes = new Map<number, number>();
  isEmpty: boolean;
  slot: number;
  unixTime: number;

  constructor(parts: Parts, archiver: Archiver | undefined, checkpoint: Checkpoint | undefined) {
    this.#parts = parts;
    this.#archiver = archiver;
    this.isEmpty = checkpoint === undefined;
    this.slot = checkpoint?.reservedUpTo ?? 0;
    this.unixTime = checkpoint?.unixTime ?? 0;
  }

  take({ text, place, position }: LoadedRecord): void {
    const record = readRecord(text);
    if (this.isEmpty !== (record.kind === 'genesis'))
      throw new Error('the ledger log has no proper beginning');
    this.isEmpty = false;
    switch (record.kind) {
      case 'genesis':
        if (record.version !== 1 || record.genesisHash !== SANDBOX_GENESIS_HASH)
          throw new Error('the ledger log belongs to another chain');
        break;
      case 'slots':
        this.#takeSlots(record, position);
        break;
      case 'rollBack':
        rollBackTo(record.toSlot, this.#parts);
        break;
      case 'transaction':
        this.#takeLanded(record.landed, place);
    }
  }

  #takeSlots({ upTo, unixTime }: { upTo: number; unixTime: number }, position: LogPosition): void {
    // A reservation goes beyond the one before and is noted as its first slot opens; a clean stop names its last slot.
    const isReservation = upTo > this.slot;
    const slot = isReservation ? upTo - RESERVED_SLOTS : upTo;
    this.#learnTime(slot, unixTime);
    // The last one holds: a clean stop takes back what was reserved and not used.
    this.slot = upTo;
    this.unixTime = Math.max(this.unixTime, unixTime);
    if (isReservation)
      this.#archiver?.slotOpened({ ...position, slot, reservedUpTo: upTo, unixTime: this.unixTime });
  }

  #takeLanded(landed: LandedSummary, place: RecordPlace): void {
    const { accounts, ledger, runtime } = this.#parts;
    landed.keys = landed.keys.map((key) => this.#shared(key));
    for (const [address, after] of landed.changed) {
      if (after) after.owner = this.#shared(after.owner);
      // Until all is loaded the runtime still holds what every account was at the beginning.
      accounts.record(landed.slot, this.#shared(address), () => runtime.read(address), after);
    }
    ledger.add(entryOf(landed, ledger.size, place));
    this.#learnTime(landed.slot, landed.blockTime);
    this.slot = Math.max(this.slot, landed.slot);
    this.unixTime = Math.max(this.unixTime, landed.blockTime);
  }

  #learnTime(slot: number, unixTime: number): void {
    this.knownTimes.set(slot, unixTime);
    const [oldest] = this.knownTimes.keys();
    if (this.knownTimes.size > REMEMBERED_SLOTS) this.knownTimes.delete(oldest!);
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (this.#texts.size > MAX_SHARED_TEXTS) this.#texts.clear();
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}

/** Takes out what landed after `slot`. The runtime follows only for a chain that is already running. */
export function rollBackTo(slot: number, { ledger, accounts }: Parts): string[] {
  const gone = ledger.rollBackTo(slot);
  accounts.rollBackTo(slot, new Set(gone.flatMap((entry) => entry.keys)));
  return gone.map((entry) => entry.signature);
}
