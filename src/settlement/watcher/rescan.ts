import type { WatchedAccount } from '../../chain/solana/queries.ts';
import { RpcFailure } from '../../chain/solana/rpc.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import { claimRescan, nextNight, scheduleRescan } from '../../chain/solana/watched-account.ts';
import { addMinutes, DAY_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { listKnownSignatures } from '../transfers/queries.ts';
import type { ChainNode } from './chain.ts';
import { oldestFirst } from './list-new.ts';
import { listUnreadableAmong } from './queries.ts';
import { settleAll, type WatchStep } from './read-account.ts';

export interface Rescan extends WatchStep {
  log: Logger;
}

/** Long enough that every transaction is looked at twice, on two nights. */
const REACH_MS = 2 * DAY_MS;
const RETRY_MINUTES = 10;
/** Most pages of a thousand read of one account, and most transactions fetched for it, in one go. */
const MAX_PAGES = 20;
const MAX_FETCHED = 200;

/**
 * Every night, each account's last two days are read again from every node of the quorum, wherever its cursor is:
 * this finds what a node left out before, for whatever reason. One account at a time, so that thousands take the
 * night and not everyone else's calls.
 */
export async function rescanNext(rescan: Rescan): Promise<void> {
  const { db, now, log } = rescan;
  const account = await claimRescan(db, now, addMinutes(now, RETRY_MINUTES));
  if (!account) return;
  try {
    if (await rescanAccount(rescan, account)) await scheduleRescan(db, account.destination, nextNight(now));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    log.debug({ destination: account.destination, err: error }, 'rescan failed; retrying');
  }
}

/** True when every node was read and all of it is in the books, or set aside. */
async function rescanAccount(rescan: Rescan, account: WatchedAccount): Promise<boolean> {
  const counts = { fetched: 0 };
  let isWhole = true;
  let failure: RpcFailure | undefined;
  for (const node of rescan.quorum.counting()) {
    try {
      isWhole = (await rescanFrom(node, rescan, account, counts)) && isWhole;
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      // Another node may still have what is missing.
      failure = error;
    }
  }
  if (failure) throw failure;
  return isWhole;
}

async function rescanFrom(
  node: ChainNode,
  rescan: Rescan,
  account: WatchedAccount,
  counts: { fetched: number },
): Promise<boolean> {
  const { db, log } = rescan;
  const { destination } = account;
  const listed = await listRecent(node, account, rescan.now);
  const signatures = listed.map(({ signature }) => signature);
  const known = await listKnownSignatures(db, destination, signatures);
  const done = new Set([
    ...known.map(({ signature }) => signature),
    ...(await listUnreadableAmong(db, destination, signatures)),
  ]);
  let isWhole = true;
  for (const info of oldestFirst(listed)) {
    const { signature, slot } = info;
    if (done.has(signature)) continue;
    if (counts.fetched++ >= MAX_FETCHED) return false;
    const { unread, undecided } = await settleAll(node, [info], { ...rescan, account });
    if (unread.size + undecided.size > 0) isWhole = false;
    else if (account.cursorSlot !== null && BigInt(slot) < account.cursorSlot)
      log.warn({ destination, signature }, 'rescan found a missed transaction');
  }
  return isWhole;
}

/** What a node knows of the account's last two days. A short page proves nothing: only an empty one is the end. */
async function listRecent(
  node: ChainNode,
  { account, watchSince }: WatchedAccount,
  now: Date,
): Promise<SignatureInfo[]> {
  const sinceSeconds = Math.max(now.getTime() - REACH_MS, watchSince.getTime()) / 1000;
  const listed = new Map<string, SignatureInfo>();
  let before: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { infos } = await node.signatures(account, { before });
    for (const info of infos) listed.set(info.signature, info);
    const oldest = oldestFirst(infos)[0];
    if (!oldest || (oldest.blockTime ?? Number.POSITIVE_INFINITY) < sinceSeconds) break;
    before = oldest.signature;
  }
  return [...listed.values()].filter(({ blockTime }) => blockTime === null || blockTime >= sinceSeconds);
}
