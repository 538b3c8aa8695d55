import { type FailingAccount, findOldestRead, listFailingAccounts } from '../../chain/solana/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { countLongUnreadable } from './queries.ts';

/** A fault of the moment is no news. */
export const UNREAD_MINUTES = 5;

export interface WatchReport {
  /** Accounts that could not be read for five minutes and more, the longest first. */
  failing: FailingAccount[];
  /** For how long the account that was read longest ago has not been. */
  oldestReadSeconds: number;
  /** Transactions that could not be read for five minutes and more. */
  unreadableCount: number;
}

/** How the watcher is doing, from what it has written down: so any process can say. */
export async function readWatchReport(db: Queryable, serviceNow: Date, now: Date): Promise<WatchReport> {
  const oldest = await findOldestRead(db, serviceNow);
  return {
    failing: await listFailingAccounts(db, serviceNow, addMinutes(now, -UNREAD_MINUTES)),
    oldestReadSeconds: oldest ? Math.max(0, (now.getTime() - oldest.getTime()) / 1000) : 0,
    unreadableCount: await countLongUnreadable(db, addMinutes(serviceNow, -UNREAD_MINUTES)),
  };
}
