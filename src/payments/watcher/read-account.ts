import type { Snapshot } from '../../chain/nodes/account-snapshots.ts';
import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { balancesAround, type Destination } from '../../chain/solana/measure.ts';
import type { WatchedAccount } from '../../chain/solana/queries.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Unlisted } from '../../chain/solana/unlisted-queries.ts';
import { noteListedThrough, noteProgress } from '../../chain/solana/watched-account.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isUnavailable } from '../../platform/db/database-errors.ts';
import { wakeRefundChecks } from '../refunds/refund-checks.ts';
import { findFinalSlot, listKnownSignatures } from '../transfers/queries.ts';
import type { SettleTransfer } from '../transfers/settle-transfer.ts';
import { type SettleParts, settleTransfers } from '../transfers/settle-transfers.ts';
import { listRefuted } from './disagreement-queries.ts';
import { oldestFirst } from './list-back.ts';
import { listNew } from './list-new.ts';
import { mapSome } from './map-some.ts';
import { findListEnd, findOverlap } from './overlap.ts';
import { listUnreadableAmong, type Unreadable } from './queries.ts';
import type { Quorum } from './quorum.ts';

/** Dependencies of every step of the watcher. */
export interface WatchStep extends SettleParts {
  quorum: Quorum;
  mint: string;
  now: Date;
}

export interface ReadAccount extends WatchStep {
  account: WatchedAccount;
  /** Ask the node how far it is, instead of using what it said a moment ago. */
  fresh?: boolean;
  /** Something was just reported: what the node may have listed late is left to the next turn. */
  isHint?: boolean;
}

export interface Reading {
  /** End of the node's history when it was asked. */
  snapshot: Snapshot;
  /** Reason why not all of that history has been read; undefined if it has. */
  gap: string | undefined;
  /** Transactions that the node no longer lists, if that is the reason. */
  unlisted: Unlisted | undefined;
  /** Transactions that were listed and could not be read. */
  unread: Unreadable[];
  /** There is more than one turn reads: the next can follow immediately. */
  hasMore: boolean;
}

/**
 * Maximum of oldest transactions in one turn: a long history is read from both ends, so that a new payment does not
 * wait for all of it.
 */
const MAX_OLDEST = 100;
const MAX_NEWEST = 25;

/**
 * Reads a watched account's new transactions from one node and settles them: whatever the node shows, even where
 * something is missing. Returns what is, because what was not read is not "not paid". Transactions that were set
 * aside as unreadable are passed over: they are looked up apart.
 */
export async function readAccount(node: ChainNode, input: ReadAccount): Promise<Reading> {
  const { db, account } = input;
  // Asked before the list: whatever is final by then must be in the list that follows.
  const snapshot = await node.snapshot(account.account, { fresh: input.fresh ?? false });
  const overlap = await findOverlap(db, account);
  const until = await findListEnd(db, account, input.isHint ? undefined : overlap);
  const { infos, gap, unlisted } = await listNew(
    node,
    { account, overlap, until },
    snapshot,
    async (signatures) => {
      const { seen, setAside } = await findKnown(input, signatures);
      return signatures.every((signature) => seen.has(signature) || setAside.has(signature));
    },
  );
  const inOrder = oldestFirst(infos);
  const { final, seen, setAside } = await findKnown(
    input,
    inOrder.map(({ signature }) => signature),
  );

  // Recorded transactions that are only confirmed are followed to finality elsewhere.
  const isDone = (info: SignatureInfo) =>
    final.has(info.signature) || setAside.has(info.signature) || (seen.has(info.signature) && !info.isFinal);
  // A transaction that is final only by the word of this node is also followed elsewhere if one word is not enough.
  const isLeft = (info: SignatureInfo) => !input.quorum.isSingle && seen.has(info.signature) && !isDone(info);
  const undone = inOrder.filter((info) => !isDone(info) && !isLeft(info));
  const later = new Set(undone.slice(MAX_OLDEST, -MAX_NEWEST));
  const { unread, undecided } = await settleAll(
    node,
    undone.filter((info) => !later.has(info)),
    input,
  );
  let isWhole = gap === undefined;
  let cursor: SignatureInfo | undefined;
  for (const info of inOrder) {
    const isFinal = info.isFinal || final.has(info.signature) || setAside.has(info.signature);
    if (unread.has(info) || undecided.has(info) || later.has(info) || isLeft(info)) isWhole = false;
    // A slot beyond what the node calls final is not believed, or nothing below it would be read again.
    const isStop = input.quorum.isSingle || final.has(info.signature) || !isDone(info);
    if (isWhole && isFinal && isStop && info.slot <= snapshot.slot) cursor = info;
    if (!isFinal && info.slot <= snapshot.slot) isWhole = false;
  }
  if (cursor) await moveCursor(input, cursor);
  if (isWhole) await noteListed(input, snapshot);
  return {
    snapshot,
    gap:
      gap ??
      (isWhole
        ? undefined
        : `${unread.size + undecided.size + later.size} transactions are not read yet, or not agreed on`),
    unlisted,
    hasMore: later.size > 0 && unread.size < MAX_OLDEST,
    unread: [...unread].map(([{ signature, slot }, reason]) => ({ signature, slot, reason })),
  };
}

