import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import type { WatchedAccount } from '../../chain/solana/queries.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import {
  claimRescan,
  forgetUnlisted,
  nextNight,
  scheduleRescan,
} from '../../chain/solana/watched-account.ts';
import { addMinutes, DAY_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { listKnownSignatures } from '../transfers/queries.ts';
import { listBack, oldestFirst } from './list-back.ts';
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
  const { infos: listed, isWhole: isListed } = await listRecent(node, account, rescan.now);
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
  if (isWhole && isListed) {
    await forgetUnlisted(db, destination);
    log.warn({ destination }, 'a node lists what none did before; it has been read');
  }
  return isWhole;
}

interface Recent {
  infos: SignatureInfo[];
  /** True if the list includes everything that no node listed before, according to this node. */
  isWhole: boolean;
}

/** Lists what a node knows of the account's last two days and of the time that no node has listed. */
async function listRecent(
  node: ChainNode,
  { account, watchSince, unlistedFrom }: WatchedAccount,
  now: Date,
): Promise<Recent> {
  const reachMs = Math.min(now.getTime() - REACH_MS, unlistedFrom?.getTime() ?? Number.POSITIVE_INFINITY);
  const sinceMs = Math.max(reachMs, watchSince.getTime());
  const isSince = ({ blockTime }: SignatureInfo) => blockTime === null || blockTime * 1000 >= sinceMs;
  const { infos, unnamedCount, hasEnded } = await listBack(node, account, {
    isEnough: (oldest) => !isSince(oldest),
    isOver: (pages) => pages >= MAX_PAGES,
  });
  // Only where it matters, because it may cost a call.
  const reachesBack = async () =>
    hasEnded
      ? ((await node.horizon(await node.finalSlot()))?.time.getTime() ?? 0) <= sinceMs
      : infos.some((info) => !isSince(info));
  const isWhole = unlistedFrom !== null && unnamedCount === 0 && (await reachesBack());
  return { infos: infos.filter(isSince), isWhole };
}
