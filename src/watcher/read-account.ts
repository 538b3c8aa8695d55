import type { Database } from '../db/database.ts';
import { findFinalBefore, listKnownSignatures } from '../settlement/arrivals.ts';
import { settleArrivals } from '../settlement/settle-arrivals.ts';
import { RpcFailure } from '../solana/rpc.ts';
import type { SignatureInfo } from '../solana/shapes.ts';
import { noteProgress, type WatchedAccount } from '../solana/watched-account.ts';
import type { Snapshot } from './account-snapshots.ts';
import type { ChainNode } from './chain.ts';
import { mapSome } from './map-some.ts';

export interface ReadAccount {
  db: Database;
  mint: string;
  account: WatchedAccount;
  now: Date;
  /** Ask the node how far it is, instead of using what it said a moment ago. */
  fresh?: boolean;
  /** Somebody said that something happened just now: what the node may have listed late is left to the next turn. */
  isHint?: boolean;
}

/** Everything the list of signatures may hold at most in one go; a longer history is read over several turns. */
const MAX_PAGES = 50;

/**
 * Reads a watched account's new transactions from one node and settles them. Answers how far the history has
 * been read without a gap: nothing when something could not be read, because what was not read is not "not paid".
 */
export async function readAccount(node: ChainNode, input: ReadAccount): Promise<Snapshot | undefined> {
  const { db, account } = input;
  // Asked before the list: whatever is final by then must be in the list that follows.
  const snapshot = await node.snapshot(account.account, { fresh: input.fresh ?? false });
  const until =
    account.cursorSlot === null
      ? undefined
      : await findFinalBefore(
          db,
          account.destination,
          account.cursorSlot - (input.isHint ? 0n : OVERLAP_SLOTS),
        );
  const listed = await listNew(node, account, until, snapshot);
  const known = await listKnownSignatures(
    db,
    account.destination,
    listed.map((info) => info.signature),
  );
  const final = new Set(known.filter((row) => row.isFinal).map((row) => row.signature));
  const seen = new Set(known.map((row) => row.signature));

  // What is confirmed and recorded already waits for its finality elsewhere.
  const isDone = (info: SignatureInfo) =>
    final.has(info.signature) || (seen.has(info.signature) && !info.isFinal);
  const inOrder = oldestFirst(listed);
  const unread = await settleAll(
    node,
    inOrder.filter((info) => !isDone(info)),
    input,
  );
  let isWhole = true;
  let cursor: SignatureInfo | undefined;
  for (const info of inOrder) {
    if (unread.has(info)) isWhole = false;
    if (isWhole && info.isFinal) cursor = info;
    if (!info.isFinal && info.slot <= snapshot.slot) isWhole = false;
  }
  await noteProgress(db, account.destination, {
    cursorSignature: cursor?.signature ?? null,
    cursorSlot: cursor ? BigInt(cursor.slot) : null,
    readThrough: null,
  });
  return isWhole ? snapshot : undefined;
}

const FETCH_AT_ONCE = 8;
const SETTLE_AT_ONCE = 100;

/** Fetches and settles transactions; answers those that could not be read. */
export async function settleAll(
  node: ChainNode,
  infos: readonly SignatureInfo[],
  { db, mint, account, now }: Pick<ReadAccount, 'db' | 'mint' | 'account' | 'now'>,
): Promise<Set<SignatureInfo>> {
  const { merchantId } = account;
  const destination = { owner: account.destination, mint, account: account.account };
  const unread = new Set<SignatureInfo>();
  for (let at = 0; at < infos.length; at += SETTLE_AT_ONCE) {
    const slice = infos.slice(at, at + SETTLE_AT_ONCE);
    const transactions = await mapSome(slice, FETCH_AT_ONCE, ({ signature, isFinal }) =>
      node.transaction(signature, isFinal ? 'finalized' : 'confirmed').catch(unknown),
    );
    const arrivals = slice.flatMap((info, i) => {
      const transaction = transactions[i];
      if (transaction) return [{ transaction, destination, merchantId, isFinal: info.isFinal, now }];
      unread.add(info);
      return [];
    });
    await settleArrivals(db, arrivals);
  }
  return unread;
}

function unknown(error: unknown): null {
  if (error instanceof RpcFailure) return null;
  throw error;
}

/**
 * The signatures since the cursor. A node that has lost its memory answers with nothing: where we know of an
 * older transaction, the list must reach back to it, and where we know of none, the account must be empty.
 */
async function listNew(
  node: ChainNode,
  account: WatchedAccount,
  until: string | undefined,
  snapshot: Snapshot,
): Promise<SignatureInfo[]> {
  const { cursorSignature, cursorSlot } = account;
  const listed = new Map<string, SignatureInfo>();
  let before: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const infos = await node.signatures(account.account, { until, before });
    for (const info of infos) listed.set(info.signature, info);
    const oldest = oldestFirst(infos)[0];
    // A short page proves nothing: only reaching what is known, or nothing more, is the end.
    if (!oldest || (cursorSignature !== null && listed.has(cursorSignature)) || reachesBack(oldest, account))
      break;
    before = oldest.signature;
  }
  if (cursorSignature !== null && !listed.has(cursorSignature))
    throw new RpcFailure('the list does not reach back to what is known');
  if (cursorSignature === null && listed.size === 0 && snapshot.balance > 0n)
    throw new RpcFailure('an account with money but without history');
  const sinceMs = account.watchSince.getTime();
  return [...listed.values()].filter(
    (info) =>
      BigInt(info.slot) >= (cursorSlot ?? 0n) - OVERLAP_SLOTS &&
      (info.blockTime === null || info.blockTime * 1000 >= sinceMs),
  );
}

/** A node may index late: a little of what was read is looked at again, and told apart by its signature. */
const OVERLAP_SLOTS = 300n;

function reachesBack(oldest: SignatureInfo, { cursorSlot, watchSince }: WatchedAccount): boolean {
  if (oldest.blockTime !== null && oldest.blockTime * 1000 < watchSince.getTime()) return true;
  return cursorSlot !== null && BigInt(oldest.slot) < cursorSlot - OVERLAP_SLOTS;
}

/** Nodes promise newest first, within a slot too; some fail to. */
export function oldestFirst(infos: readonly SignatureInfo[]): SignatureInfo[] {
  return infos.toReversed().sort((a, b) => a.slot - b.slot);
}
