import { decodeBase58 } from '../lib/base58.ts';
import type { Json } from '../lib/json.ts';
import { RpcFailure } from './rpc.ts';
import { amount, array, integer, object, text } from './shapes.ts';

export interface TokenBalance {
  account: string;
  mint: string;
  owner: string;
  program: string;
  amount: bigint;
}

/** A token transfer as an instruction states it; used to attribute, never to measure. */
export interface StatedTransfer {
  destination: string;
  amount: bigint;
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
  before: readonly TokenBalance[];
  after: readonly TokenBalance[];
  transfers: readonly StatedTransfer[];
}

/** Reads an answer of getTransaction (encoding json). Null when the node does not have it. */
export function readTransaction(signature: string, value: Json): LandedTransaction | null {
  if (value === null) return null;
  const landed = object(value, 'transaction');
  const meta = object(landed.meta, 'meta');
  const body = object(landed.transaction, 'transaction');
  const signatures = array(body.signatures, 'signatures');
  if (signatures[0] !== signature) throw new RpcFailure('the node answered with another transaction');
  const message = object(body.message, 'message');
  const accounts = accountKeys(message, meta);
  if (landed.blockTime === null || landed.blockTime === undefined)
    throw new RpcFailure('a transaction without a block time');
  const names = (index: Json | undefined) => accounts[integer(index, 'account index')] ?? missing();
  return {
    signature,
    slot: integer(landed.slot, 'slot'),
    blockTime: new Date(integer(landed.blockTime, 'blockTime') * 1000),
    hasFailed: meta.err !== null && meta.err !== undefined,
    accounts,
    before: balances(meta.preTokenBalances, names),
    after: balances(meta.postTokenBalances, names),
    transfers: statedTransfers(message, meta, names),
  };
}

type JsonObject = { [key: string]: Json };

function accountKeys(message: JsonObject, meta: JsonObject): string[] {
  const keys = array(message.accountKeys, 'accountKeys').map((key) => text(key, 'account key'));
  const loaded = meta.loadedAddresses;
  if (loaded === null || loaded === undefined) return keys;
  const { writable, readonly } = object(loaded, 'loadedAddresses');
  return [...keys, ...addresses(writable), ...addresses(readonly)];
}

function addresses(value: Json | undefined): string[] {
  return value === undefined ? [] : array(value, 'addresses').map((key) => text(key, 'address'));
}

type Names = (index: Json | undefined) => string;

function balances(value: Json | undefined, names: Names): TokenBalance[] {
  // Some nodes leave the lists out when there is nothing in them.
  if (value === null || value === undefined) return [];
  return array(value, 'token balances').map((item) => {
    const balance = object(item, 'token balance');
    return {
      account: names(balance.accountIndex),
      mint: text(balance.mint, 'mint'),
      owner: text(balance.owner, 'owner'),
      program: text(balance.programId, 'programId'),
      amount: amount(object(balance.uiTokenAmount, 'uiTokenAmount').amount, 'amount'),
    };
  });
}

const TRANSFER = 3;
const TRANSFER_CHECKED = 12;

function statedTransfers(message: JsonObject, meta: JsonObject, names: Names): StatedTransfer[] {
  const outer = array(message.instructions, 'instructions');
  const inner = meta.innerInstructions ? array(meta.innerInstructions, 'innerInstructions') : [];
  const all = [
    ...outer,
    ...inner.flatMap((group) => array(object(group, 'inner').instructions, 'instructions')),
  ];
  return all.flatMap((item) => {
    const instruction = object(item, 'instruction');
    const data = decodeBase58(text(instruction.data, 'data'));
    const accounts = array(instruction.accounts, 'accounts').map(names);
    const transfer = data && readTransfer(data, accounts);
    return transfer ? [transfer] : [];
  });
}

/** SPL Token's Transfer and TransferChecked; whose program it is does not matter, because it only attributes. */
function readTransfer(data: Uint8Array, accounts: string[]): StatedTransfer | undefined {
  if (data.length < 9) return undefined;
  const units = Buffer.from(data).readBigUInt64LE(1);
  if (data[0] === TRANSFER && accounts.length >= 3)
    return { destination: accounts[1]!, amount: units, accounts };
  if (data[0] === TRANSFER_CHECKED && accounts.length >= 4)
    return { destination: accounts[2]!, amount: units, accounts };
  return undefined;
}

function missing(): never {
  throw new RpcFailure('an account index beyond the account keys');
}
