import { type FailingAccount, findOldestRead, listFailingAccounts } from '../../chain/solana/queries.ts';
import { countWatched, findFirstWatched, findSweptThrough } from '../../chain/solana/sweep-queries.ts';
import { listUnlisted, type UnlistedAccount } from '../../chain/solana/unlisted-queries.ts';
import { HEAD_START_MS } from '../../chain/solana/watched-account.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { countLongUnreadable } from './queries.ts';
import { lastsMs } from './sweep-accounts.ts';

/** A fault of the moment is no news. */
export const UNREAD_MINUTES = 5;

export interface WatchReport {
  /** Accounts that could not be read for five minutes and more, the longest first. */
  failing: FailingAccount[];
  /** Seconds since the account that was read longest ago was last read. */
  oldestReadSeconds: number;
  /** Transactions that could not be read for five minutes and more. */
  unreadableCount: number;
  /** Accounts with a time that no node lists any more, the earliest first. */
  unlisted: UnlistedAccount[];
}

/** Reads the state of the watcher from what it has written down, so that any process can report it. */
export async function readWatchReport(db: Queryable, serviceNow: Date, now: Date): Promise<WatchReport> {
  const oldest = await findOldestRead(db, serviceNow);
  return {
    failing: await listFailingAccounts(db, serviceNow, addMinutes(now, -UNREAD_MINUTES)),
    oldestReadSeconds: oldest ? Math.max(0, (now.getTime() - oldest.getTime()) / 1000) : 0,
    unreadableCount: await countLongUnreadable(db, addMinutes(serviceNow, -UNREAD_MINUTES)),
    unlisted: await listUnlisted(db),
  };
}

export interface SweepReport {
  /** Time at which all balances had last been read; undefined: never. */
  sweptAt: Date | undefined;
  /** They should have been looked at again for five minutes and more. */
  isLate: boolean;
}

/** Reports if somebody looks at the balances of all accounts. Nothing is late while there is nothing to look at. */
export async function readSweepReport(db: Queryable, now: Date, pollMs: number): Promise<SweepReport> {
  const sweptAt = (await findSweptThrough(db))?.at;
  const first = await findFirstWatched(db, now);
  if (!first) return { sweptAt, isLate: false };
  const oneMs = pollMs + lastsMs(await countWatched(db, now), pollMs);
  const sinceMs = Math.max(sweptAt?.getTime() ?? 0, first.getTime() + HEAD_START_MS);
  return { sweptAt, isLate: now.getTime() - sinceMs > UNREAD_MINUTES * 60_000 + 2 * oneMs };
}
