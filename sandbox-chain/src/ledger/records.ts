import type { AccountState } from './genesis.ts';
import type { InnerInstructions } from './runtime.ts';
import { type TokenBalance, tokenAmountOf } from './token-state.ts';
import type { TransactionError } from './transaction-error.ts';

/** A landed transaction as far as the ledger and the accounts need it. */
export interface LandedSummary {
  signature: string;
  slot: number;
  blockTime: number;
  /** Static keys, then loaded writable ones, then loaded read-only ones. */
  keys: string[];
  err: TransactionError | null;
  memo: string | null;
  /** The accounts the transaction changed, as it left them. */
  changed: [address: string, state: AccountState | undefined][];
}

/** A landed transaction with all that a cluster tells about it. */
export interface LandedTransaction extends LandedSummary {
  bytes: Buffer;
  loaded: LoadedKeys;
  fee: bigint;
  preBalances: bigint[];
  postBalances: bigint[];
  preTokenBalances: TokenBalance[];
  postTokenBalances: TokenBalance[];
  logs: string[];
  innerInstructions: InnerInstructions[];
  unitsConsumed: number;
  /** Bytes of the accounts it named, as they were before. */
  loadedBytes: number;
  returnData: { programId: string; data: Buffer } | null;
}

export interface LoadedKeys {
  writable: string[];
  readonly: string[];
}

/** The kinds of lines in the ledger log. */
export type ChainRecord =
  | { kind: 'genesis'; version: 1; genesisHash: string }
  /** No slot above `upTo` was shown to anyone before the next record of this kind. */
  | { kind: 'slots'; upTo: number; unixTime: number }
  | { kind: 'rollBack'; toSlot: number }
  | { kind: 'transaction'; landed: LandedSummary };

/** JSON escapes tabs, so a bare one can part what a start reads from what only getTransaction asks for. */
const PART = '\t';

export function writeRecord(record: Exclude<ChainRecord, { kind: 'transaction' }>): string {
  return JSON.stringify(record);
}

/** JSON has neither bytes nor 64-bit integers: bytes are base64, lamports are digits in quotes. */
export function writeLanded(landed: LandedTransaction): string {
  const { signature, slot, blockTime, keys, err, memo, changed, ...details } = landed;
  const accounts = changed.map(([address, state]) => [address, state ? writeState(state) : null]);
  const summary = { signature, slot, blockTime, keys, err, memo, changed: accounts };
  const rest = {
    ...details,
    bytes: details.bytes.toString('base64'),
    fee: `${details.fee}`,
    preBalances: details.preBalances.map(String),
    postBalances: details.postBalances.map(String),
    preTokenBalances: details.preTokenBalances.map(writeTokenBalance),
    postTokenBalances: details.postTokenBalances.map(writeTokenBalance),
    innerInstructions: details.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map((call) => ({ ...call, data: call.data.toString('base64') })),
    })),
    returnData: details.returnData && {
      programId: details.returnData.programId,
      data: details.returnData.data.toString('base64'),
    },
  };
  return `${JSON.stringify({ kind: 'transaction', landed: summary })}${PART}${JSON.stringify(rest)}`;
}

function writeState({ lamports, owner, data, executable }: AccountState) {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return { lamports: `${lamports}`, owner, data: bytes.toString('base64'), executable };
}

function writeTokenBalance({ accountIndex, mint, owner, programId, uiTokenAmount }: TokenBalance) {
  return [accountIndex, mint, owner, programId, uiTokenAmount.amount, uiTokenAmount.decimals] as const;
}

type WrittenState = ReturnType<typeof writeState>;

/** Reads a record; of a transaction, only its summary. */
export function readRecord(text: string): ChainRecord {
  const part = text.indexOf(PART);
  const record = JSON.parse(part < 0 ? text : text.slice(0, part));
  if (record.kind !== 'transaction') return record;
  record.landed.changed = record.landed.changed.map(([address, state]: [string, WrittenState | null]) => [
    address,
    state ? readState(state) : undefined,
  ]);
  return record;
}

function readState({ lamports, owner, data, executable }: WrittenState): AccountState {
  return { lamports: BigInt(lamports), owner, data: Buffer.from(data, 'base64'), executable };
}

export function readLanded(text: string): LandedTransaction {
  const record = readRecord(text);
  if (record.kind !== 'transaction') throw new Error('this record of the ledger log is no transaction');
  const details = JSON.parse(text.slice(text.indexOf(PART)));
  for (const { instructions } of details.innerInstructions)
    for (const call of instructions) call.data = Buffer.from(call.data, 'base64');
  if (details.returnData) details.returnData.data = Buffer.from(details.returnData.data, 'base64');
  return {
    ...record.landed,
    ...details,
    bytes: Buffer.from(details.bytes, 'base64'),
    fee: BigInt(details.fee),
    // Logs of earlier releases do not have it.
    loadedBytes: details.loadedBytes ?? 0,
    preBalances: details.preBalances.map(BigInt),
    postBalances: details.postBalances.map(BigInt),
    preTokenBalances: details.preTokenBalances.map(readTokenBalance),
    postTokenBalances: details.postTokenBalances.map(readTokenBalance),
  };
}

function readTokenBalance(written: ReturnType<typeof writeTokenBalance>): TokenBalance {
  const [accountIndex, mint, owner, programId, amount, decimals] = written;
  return { accountIndex, mint, owner, programId, uiTokenAmount: tokenAmountOf(BigInt(amount), decimals) };
}
