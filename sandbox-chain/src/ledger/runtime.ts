import {
  Account,
  Clock,
  FailedTransactionMetadata,
  LiteSvm,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import { addressBytes, addressText } from './addresses.ts';
import { type AccountState, SLOTS_PER_EPOCH } from './genesis.ts';
import { slotHashes } from './slot-hashes.ts';
import { type TransactionError, transactionErrorOf } from './transaction-error.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** Result of executing a transaction. */
export interface Outcome {
  err: TransactionError | null;
  logs: string[];
  innerInstructions: InnerInstructions[];
  unitsConsumed: number;
  returnData: { programId: string; data: Buffer } | null;
  /** False when the transaction was refused before execution: it then paid nothing and does not land. */
  executed: boolean;
}

export interface InnerInstructions {
  /** Index of the instruction of the message that made these calls. */
  index: number;
  instructions: { programIndex: number; accounts: number[]; data: Buffer; stackHeight: number }[];
}

export interface Simulation extends Outcome {
  /** State of the writable accounts after a success; asked for by few, and costly. */
  after(): Map<string, AccountState>;
}

const SYSVAR_OWNER = addressBytes('Sysvar1111111111111111111111111111111111111');
const SLOT_HASHES = addressBytes('SysvarS1otHashes111111111111111111111111111');

/**
 * The real Solana runtime with its real programs. Age and signature of a transaction are checked before it comes
 * here. The package's outer class is passed by: it takes every address through base58, which costs ten times
 * what executing does.
 */
export class Runtime {
  readonly #svm = new LiteSvm();
  readonly #slotHashes = slotHashes();
  #slot = -1;

  constructor() {
    this.#svm.setBlockhashCheck(false);
    this.#svm.setSigverify(false);
    this.#svm.setTransactionHistory(0n);
    this.#svm.withNativeMints();
  }

  /** Tells programs the time. Called before executing only, for the runtime takes its while over it. */
  enterSlot(slot: number, unixTime: number): void {
    if (slot === this.#slot) return;
    this.#slot = slot;
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
    this.#svm.setClock(new Clock(BigInt(slot), BigInt(unixTime), epoch, epoch + 1n, BigInt(unixTime)));
    this.#svm.setAccount(SLOT_HASHES, new Account(1n, this.#slotHashes(slot), SYSVAR_OWNER, false, 0n));
  }

  execute(tx: WireTransaction): Outcome {
    const result =
      tx.message.version === 'legacy'
        ? this.#svm.sendLegacyTransaction(tx.bytes)
        : this.#svm.sendVersionedTransaction(tx.bytes);
    return result instanceof FailedTransactionMetadata
      ? outcomeOf(result.meta(), transactionErrorOf(result))
      : outcomeOf(result, null);
  }

  simulate(tx: WireTransaction): Simulation {
    const result =
      tx.message.version === 'legacy'
        ? this.#svm.simulateLegacyTransaction(tx.bytes)
        : this.#svm.simulateVersionedTransaction(tx.bytes);
    if (result instanceof FailedTransactionMetadata)
      return { ...outcomeOf(result.meta(), transactionErrorOf(result)), after: () => new Map() };
    const after = () =>
      new Map(result.postAccounts().map((entry) => [addressText(entry.address), stateOf(entry.account())]));
    return { ...outcomeOf(result.meta(), null), after };
  }

  read(address: string): AccountState | undefined {
    const account = this.#svm.getAccount(addressBytes(address));
    return account ? stateOf(account) : undefined;
  }

  write(address: string, state: AccountState | undefined): void {
    const { lamports, owner, data, executable } = state ?? NOTHING;
    this.#svm.setAccount(
      addressBytes(address),
      new Account(lamports, data, addressBytes(owner), executable, 0n),
    );
  }

  rentExemptLamports(dataLength: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(dataLength));
  }
}

/** For a transaction that the runtime never got to see. */
export function notExecuted(err: TransactionError): Outcome {
  return { err, logs: [], innerInstructions: [], unitsConsumed: 0, returnData: null, executed: false };
}

/** An account without lamports is no account. */
const NOTHING: AccountState = {
  lamports: 0n,
  owner: '11111111111111111111111111111111',
  data: new Uint8Array(),
  executable: false,
};

function stateOf(account: Account): AccountState {
  return {
    lamports: account.lamports(),
    owner: addressText(account.owner()),
    data: account.data(),
    executable: account.executable(),
  };
}

function outcomeOf(meta: TransactionMetadata, err: TransactionError | null): Outcome {
  return {
    err,
    logs: meta.logs(),
    innerInstructions: innerInstructionsOf(meta),
    unitsConsumed: Number(meta.computeUnitsConsumed()),
    returnData: returnDataOf(meta),
    // The runtime leaves the signature empty for what it did not even try.
    executed: meta.signature().some((byte) => byte !== 0),
  };
}

function innerInstructionsOf(meta: TransactionMetadata): InnerInstructions[] {
  return meta.innerInstructions().flatMap((calls, index) =>
    calls.length === 0
      ? []
      : {
          index,
          instructions: calls.map((call) => ({
            programIndex: call.instruction().programIdIndex(),
            accounts: [...call.instruction().accounts()],
            data: Buffer.from(call.instruction().data()),
            stackHeight: call.stackHeight(),
          })),
        },
  );
}

function returnDataOf(meta: TransactionMetadata): Outcome['returnData'] {
  const returned = meta.returnData();
  const data = Buffer.from(returned.data());
  return data.length === 0 ? null : { programId: addressText(returned.programId()), data };
}
