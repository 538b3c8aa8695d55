import { type AccountKeys, accountKeysOf, isWritable } from './account-keys.ts';
import { type Accounts, isSameState } from './accounts.ts';
import { feeOf } from './fees.ts';
import { type AccountState, blockhashOf } from './genesis.ts';
import { advancedNonce, usedNonce } from './lifetime.ts';
import { memoOf } from './memo.ts';
import type { LandedTransaction } from './records.ts';
import type { Outcome, Runtime } from './runtime.ts';
import type { Slots } from './slots.ts';
import { tokenBalancesOf } from './token-state.ts';
import type { WireTransaction } from './wire-transaction.ts';

export interface ChainParts {
  runtime: Runtime;
  accounts: Accounts;
  slots: Slots;
}

export interface Change {
  address: string;
  before: AccountState | undefined;
  after: AccountState | undefined;
}

/** Either the transaction left no trace, or it landed: with success, or with an error and its fee. */
export type Execution =
  | { landed: false; outcome: Outcome }
  | { landed: true; transaction: LandedTransaction; changes: Change[] };

/**
 * Runs a transaction in the open slot and notes everything about it that a cluster would. Without `keepFailures`
 * one that fails leaves no trace: that is a simulation first and the landing after it, for the price of one run.
 */
export function executeTransaction(tx: WireTransaction, parts: ChainParts, keepFailures: boolean): Execution {
  const { runtime, accounts, slots } = parts;
  const read = (address: string) => accounts.latest(address);
  const named = accountKeysOf(tx.message, read);
  if (!named) return { landed: false, outcome: runtime.simulate(tx) };
  const { keys, loaded } = named;
  const before = keys.map(read);
  const preTokenBalances = tokenBalancesOf(keys, read);
  const nonce = slots.isRecent(tx.message.lifetime, slots.slot) ? undefined : usedNonce(tx.message, read);

  const outcome = runtime.execute(tx);
  if (outcome.err !== null && !keepFailures) {
    runtime.write(keys[0]!, before[0]);
    return { landed: false, outcome };
  }
  if (!outcome.executed && !chargeOnly(tx, outcome, before[0], runtime)) return { landed: false, outcome };
  if (outcome.err !== null && nonce !== undefined) useUp(nonce, parts);

  const changes = changesOf(tx, named, before, runtime);
  const after = new Map(changes.map((change) => [change.address, change.after]));
  const readAfter = (address: string) => (after.has(address) ? after.get(address) : read(address));
  const preBalances = before.map((state) => state?.lamports ?? 0n);
  const postBalances = keys.map((key, i) =>
    after.has(key) ? (after.get(key)?.lamports ?? 0n) : preBalances[i]!,
  );
  const transaction: LandedTransaction = {
    signature: tx.signature,
    slot: slots.slot,
    blockTime: slots.time,
    bytes: tx.bytes,
    keys,
    loaded,
    err: outcome.err,
    // Lamports only move within a transaction, so what is missing afterwards is the fee.
    fee: sum(preBalances) - sum(postBalances),
    preBalances,
    postBalances,
    preTokenBalances,
    postTokenBalances: tokenBalancesOf(keys, readAfter),
    logs: outcome.logs,
    innerInstructions: outcome.innerInstructions,
    unitsConsumed: outcome.unitsConsumed,
    loadedBytes: before.reduce((bytes, state) => bytes + (state?.data.length ?? 0), 0),
    returnData: outcome.returnData,
    memo: memoOf(tx.message),
    changed: [...after],
  };
  return { landed: true, transaction, changes };
}

/** Errors of loading, not of running: a cluster still takes the fee and keeps the transaction. */
const FEE_ONLY_ERRORS: readonly unknown[] = [
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
];

function chargeOnly(
  tx: WireTransaction,
  outcome: Outcome,
  payer: AccountState | undefined,
  runtime: Runtime,
): boolean {
  const fee = feeOf(tx.message);
  if (!FEE_ONLY_ERRORS.includes(outcome.err) || !payer || payer.lamports < fee) return false;
  runtime.write(tx.message.staticKeys[0]!, { ...payer, lamports: payer.lamports - fee });
  return true;
}

function useUp(nonce: string, { runtime, slots }: ChainParts): void {
  const account = runtime.read(nonce);
  if (account) runtime.write(nonce, advancedNonce(account, blockhashOf(slots.slot)));
}

function changesOf(
  tx: WireTransaction,
  { keys, loaded }: AccountKeys,
  before: readonly (AccountState | undefined)[],
  runtime: Runtime,
): Change[] {
  return keys.flatMap((address, i) => {
    if (!isWritable(tx.message, loaded, i)) return [];
    const after = runtime.read(address);
    return isSameState(before[i], after) ? [] : { address, before: before[i], after };
  });
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
