import { randomUUID } from 'node:crypto';
import type { WatchedAccount } from '../../chain/solana/queries.ts';
import { countWatched, findSweptThrough } from '../../chain/solana/sweep-queries.ts';
import { holdSweep, noteSweptThrough, releaseSweep } from '../../chain/solana/watched-account.ts';
import { elapsedMs, realNow } from '../../platform/lib/clock.ts';
import type { FinalityTimes } from './finality-times.ts';
import type { Listening } from './listen-to-watched.ts';
import { beginWaiting, lastsMs, sweepAccounts } from './sweep-accounts.ts';
import type { WatcherParts } from './watcher-parts.ts';

interface SweepParts {
  turns: {
    beginMoved(account: WatchedAccount): void;
    beginWaiting(account: WatchedAccount): void;
  };
  listening: Pick<Listening, 'isHearing' | 'noteMoved'>;
  times: FinalityTimes;
  signal: AbortSignal;
}

/** A process that has not swept for so long is taken to be gone, and another one continues. */
const HELD_MS = 10_000;
/** Time after which each account notes that its balance could not be read. */
const LATE_MS = 60_000;
/** While every account is heard, the balances are looked at less often by so much, but as often as this. */
const HEARD_TIMES = 6;
const MAX_HEARD_MS = 30_000;

/**
 * Lets one of several watchers sweep, so that the calls are not multiplied; if it goes, another takes over. One that
 * has just started sweeps in any case, for as long as its predecessor may be taken for alive.
 */
export function sweepInTurn(parts: WatcherParts, { turns, listening, times, signal }: SweepParts) {
  const { db, clock, quorum, pollMs } = parts;
  const holder = randomUUID();
  const startedMs = elapsedMs();
  let nextMs = 0;
  /** Since the last look began every account was heard, without a break. */
  let wasHeard = false;
  let lookedMs = 0;
  /** By then, a change whose notification was lost is found. */
  let lookAgainMs = 0;

  return {
    async sweepWhenDue(): Promise<void> {
      wasHeard &&= listening.isHearing();
      if (elapsedMs() < nextMs) return;
      nextMs = elapsedMs() + pollMs;
      const now = clock.now();
      const oneMs = pollMs + lastsMs(await countWatched(db, now), pollMs);
      const heldMs = HELD_MS + 2 * oneMs;
      const isHeld = await holdSweep(db, holder, realNow(), new Date(realNow().getTime() + heldMs));
      if (!isHeld && elapsedMs() - startedMs > heldMs) return;
      const last = await findSweptThrough(db);
      const lateMs = LATE_MS + 2 * oneMs;
      const isLate = !last || realNow().getTime() - last.at.getTime() > lateMs;
      const [isExpected, sinceMs] = [wasHeard, lookedMs];
      const sweep = {
        ...{ db, quorum, now, pollMs, signal, isLate },
        dueBy: new Date(now.getTime() - times.waitMs()),
        onMoved(account: WatchedAccount) {
          if (isExpected) listening.noteMoved(account, sinceMs);
          turns.beginMoved(account);
        },
        onDue: turns.beginWaiting,
      };
      if (wasHeard && elapsedMs() < lookAgainMs) return beginWaiting(sweep);
      wasHeard = listening.isHearing();
      lookedMs = elapsedMs();
      lookAgainMs = lookedMs + Math.min(HEARD_TIMES * pollMs, MAX_HEARD_MS);
      const through = await sweepAccounts(sweep);
      if (through) await noteSweptThrough(db, through);
      else lookAgainMs = 0;
    },
    release: () => releaseSweep(db, holder),
  };
}