/** Returns those of these signatures that are in the books, as final or as seen, and those that were set aside. */
async function findKnown({ db, account }: ReadAccount, signatures: readonly string[]) {
  const { destination } = account;
  const known = await listKnownSignatures(db, destination, signatures);
  const unreadable = known.length < signatures.length;
  return {
    final: new Set(known.filter((row) => row.isFinal).map((row) => row.signature)),
    seen: new Set(known.map((row) => row.signature)),
    setAside: new Set(unreadable ? await listUnreadableAmong(db, destination, signatures) : []),
  };
}

/**
 * Moves the cursor. With several nodes it only advances to what is final in the books, at the slot in the books: a
 * list with made-up slots or signatures could cause later payments to be skipped, or other nodes to be disbelieved.
 */
async function moveCursor({ db, quorum, account }: ReadAccount, { signature, slot }: SignatureInfo) {
  const cursorSlot = quorum.isSingle ? BigInt(slot) : await findFinalSlot(db, account.destination, signature);
  if (cursorSlot !== undefined)
    await noteProgress(db, account.destination, { cursorSignature: signature, cursorSlot });
}

/** Records that everything listed is in the books. A node that claims to be ahead of the present is not believed. */
async function noteListed({ db, account, now }: ReadAccount, { time }: Snapshot): Promise<void> {
  await noteListedThrough(db, account.destination, time < now ? time : now);
}

const FETCH_AT_ONCE = 8;
const SETTLE_AT_ONCE = 100;

export interface Settled {
  /** Transactions that could not be read or settled, each with the reason. */
  unread: Map<SignatureInfo, string>;
  /** Final by the word of this node, but not enough others agree: settled as seen, and followed to their end elsewhere. */
  undecided: Set<SignatureInfo>;
}

/** Fetches and settles transactions: as final only what enough nodes agree on. */
export async function settleAll(
  node: ChainNode,
  infos: readonly SignatureInfo[],
  input: WatchStep & Pick<ReadAccount, 'account'>,
): Promise<Settled> {
  const { mint, account, now } = input;
  const { merchantId } = account;
  const destination = { owner: account.destination, mint, account: account.account };
  const unread = new Map<SignatureInfo, string>();
  const undecided = new Set<SignatureInfo>();
  for (let at = 0; at < infos.length; at += SETTLE_AT_ONCE) {
    const slice = infos.slice(at, at + SETTLE_AT_ONCE);
    const refuted = await refutedAmong(slice, input);
    const shown = await mapSome(slice, FETCH_AT_ONCE, (info) =>
      readOne(node, info, destination, input, refuted.has(info.signature)),
    );
    const transfers = new Map<SettleTransfer, SignatureInfo>();
    for (const [i, info] of slice.entries()) {
      const { transaction, problem, isFinal, isUndecided } = shown[i]!;
      if (isUndecided) undecided.add(info);
      if (problem !== undefined) unread.set(info, problem);
      if (transaction && transaction.blockTime >= account.watchSince)
        transfers.set({ transaction, destination, merchantId, isFinal, now }, info);
    }
    for (const [transfer, reason] of await settleEach(input, [...transfers.keys()]))
      unread.set(transfers.get(transfer)!, reason);
  }
  return { unread, undecided };
}

