import { setTimeout as sleep } from 'node:timers/promises';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { findWatched, listWatched, type WatchedAccount } from '../../chain/solana/queries.ts';
import { claimDueAccounts, holdAccount } from '../../chain/solana/watched-account.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Clock, realNow } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import type { WhichRefunds } from '../refunds/refund-checks.ts';
import type { NodeChecks } from './check-nodes.ts';
import { checkReferences } from './check-references.ts';
import { checkRefunds } from './check-refunds.ts';
import { beginFollowing, followFinality } from './follow-finality.ts';
import { type Notifications, subscribeToAccounts } from './notifications.ts';
import { pollAccount } from './poll-account.ts';
import type { Quorum } from './quorum.ts';
import type { WatchStep } from './read-account.ts';
import { readWatchReport } from './read-watch-report.ts';
import { rescanNext } from './rescan.ts';

export interface WatcherParts {
  db: Database;
  clock: Clock;
  log: Logger;
  quorum: Quorum;
  checks: NodeChecks;
  metrics: Metrics;
  wsUrl: string | undefined;
  mint: string;
  /** Called when events were committed. */
  wakeWebhooks(): void;
  /** How often each account is read without a notification. */
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
/** How many turns start together, and how many can run concurrently. */
const AT_ONCE = 16;
const MAX_TURNS = 256;
const CHECK_NODES_MS = 10_000;
const REFUNDS_MS = 500;

/** Follows the chain for all watched accounts until it is stopped. Any number of watchers share the accounts. */
export function startWatcher(parts: WatcherParts): Watcher {
  const { db, clock, log } = parts;
  const step = () => stepOf(parts);
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns = accountTurns(parts, signal);
  const payments = confirmedPayments(parts, signal);
  let notifications: Notifications | undefined;
  if (parts.wsUrl) notifications = subscribeToAccounts(parts.wsUrl, turns.wake);

  async function loop(name: string, everyMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!signal.aborted) {
      await work().catch(reportFailure(log, signal, name));
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Each kind has its own share of the calls: what is over does not hold up what is being sent. */
  const checkDueRefunds = (which: WhichRefunds) =>
    inShareOf(`refunds ${which}`, async () => {
      while (!signal.aborted && (await checkRefunds(step(), log, which)));
    });

  const loops = [
    loop('count problems', GAUGES_MS, watchGauges(parts)),
    loop(POLL, IDLE_MS, turns.beginDue),
    loop(FOLLOW, parts.finalityMs, payments.beginFollowing),
    loop('check references', 1_000, () => inShareOf('references', () => checkReferences(step(), log))),
    loop('check refunds', REFUNDS_MS, () => checkDueRefunds('open')),
    loop('check refunds that are over', REFUNDS_MS, () => checkDueRefunds('over')),
    loop('rescan', 1_000, () => inShareOf('rescan', () => rescanNext({ ...step(), log }))),
    loop('check nodes', CHECK_NODES_MS, () => parts.checks.checkAgain()),
    loop('refresh subscriptions', 1_000, async () => {
      notifications?.listenTo((await listWatched(db, clock.now())).map(({ account }) => account));
    }),
  ];

  return {
    async lookAtAll() {
      for (const account of await listWatched(db, clock.now())) await turns.poll(account, { fresh: true });
      await followFinality(step());
      await checkDueRefunds('open');
      await checkDueRefunds('over');
    },
    async stop() {
      stopping.abort();
      notifications?.close();
      await Promise.all(loops);
      await Promise.all([...turns.underWay(), ...payments.underWay()]);
    },
  };
}

const POLL = 'poll accounts';
const FOLLOW = 'follow finality';

function stepOf({ db, quorum, mint, clock, wakeWebhooks }: WatcherParts): WatchStep {
  return { db, quorum, mint, now: clock.now(), wakeWebhooks };
}

const reportFailure = (log: Logger, signal: AbortSignal, name: string) => (error: unknown) => {
  if (!signal.aborted) log.warn({ loop: name, err: error }, 'watcher loop failed; retrying');
};

/** Reads accounts, each in its own turn, so that a long one does not block the others. */
function accountTurns(parts: WatcherParts, signal: AbortSignal) {
  const { db, clock, log, pollMs } = parts;
  const woken = new Set<string>();
  const turns = new Map<string, Promise<void>>();
  const nextPoll = () => new Date(realNow().getTime() + pollMs);

  /** Reads an account, in as many slices as it takes. */
  async function poll(account: WatchedAccount, how: { fresh?: boolean; isHint?: boolean } = {}) {
    for (let current: WatchedAccount | undefined = account; current && !signal.aborted; ) {
      const input = { ...stepOf(parts), account: current, ...how };
      const { hasMore } = await inShareOf(account.account, () => pollAccount(input, log));
      if (!hasMore) return;
      // Still ours, for no other watcher to read the same.
      await holdAccount(db, account.destination, nextPoll());
      current = await findWatched(db, account.destination);
    }
  }

  function begin(account: WatchedAccount, how: { isHint?: boolean } = {}): void {
    const { destination } = account;
    if (turns.has(destination)) return;
    const turn = poll(account, how)
      .catch(reportFailure(log, signal, POLL))
      .finally(() => turns.delete(destination));
    turns.set(destination, turn);
  }

  /** An account that is being read is woken up afterwards. */
  async function claimWoken(): Promise<WatchedAccount[]> {
    if (woken.size === 0) return [];
    const all = await listWatched(db, clock.now());
    const free = all.filter(({ account, destination }) => woken.has(account) && !turns.has(destination));
    for (const { account } of free) woken.delete(account);
    return free;
  }

  return {
    poll,
    /** Starts the turns that are due, without awaiting them. */
    async beginDue(): Promise<void> {
      const room = Math.min(MAX_TURNS - turns.size, AT_ONCE);
      const due = room > 0 ? await claimDueAccounts(db, realNow(), clock.now(), nextPoll(), room) : [];
      for (const account of due) begin(account);
      for (const account of await claimWoken()) begin(account, { isHint: true });
    },
    /** Reads the account as soon as it can, whenever its next turn is due. */
    wake: (account: string) => void woken.add(account),
    underWay: () => turns.values(),
  };
}

/** Following payments from confirmed to final: each destination for itself. */
function confirmedPayments(parts: WatcherParts, signal: AbortSignal) {
  const following = new Set<string>();
  const followed = new Set<Promise<unknown>>();
  return {
    async beginFollowing(): Promise<void> {
      const { groups } = await beginFollowing(stepOf(parts), following);
      for (const group of groups) {
        const end = group.catch(reportFailure(parts.log, signal, FOLLOW)).finally(() => followed.delete(end));
        followed.add(end);
      }
    },
    underWay: () => followed.values(),
  };
}

const GAUGES_MS = 5_000;

/** Gauges of how well accounts can be read; the returned function updates them. */
function watchGauges({ db, clock, metrics }: WatcherParts): () => Promise<void> {
  let [failing, oldestReadSeconds, unreadable] = [0, 0, 0];
  const failingHelp = 'Accounts that could not be read for 5 minutes.';
  const oldestHelp = 'Time since the account read longest ago was read.';
  const unreadableHelp = 'Transactions set aside for 5 minutes.';
  metrics.gauge('florin_watcher_failing_accounts', failingHelp, () => failing);
  metrics.gauge('florin_watcher_oldest_read_seconds', oldestHelp, () => oldestReadSeconds);
  metrics.gauge('florin_watcher_unreadable_transactions', unreadableHelp, () => unreadable);
  return async () => {
    const report = await readWatchReport(db, clock.now(), realNow());
    failing = report.failing.length;
    oldestReadSeconds = report.oldestReadSeconds;
    unreadable = report.unreadableCount;
  };
}
