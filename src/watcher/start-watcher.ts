import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { type Clock, realNow } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Rpc } from '../solana/rpc.ts';
import { claimDueAccounts, listWatched, type WatchedAccount } from '../solana/watched-account.ts';
import { chainNodes } from './chain.ts';
import { checkReferences } from './check-references.ts';
import { followFinality } from './follow-finality.ts';
import { type Notifications, subscribeToAccounts } from './notifications.ts';
import { pollAccount } from './poll-account.ts';
import { rescanNext } from './rescan.ts';

export interface WatcherParts {
  db: Database;
  clock: Clock;
  log: Logger;
  rpc: Rpc;
  wsUrl: string | undefined;
  mint: string;
  /** How often each account is read when nobody says that something happened. */
  pollMs: number;
  /** How often confirmed payments are asked about until they are final. */
  finalityMs: number;
}

export interface Watcher {
  /** Looks at every watched account once, now, and follows what is under way. */
  lookAtAll(): Promise<void>;
  stop(): Promise<void>;
}

const IDLE_MS = 200;
const AT_ONCE = 8;

/** Follows the chain for all watched accounts until it is stopped. Any number of watchers share the accounts. */
export function startWatcher(parts: WatcherParts): Watcher {
  const { db, clock, log, mint } = parts;
  const nodes = chainNodes(parts.rpc);
  const stopping = new AbortController();
  const { signal } = stopping;
  const woken = new Set<string>();
  let notifications: Notifications | undefined;
  if (parts.wsUrl) notifications = subscribeToAccounts(parts.wsUrl, (account) => woken.add(account));

  const poll = (account: WatchedAccount, how: { fresh?: boolean; isHint?: boolean } = {}) =>
    pollAccount(nodes, { db, mint, account, now: clock.now(), ...how }, log);

  async function pollDue(): Promise<void> {
    const now = realNow();
    const nextPollAt = new Date(now.getTime() + parts.pollMs);
    const due = await claimDueAccounts(db, now, clock.now(), nextPollAt, AT_ONCE);
    const hinted = woken.size > 0 ? await takeWoken(due) : [];
    await Promise.all([
      ...due.map((account) => poll(account)),
      ...hinted.map((account) => poll(account, { isHint: true })),
    ]);
  }

  async function takeWoken(due: readonly WatchedAccount[]): Promise<WatchedAccount[]> {
    const names = new Set(woken);
    woken.clear();
    const all = await listWatched(db, clock.now());
    const claimed = new Set(due.map((account) => account.account));
    return all.filter(({ account }) => names.has(account) && !claimed.has(account));
  }

  const loops = [
    loop('poll accounts', IDLE_MS, pollDue),
    loop('follow finality', parts.finalityMs, () => followFinality(db, nodes, mint, clock.now())),
    loop('check references', 1_000, () => checkReferences(db, nodes, mint, clock.now(), log)),
    loop('rescan', 1_000, () => rescanNext({ db, nodes, mint, now: clock.now(), log })),
    loop('refresh subscriptions', 1_000, async () => {
      notifications?.listenTo((await listWatched(db, clock.now())).map(({ account }) => account));
    }),
  ];

  async function loop(name: string, everyMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ loop: name, err: error }, 'the watcher stumbled; it goes on');
      });
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    async lookAtAll() {
      for (const account of await listWatched(db, clock.now())) await poll(account, { fresh: true });
      await followFinality(db, nodes, mint, clock.now());
    },
    async stop() {
      stopping.abort();
      notifications?.close();
      await Promise.all(loops);
    },
  };
}
