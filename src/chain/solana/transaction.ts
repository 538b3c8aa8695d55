import { decodeBase58 } from '../../platform/lib/base58.ts';
import type { Json } from '../../platform/lib/json.ts';
import { MEMO_PROGRAM, TOKEN_PROGRAM, TOKEN_PROGRAMS } from './network.ts';
import { RpcFailure, RpcMismatch } from './rpc-failure.ts';
import { addressText, amount, array, blockSeconds, integer, object, text } from './shapes.ts';

export interface TokenBalance {
  account: string;
  mint: string;
  owner: string;
  program: string;
  amount: bigint;
  /** Decimals of the token; null where a node does not say. */
  decimals: number | null;
}

/** A token transfer as an instruction states it; used to attribute, never to measure. */
export interface StatedTransfer {
  destination: string;
  amount: bigint;
  /** Signer who let the money go: the owner of the account it came from, or a delegate. */
  authority: string;
  /** Every account the instruction names, references among them. */
  accounts: readonly string[];
}

/** A landed transaction, reduced to what decides about money. */
export interface LandedTransaction {
  signature: string;
  slot: number;
  blockTime: Date;
  hasFailed: boolean;
  /** Static and loaded from lookup tables. */
  accounts: readonly string[];
  signers: readonly string[];
  before: readonly TokenBalance[];
  after: readonly TokenBalance[];
  transfers: readonly StatedTransfer[];
  /** Short ones only: a sender may write a thousand of them, and pages of text. */
  memos: readonly string[];
}

/** A transaction as a node shows it: now and then one does not know when a block was made. */
export type ReportedTransaction = Omit<LandedTransaction, 'blockTime'> & { blockTime: Date | null };

/** Reads an answer of getTransaction (encoding json). Null when the node does not have it. */
export function readTransaction(signature: string, value: Json): ReportedTransaction | null {
  if (value === null) return null;
  const landed = object(value, 'transaction');
  const meta = object(landed.meta, 'meta');
  const body = object(landed.transaction, 'transaction');
  const signatures = array(body.signatures, 'signatures');
  if (signatures[0] !== signature) throw new RpcMismatch('the node answered with another transaction');
  const message = object(body.message, 'message');
  const accounts = accountKeys(message, meta);
  const blockTime = landed.blockTime ?? null;
  const names = namesOf(accounts);
  return {
    signature,
    slot: integer(landed.slot, 'slot'),
    blockTime: blockTime === null ? null : new Date(blockSeconds(blockTime) * 1000),
    hasFailed: meta.err !== null && meta.err !== undefined,
    accounts,
    signers: accounts.slice(0, signatures.length),
    before: balances(meta.preTokenBalances, accounts),
    after: balances(meta.postTokenBalances, accounts),
    ...readInstructions(message, meta, names),
  };
}

type JsonObject = { [key: string]: Json };

/** A transaction names accounts by a byte. So what grows as the square of their number stays small. */
const MAX_ACCOUNTS = 256;

function accountKeys(message: JsonObject, meta: JsonObject): string[] {
  const keys = array(message.accountKeys, 'accountKeys').map((key) => addressText(key, 'account key'));
  const loaded = meta.loadedAddresses ?? null;
  if (loaded !== null) {
    const { writable, readonly } = object(loaded, 'loadedAddresses');
    keys.push(...addresses(writable), ...addresses(readonly));
  }
  if (keys.length > MAX_ACCOUNTS) throw new RpcFailure(`more than ${MAX_ACCOUNTS} accounts`);
  return keys;
}

function addresses(value: Json | undefined): string[] {
  return value === undefined ? [] : array(value, 'addresses').map((key) => addressText(key, 'address'));
}

type Names = (index: Json | undefined) => string;

function namesOf(accounts: readonly string[]): Names {
  return (index) => accounts[integer(index, 'account index')] ?? missing();
}