/** Returns those of these transactions that enough nodes agree do not exist. */
async function refutedAmong(
  infos: readonly SignatureInfo[],
  { db, quorum, account }: Pick<ReadAccount, 'db' | 'quorum' | 'account'>,
): Promise<Set<string>> {
  if (quorum.isSingle) return new Set();
  const signatures = infos.map(({ signature }) => signature);
  return new Set(await listRefuted(db, account.destination, signatures));
}

interface ReadOne {
  transaction?: LandedTransaction | undefined;
  /** Reason why it could not be read. */
  problem?: string | undefined;
  isFinal: boolean;
  isUndecided?: boolean;
}

/**
 * Returns what the node shows: final only if enough nodes agree, and nothing if enough of them say that it does not
 * exist.
 */
async function readOne(
  node: ChainNode,
  { signature, slot, isFinal, blockTime }: SignatureInfo,
  destination: Destination,
  { db, quorum, account, now }: Pick<ReadAccount, 'db' | 'quorum' | 'account' | 'now'>,
  isRefuted: boolean,
): Promise<ReadOne> {
  if (!isFinal) {
    if (isRefuted) return { isFinal };
    const shown = await fetchTransaction(node, signature, 'confirmed');
    return typeof shown === 'string' ? { problem: shown, isFinal } : { transaction: shown, isFinal };
  }
  const listedMs = (account.listedThrough ?? account.watchSince).getTime();
  const isUnlisted = blockTime !== null && blockTime * 1000 > listedMs;
  const question = { db, signature, destination, slot: BigInt(slot), from: node, isUnlisted, now };
  const { outcome, transaction, shown, problem } = await quorum.agree(question);
  if (outcome === 'final') return { transaction, isFinal };
  // A node that lists what it cannot show itself has proven nothing.
  if (isRefuted || (outcome === 'gone' && shown)) return { isFinal: false };
  return { transaction: shown, problem, isFinal: false, isUndecided: problem === undefined };
}

/** The transaction, or why there is none. */
export async function fetchTransaction(
  node: ChainNode,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<LandedTransaction | string> {
  try {
    return (await node.transaction(signature, commitment)) ?? 'the node does not have it';
  } catch (error) {
    if (error instanceof RpcFailure) return error.message;
    throw error;
  }
}

/** Settles all of them, or, where one cannot be, all the others; returns which could not, and why. */
export async function settleEach(
  parts: SettleParts,
  transfers: readonly SettleTransfer[],
): Promise<Map<SettleTransfer, string>> {
  const failed = new Map<SettleTransfer, string>();
  await wakeRefunds(parts.db, transfers);
  try {
    await settleTransfers(parts, transfers);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    for (const transfer of transfers)
      await settleTransfers(parts, [transfer]).catch((reason: unknown) => {
        if (isUnavailable(reason)) throw reason;
        failed.set(transfer, `it could not be settled: ${(reason as Error).message}`);
      });
  }
  return failed;
}

/** Requests an early lookup of refunds by their references: money that leaves a payout account may be one. */
async function wakeRefunds(db: Queryable, transfers: readonly SettleTransfer[]): Promise<void> {
  const outgoing = transfers.filter(({ transaction, destination }) => {
    const { balanceBefore, balanceAfter } = balancesAround(transaction, destination);
    return balanceBefore !== null && balanceAfter !== null && balanceAfter < balanceBefore;
  });
  if (outgoing.length === 0) return;
  const accounts = [...new Set(outgoing.flatMap(({ transaction }) => transaction.accounts))];
  await wakeRefundChecks(db, accounts, outgoing[0]!.now);
}
