import { encodeBase58 } from '../encoding/base58.ts';
import { isWritable } from '../ledger/account-keys.ts';
import type { LandedTransaction } from '../ledger/records.ts';
import type { InnerInstructions, Outcome } from '../ledger/runtime.ts';
import type { TokenBalance } from '../ledger/token-state.ts';
import { readTransaction, type WireTransaction } from '../ledger/wire-transaction.ts';
import { parseInstruction } from './parse-instruction.ts';
import { RpcError, UNSUPPORTED_TRANSACTION_VERSION } from './rpc-error.ts';

export const TRANSACTION_ENCODINGS = ['json', 'jsonParsed', 'base64', 'base58', 'binary'] as const;
export type TransactionEncoding = (typeof TRANSACTION_ENCODINGS)[number];

/** A landed transaction in the shape of getTransaction; `transactionIndex` is its place in the block. */
export function encodeTransaction(
  landed: LandedTransaction,
  transactionIndex: number,
  encoding: TransactionEncoding,
  maxVersion: number | undefined,
) {
  const tx = readTransaction(landed.bytes);
  const { version } = tx.message;
  if (version !== 'legacy' && (maxVersion === undefined || version > maxVersion))
    throw new RpcError(
      UNSUPPORTED_TRANSACTION_VERSION,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again ` +
        `with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  return {
    blockTime: landed.blockTime,
    meta: metaOf(tx, landed, encoding === 'jsonParsed', maxVersion !== undefined),
    slot: landed.slot,
    transaction: encodeBody(tx, landed, encoding),
    transactionIndex,
    ...(maxVersion !== undefined && { version }),
  };
}

function metaOf(tx: WireTransaction, landed: LandedTransaction, parsed: boolean, withLoaded: boolean) {
  const { err, loaded } = landed;
  return {
    computeUnitsConsumed: landed.unitsConsumed,
    costUnits: costOf(tx, landed),
    err,
    fee: landed.fee,
    innerInstructions: encodeInner(landed.innerInstructions, parsed ? landed.keys : undefined),
    // In the parsed form the loaded keys are among the account keys instead.
    ...(withLoaded &&
      !parsed && { loadedAddresses: { readonly: loaded.readonly, writable: loaded.writable } }),
    logMessages: landed.logs,
    postBalances: landed.postBalances,
    postTokenBalances: landed.postTokenBalances.map(asStored),
    preBalances: landed.preBalances,
    preTokenBalances: landed.preTokenBalances.map(asStored),
    ...(landed.returnData && { returnData: encodeReturnData(landed.returnData) }),
    rewards: [],
    status: statusOf(err),
  };
}

const UNITS_PER_SIGNATURE = 720;
const UNITS_PER_WRITE_LOCK = 300;
const DATA_BYTES_PER_UNIT = 4;
const PAGE_BYTES = 32 * 1024;
const UNITS_PER_PAGE = 8;

/** Share of a block that a transaction takes: its signatures, write locks and data, what ran, and the accounts that were loaded. */
function costOf(
  { message }: WireTransaction,
  { keys, loaded, unitsConsumed, loadedBytes }: LandedTransaction,
) {
  const written = keys.filter((_, i) => isWritable(message, loaded, i)).length;
  const dataBytes = message.instructions.reduce((bytes, { data }) => bytes + data.length, 0);
  return (
    UNITS_PER_SIGNATURE * message.requiredSignatures +
    UNITS_PER_WRITE_LOCK * written +
    Math.floor(dataBytes / DATA_BYTES_PER_UNIT) +
    unitsConsumed +
    UNITS_PER_PAGE * Math.max(1, Math.ceil(loadedBytes / PAGE_BYTES))
  );
}

/** The form in which nodes store balances does not tell 0 from nothing. */
function asStored(balance: TokenBalance) {
  const { uiTokenAmount } = balance;
  return uiTokenAmount.uiAmount === 0
    ? { ...balance, uiTokenAmount: { ...uiTokenAmount, uiAmount: null } }
    : balance;
}

export function statusOf(err: LandedTransaction['err']) {
  return err === null ? { Ok: null } : { Err: err };
}

export function encodeReturnData(returned: NonNullable<Outcome['returnData']>) {
  return { data: [returned.data.toString('base64'), 'base64'], programId: returned.programId };
}

/** With `keys`, instructions are parsed or name accounts by address; otherwise they name them by position. */
export function encodeInner(inner: readonly InnerInstructions[], keys?: readonly string[]) {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ stackHeight, ...call }) => ({
      ...encodeCall(call, keys),
      stackHeight,
    })),
  }));
}

interface Call {
  programIndex: number;
  accounts: number[];
  data: Buffer;
}

function encodeCall({ programIndex, accounts, data }: Call, keys: readonly string[] | undefined) {
  if (!keys) return { accounts, data: encodeBase58(data), programIdIndex: programIndex };
  const programId = keys[programIndex]!;
  const named = accounts.map((index) => keys[index]!);
  return (
    parseInstruction(programId, { accounts: named, data }) ?? {
      accounts: named,
      data: encodeBase58(data),
      programId,
    }
  );
}

function encodeBody(tx: WireTransaction, landed: LandedTransaction, encoding: TransactionEncoding): unknown {
  if (encoding === 'base64') return [tx.bytes.toString('base64'), 'base64'];
  if (encoding === 'base58') return [encodeBase58(tx.bytes), 'base58'];
  if (encoding === 'binary') return encodeBase58(tx.bytes);
  const message = encoding === 'json' ? encodeMessage(tx) : encodeParsedMessage(tx, landed);
  return { message, signatures: tx.signatures.map(encodeBase58) };
}

function encodeMessage(tx: WireTransaction) {
  const { message } = tx;
  return {
    accountKeys: message.staticKeys,
    ...lookupsAndConfig(tx),
    header: {
      numReadonlySignedAccounts: message.readonlySigned,
      numReadonlyUnsignedAccounts: message.readonlyUnsigned,
      numRequiredSignatures: message.requiredSignatures,
    },
    instructions: message.instructions.map((call) => ({ ...encodeCall(call, undefined), stackHeight: 1 })),
    recentBlockhash: message.lifetime,
  };
}

function encodeParsedMessage(tx: WireTransaction, { keys, loaded }: LandedTransaction) {
  const { message } = tx;
  return {
    accountKeys: keys.map((pubkey, i) => ({
      pubkey,
      signer: i < message.requiredSignatures,
      source: i < message.staticKeys.length ? 'transaction' : 'lookupTable',
      writable: isWritable(message, loaded, i),
    })),
    ...lookupsAndConfig(tx),
    instructions: message.instructions.map((call) => ({ ...encodeCall(call, keys), stackHeight: 1 })),
    recentBlockhash: message.lifetime,
  };
}

function lookupsAndConfig({ message: { version, lookups, config } }: WireTransaction) {
  return {
    ...(version === 0 && {
      addressTableLookups: lookups.map(({ table, writable, readonly }) => ({
        accountKey: table,
        readonlyIndexes: readonly,
        writableIndexes: writable,
      })),
    }),
    ...(config && {
      transactionConfig: {
        computeUnitLimit: config.computeUnitLimit ?? null,
        heapSize: config.heapSize ?? null,
        loadedAccountsDataSizeLimit: config.loadedAccountsDataSizeLimit ?? null,
        priorityFee: config.priorityFee ?? null,
      },
    }),
  };
}
