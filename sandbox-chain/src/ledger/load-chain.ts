import type { Accounts } from './accounts.ts';
import { genesisAccounts, SANDBOX_FIRST_SLOT, SANDBOX_GENESIS_HASH } from './genesis.ts';
import { entryOf, type Ledger } from './ledger.ts';
import { type LedgerLog, type LoadedRecord, memoryLog, openLedgerLog } from './ledger-log.ts';
import { readRecord, writeRecord } from './records.ts';
import type { Runtime } from './runtime.ts';
import { REMEMBERED_SLOTS, RESERVED_SLOTS, type SlotsStart } from './slots.ts';

export interface LoadedChain {
  log: LedgerLog;
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
 * record says how the transaction left the accounts it changed.
 */
export function loadChain(stateFolder: string | undefined, parts: Parts): LoadedChain {
  for (const [address, state] of genesisAccounts()) parts.runtime.write(address, state);
  const loader = new Loader(parts);
  const log = stateFolder === undefined ? memoryLog() : openLedgerLog(stateFolder, (r) => loader.take(r));
  if (loader.isEmpty)
    log.append(writeRecord({ kind: 'genesis', version: 1, genesisHash: SANDBOX_GENESIS_HASH }));
  parts.accounts.copyToRuntime();
  const { unixTime, knownTimes } = loader;
  return { log, start: { slot: Math.max(loader.slot + 1, SANDBOX_FIRST_SLOT), unixTime, knownTimes } };
}

class Loader {
  readonly #parts: Parts;
  /** One string for an address, not one for each time it was written. */
  readonly #texts = new Map<string, string>();
  readonly knownTimes = new Map<number, number>();
  isEmpty = true;
  slot = 0;
  unixTime = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  take({ text, place }: LoadedRecord): void {
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
        // A reservation goes beyond the one before and is noted as its first slot opens; a clean stop names its last slot.
        this.#learnTime(
          record.upTo > this.slot ? record.upTo - RESERVED_SLOTS : record.upTo,
          record.unixTime,
        );
        // The last one holds: a clean stop takes back what was reserved and not used.
        this.slot = record.upTo;
        this.unixTime = Math.max(this.unixTime, record.unixTime);
        break;
      case 'rollBack':
        rollBackTo(record.toSlot, this.#parts);
        break;
      case 'transaction': {
        const { landed } = record;
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
    }
  }

  #learnTime(slot: number, unixTime: number): void {
    this.knownTimes.set(slot, unixTime);
    const [oldest] = this.knownTimes.keys();
    if (this.knownTimes.size > REMEMBERED_SLOTS) this.knownTimes.delete(oldest!);
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
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
