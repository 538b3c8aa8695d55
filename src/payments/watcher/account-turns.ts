import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { findWatched, listWatchedAmong, type WatchedAccount } from '../../chain/solana/queries.ts';
import { claimDueAccounts, scheduleTurn } from '../../chain/solana/watched-account.ts';
import { HOUR_MS, realNow } from '../../platform/lib/clock.ts';
import { pollAccount } from './poll-account.ts';
import { reportFailure, stepOf, type WatcherParts } from './watcher-parts.ts';

interface Turn {
  fresh?: boolean;
  isHint?: boolean;
  /** A customer may be waiting for it. */
  isUrgent?: boolean;
}

/** Number of turns that start together, and that can run concurrently before those that can wait do. */
const AT_ONCE = 64;
const MAX_TURNS = 256;

/** Reads the histories of accounts, each in its own turn, so that a long one does not block the others. */
export function accountTurns(parts: WatcherParts, signal: AbortSignal) {
  const { db, clock, log, pollMs, inTurn } = parts;
  const woken = new Set<string>();
  const turns = new Map<string, Promise<void>>();

  const poll = (account: WatchedAccount, how: Turn = {}) => readInSlices(parts, signal, account, how);

  function begin(account: WatchedAccount, how: Turn = {}): void {
    const { destination } = account;
    if (turns.has(destination)) return;
    const read = () => poll(account, how);
    const turn = (inTurn ? inTurn('read account', read) : read())
      .catch(reportFailure(log, signal, 'poll accounts'))
      .finally(() => turns.delete(destination));
    turns.set(destination, turn);
  }

  return {
    poll,
    /** Starts the turns that are due, without awaiting them. */
    async beginDue(): Promise<void> {
      const room = Math.min(MAX_TURNS - turns.size, AT_ONCE);
      if (room <= 0) return;
      for (const account of await claimDueAccounts(db, realNow(), clock.now(), inMs(pollMs), room))
        begin(account);
    },
    /** Starts those that were woken; an account that is being read is woken up afterwards. */
    async beginWoken(): Promise<void> {
      const free = [...woken].filter((destination) => !turns.has(destination));
      if (free.length === 0) return;
      for (const account of await listWatchedAmong(db, free)) {
        // One that began meanwhile may have asked before there was something to see.
        if (turns.has(account.destination)) continue;
        woken.delete(account.destination);
        begin(account, { isHint: true, isUrgent: true });
      }
    },
    /** Reads the account as soon as it can, whenever its next turn is due. */
    wake: (destination: string) => void woken.add(destination),
    /** The sweep saw that it holds something else. Where that cannot be explained for long, it must not hold up others. */
    beginMoved: (account: WatchedAccount) => begin(account, { isUrgent: !account.hasProblem }),
    /** Something waits for it; the next sweep sees whether it still does. */
    beginWaiting(account: WatchedAccount): void {
      if (turns.size < MAX_TURNS) begin(account);
    },
    underWay: () => turns.values(),
  };
}

/** Reads an account, in as many slices as it takes, and sets when its next turn is. */
async function readInSlices(
  parts: WatcherParts,
  signal: AbortSignal,
  account: WatchedAccount,
  { isUrgent = false, ...how }: Turn,
): Promise<void> {
  const { db, log, pollMs } = parts;
  const { destination } = account;
  for (let current: WatchedAccount | undefined = account; current && !signal.aborted; ) {
    const input = { ...stepOf(parts), account: current, ...how };
    const read = () => pollAccount(input, log);
    const { hasMore, problem } = await inShareOf(account.account, read, { isUrgent });
    if (!hasMore) {
      // Unreadable transactions are retried; if a notification promised something that was not read, a whole turn
      // follows immediately.
      if (problem !== undefined) await scheduleTurn(db, destination, inMs(how.isHint ? 0 : pollMs));
      else if (!how.isHint) await scheduleTurn(db, destination, inMs(historyMs()));
      return;
    }
    // Still ours, for no other watcher to read the same.
    await scheduleTurn(db, destination, inMs(pollMs));
    current = await findWatched(db, destination);
  }
}

const inMs = (ms: number) => new Date(realNow().getTime() + ms);

/** Returns about an hour, spread so that thousands of accounts do not come due together. */
function historyMs(): number {
  return HOUR_MS * (0.75 + Math.random() / 2);
}
