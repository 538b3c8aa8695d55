import type { Json } from '../../src/platform/lib/json.ts';

/** A recorded transaction as record.py keeps it. Numbers in `before`, `after` and instructions are places in `names`. */
export interface Facts {
  signature: string;
  /** Repository and path in which the answer was found. */
  source: string;
  network: string;
  encoding: string;
  /** Its signatures fit what was signed; false where the recorded answer does not tell all of that. */
  isProven: boolean;
  slot: number;
  blockTime: number | null;
  version: 'legacy' | number;
  fee: number | null;
  err: Json;
  signatures: number;
  /** Numbers of accounts in the message, and of those loaded from lookup tables: writable, read-only. */
  keys: [number, number, number];
  names: string[];
  before: Held[] | null;
  after: Held[] | null;
  instructions: Call[];
  inner: [number, Call[]][];
}

/** Account, mint, owner, program, amount, decimals. */
type Held = [number, number, number, number, string, number];
/** Program, accounts, data. */
type Call = [number, number[], string];

/** Builds the answer of getTransaction again, in encoding json. */
export function buildAnswer(facts: Facts): { [key: string]: Json } {
  const { names, keys } = facts;
  const [fixed, writable, readonly] = keys;
  const held = (list: Held[]) => list.map((each) => tokenBalance(each, names));
  return {
    blockTime: facts.blockTime,
    meta: {
      err: facts.err,
      fee: facts.fee,
      innerInstructions: facts.inner.map(([index, calls]) => ({
        index,
        instructions: calls.map((call) => ({ ...instruction(call), stackHeight: 2 })),
      })),
      loadedAddresses: {
        readonly: names.slice(fixed + writable, fixed + writable + readonly),
        writable: names.slice(fixed, fixed + writable),
      },
      logMessages: null,
      ...(facts.after === null ? {} : { postTokenBalances: held(facts.after) }),
      ...(facts.before === null ? {} : { preTokenBalances: held(facts.before) }),
      rewards: null,
      status: facts.err === null ? { Ok: null } : { Err: facts.err },
    },
    slot: facts.slot,
    transaction: {
      message: {
        accountKeys: names.slice(0, fixed),
        instructions: facts.instructions.map((call) => ({ ...instruction(call), stackHeight: 1 })),
      },
      signatures: [facts.signature, ...Array<string>(facts.signatures - 1).fill(facts.signature)],
    },
    version: facts.version,
  };
}

function tokenBalance(held: Held, names: readonly string[]): { [key: string]: Json } {
  const [accountIndex, mint, owner, program, amount, decimals] = held;
  return {
    accountIndex,
    mint: names[mint]!,
    owner: names[owner]!,
    programId: names[program]!,
    uiTokenAmount: { amount, decimals, uiAmount: null, uiAmountString: amount },
  };
}

function instruction([programIdIndex, accounts, data]: Call): { [key: string]: Json } {
  return { accounts, data, programIdIndex };
}
