import { setTimeout as sleep } from 'node:timers/promises';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { findWatched, type WatchedAccount } from '../../chain/solana/queries.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { listKnownSignatures } from '../transfers/queries.ts';
import { listRefuted } from './disagreement-queries.ts';
import { settleEach } from './read-account.ts';
import { reportFailure, stepOf, type WatcherParts } from './watcher-parts.ts';

/** Times after which a transaction that was announced is requested: a node may show it a moment later. */
export const LOOKS_MS = [0, 500, 2_000];
/** More of one account at once are read from its history, where one call lists them all. */
const MAX_AT_ONCE = 10;

/**
 * Reads transactions as soon as they are announced: each is settled as seen, and its finality followed, as if its account's history
 * had listed it. What no node shows within two seconds is left to the history, which `wake` has read.
 */
export function mentionedTransactions(
  parts: WatcherParts,
  signal: AbortSignal,
  wake: (destination: string) => void,
) {
  /** By destination. */
  const reading = new Map<string, Map<string, Promise<void>>>();

  async function read(destination: string, signature: string): Promise<void> {
    let waitedMs = 0;
    for (const ms of LOOKS_MS) {
      await sleep(ms - waitedMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      waitedMs = ms;
      if (await isRead(parts, destination, signature)) return;
    }
    wake(destination);
  }

  return {
    note(destination: string, signature: string | undefined): void {
      const ofAccount = reading.get(destination) ?? new Map<string, Promise<void>>();
      if (signature === undefined || ofAccount.size >= MAX_AT_ONCE) {
        wake(destination);
        return;
      }
      if (ofAccount.has(signature)) return;
      reading.set(destination, ofAccount);
      const turn = read(destination, signature)
        .catch((error: unknown) => {
          wake(destination);
          reportFailure(parts.log, signal, 'read what was announced')(error);
        })
        .finally(() => {
          ofAccount.delete(signature);
          if (ofAccount.size === 0) reading.delete(destination);
        });
      ofAccount.set(signature, turn);
    },
    underWay: () => [...reading.values()].flatMap((turns) => [...turns.values()]),
  };
}

/** True if the transaction is in the books, or has no place there. */
async function isRead(parts: WatcherParts, destination: string, signature: string): Promise<boolean> {
  const { db } = parts;
  const account = await findWatched(db, destination);
  if (!account) return true;
  if ((await listKnownSignatures(db, destination, [signature])).length > 0) return true;
  if ((await listRefuted(db, destination, [signature])).length > 0) return true;
  const read = () => readFromAny(parts, account, signature);
  return inShareOf(account.account, read, { isUrgent: true });
}

async function readFromAny(
  parts: WatcherParts,
  { account, destination: owner, merchantId, watchSince }: WatchedAccount,
  signature: string,
): Promise<boolean> {
  const step = stepOf(parts);
  for (const node of step.quorum.inTurn(account)) {
    const transaction = await node.transaction(signature, 'confirmed').catch(unread);
    if (!transaction) continue;
    if (!transaction.accounts.includes(account) || transaction.blockTime < watchSince) return true;
    const destination = { owner, mint: step.mint, account };
    const { now } = step;
    const failed = await settleEach(step, [{ transaction, destination, merchantId, isFinal: false, now }]);
    return failed.size === 0;
  }
  return false;
}

function unread(error: unknown): null {
  if (error instanceof RpcFailure) return null;
  throw error;
}
