import type { Database } from '../db/database.ts';
import { addMinutes, DAY_MS } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { listKnownSignatures } from '../settlement/arrivals.ts';
import { RpcFailure } from '../solana/rpc.ts';
import type { SignatureInfo } from '../solana/shapes.ts';
import { claimRescan, nextNight, scheduleRescan, type WatchedAccount } from '../solana/watched-account.ts';
import type { ChainNode } from './chain.ts';
import { oldestFirst, settleAll } from './read-account.ts';

export interface Rescan {
  db: Database;
  nodes: readonly ChainNode[];
  mint: string;
  now: Date;
  log: Logger;
}

/** Long enough that every transaction is looked at twice, on two nights. */
const REACH_MS = 2 * DAY_MS;
const RETRY_MINUTES = 10;
/** Most pages of a thousand read of one account, and most transactions fetched for it, in one go. */
const MAX_PAGES = 20;
const MAX_FETCHED = 200;

/**
 * Once a night each account's last two days are read again from every node, wherever its cursor stands: what a
 * node left out when it was asked first is found here, however it came to be overlooked. One account at a
 * time, so that thousands take the night and not the calls of everything else.
 */
export async function rescanNext(rescan: Rescan): Promise<void> {
  const { db, now, log } = rescan;
  const account = await claimRescan(db, now, addMinutes(now, RETRY_MINUTES));
  if (!account) return;
  try {
    if (await rescanAccount(rescan, account)) await scheduleRescan(db, account.destination, nextNight(now));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    log.debug(
      { destination: account.destination, err: error },
      'a rescan could not be ended; it comes again',
    );
  }
}

/** True when every node was read and all of it is in the books. */
async function rescanAccount(rescan: Rescan, account: WatchedAccount): Promise<boolean> {
  const { db, nodes, log } = rescan;
  const { destination } = account;
  let fetched = 0;
  let isWhole = true;
  for (const node of nodes) {
    const listed = await listRecent(node, account, rescan.now);
    const known = await listKnownSignatures(
      db,
      destination,
      listed.map(({ signature }) => signature),
    );
    const seen = new Set(known.map(({ signature }) => signature));
    for (const info of oldestFirst(listed)) {
      if (seen.has(info.signature)) continue;
      if (fetched++ >= MAX_FETCHED) return false;
      const unread = await settleAll(node, [info], { ...rescan, account });
      if (unread.size > 0) isWhole = false;
      else if (account.cursorSlot !== null && BigInt(info.slot) < account.cursorSlot)
        log.warn({ destination, signature: info.signature }, 'a transaction had been overlooked until now');
    }
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
    const infos = await node.signatures(account, { before });
    for (const info of infos) listed.set(info.signature, info);
    const oldest = oldestFirst(infos)[0];
    if (!oldest || (oldest.blockTime ?? Number.POSITIVE_INFINITY) < sinceSeconds) break;
    before = oldest.signature;
  }
  return [...listed.values()].filter(({ blockTime }) => blockTime === null || blockTime >= sinceSeconds);
}
