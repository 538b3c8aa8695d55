import { randomUUID } from 'node:crypto';
import type { WatchedAccount } from '../../chain/solana/queries.ts';
import { countWatched, findSweptThrough } from '../../chain/solana/sweep-queries.ts';
import { holdSweep, noteSweptThrough, releaseSweep } from '../../chain/solana/watched-account.ts';
import { elapsedMs, realNow } from '../../platform/lib/clock.ts';
import { lastsMs, sweepAccounts } from './sweep-accounts.ts';
import type { WatcherParts } from './watcher-parts.ts';

interface Turns {
  beginMoved(account: WatchedAccount): void;
  beginWaiting(account: WatchedAccount): void;
}

/** A process that has not swept for so long is taken to be gone, and another one continues. */
const HELD_MS = 10_000;
/** Time after which each account notes that its balance could not be read. */
const LATE_MS = 60_000;

/**
 * Lets one of several watchers sweep, so that the calls are not multiplied; if it goes, another takes over. One that
 * has just started sweeps in any case, for as long as its predecessor may be taken for alive.
 */
export function sweepInTurn(parts: WatcherParts, turns: Turns, signal: AbortSignal) {
  const { db, clock, quorum, pollMs } = parts;
  const holder = randomUUID();
  const startedMs = elapsedMs();
  let nextMs = 0;

  return {
    async sweepWhenDue(): Promise<void> {
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
      const through = await sweepAccounts({
        ...{ db, quorum, now, pollMs, signal, isLate },
        onMoved: turns.beginMoved,
        onDue: turns.beginWaiting,
      });
      if (through) await noteSweptThrough(db, through);
    },
    release: () => releaseSweep(db, holder),
  };
}