/**
 * Reads a list of token balances. A node that leaves it out where tokens may have moved has not said what moved: such an
 * answer is as good as none, and no proof that nothing came.
 */
function balances(value: Json | undefined, accounts: readonly string[]): TokenBalance[] {
  if (value === null || value === undefined) {
    if (namesTokenProgram(accounts)) throw new RpcFailure('the node leaves out the token balances');
    return [];
  }
  const names = namesOf(accounts);
  const listed = array(value, 'token balances');
  if (listed.length > MAX_ACCOUNTS) throw new RpcFailure('more token balances than accounts');
  return listed.map((item) => {
    const balance = object(item, 'token balance');
    const held = object(balance.uiTokenAmount, 'uiTokenAmount');
    return {
      account: names(balance.accountIndex),
      mint: addressText(balance.mint, 'mint'),
      owner: addressText(balance.owner, 'owner'),
      program: addressText(balance.programId, 'programId'),
      amount: amount(held.amount, 'amount'),
      decimals: decimalsOf(held.decimals),
    };
  });
}

/** A node lists token balances only of transactions that name a token program; without one no tokens move. */
export function namesTokenProgram(accounts: readonly string[]): boolean {
  return TOKEN_PROGRAMS.some((program) => accounts.includes(program));
}

/** A byte of the mint. It is shown and never counted with, so a node that leaves it out is read all the same. */
function decimalsOf(value: Json | undefined): number | null {
  const decimals = Number(value ?? -1);
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= 255 ? decimals : null;
}

const TRANSFER = 3;
const TRANSFER_CHECKED = 12;
/** A transfer has ten bytes at most, with room to spare here. A sender can put ten kilobytes into each call. */
const MAX_TRANSFER_CHARS = 64;

/** `florin:` and an address have 51 bytes at most, which are up to 70 characters. */
const MAX_MEMO_CHARS = 80;
const MAX_MEMOS = 4;

function readInstructions(message: JsonObject, meta: JsonObject, names: Names) {
  const outer = array(message.instructions, 'instructions');
  const inner = meta.innerInstructions ? array(meta.innerInstructions, 'innerInstructions') : [];
  const all = [
    ...outer,
    ...inner.flatMap((group) => array(object(group, 'inner').instructions, 'instructions')),
  ];
  const instructions = all.map((item) => object(item, 'instruction'));
  return {
    transfers: instructions.flatMap((instruction) => readTransfer(instruction, names) ?? []),
    memos: instructions.flatMap((instruction) => readMemo(instruction, names) ?? []).slice(0, MAX_MEMOS),
  };
}

function readMemo(instruction: JsonObject, names: Names): string | undefined {
  const written = text(instruction.data, 'data');
  if (written.length > MAX_MEMO_CHARS || names(instruction.programIdIndex) !== MEMO_PROGRAM) return undefined;
  const data = decodeBase58(written);
  return data && Buffer.from(data).toString('utf8');
}

/** SPL Token's Transfer and TransferChecked. Of all other calls nothing is decoded. */
function readTransfer(instruction: JsonObject, names: Names): StatedTransfer | undefined {
  const written = text(instruction.data, 'data');
  if (written.length > MAX_TRANSFER_CHARS || names(instruction.programIdIndex) !== TOKEN_PROGRAM)
    return undefined;
  const data = decodeBase58(written);
  if (!data || data.length < 9) return undefined;
  const accounts = array(instruction.accounts, 'accounts').map(names);
  const units = Buffer.from(data).readBigUInt64LE(1);
  if (data[0] === TRANSFER && accounts.length >= 3)
    return { destination: accounts[1]!, amount: units, authority: accounts[2]!, accounts };
  if (data[0] === TRANSFER_CHECKED && accounts.length >= 4)
    return { destination: accounts[2]!, amount: units, authority: accounts[3]!, accounts };
  return undefined;
}

function missing(): never {
  throw new RpcFailure('an account index beyond the account keys');
}
