import { findSweptThrough } from '../../chain/solana/sweep-queries.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { readWatchReport } from './read-watch-report.ts';
import type { WatcherParts } from './watcher-parts.ts';

/** Gauges of how well accounts can be read; the returned function updates them. */
export function watchGauges(
  { db, clock, metrics, quorum }: WatcherParts,
  countUnheard: () => number,
): () => Promise<void> {
  let [failing, oldestReadSeconds, unreadable, unlisted, sweptSlot] = [0, 0, 0, 0, 0];
  const failingHelp = 'Accounts that could not be read for 5 minutes.';
  const oldestHelp = 'Time since the account looked at longest ago was looked at.';
  const unreadableHelp = 'Transactions set aside for 5 minutes.';
  const unlistedHelp = 'Accounts with a time that was never read and that no node lists now.';
  const lagHelp = 'Final slots since the slot at which every account had been looked at.';
  const unheardHelp = 'Accounts without a subscription; 0 where no notifications are set.';
  metrics.gauge('florin_watcher_failing_accounts', failingHelp, () => failing);
  metrics.gauge('florin_watcher_oldest_read_seconds', oldestHelp, () => oldestReadSeconds);
  metrics.gauge('florin_watcher_unreadable_transactions', unreadableHelp, () => unreadable);
  metrics.gauge('florin_watcher_unlisted_accounts', unlistedHelp, () => unlisted);
  metrics.gauge('florin_watcher_lag_slots', lagHelp, () =>
    sweptSlot === 0 ? 0 : Math.max(0, quorum.newestSlot() - sweptSlot),
  );
  metrics.gauge('florin_watcher_unheard_accounts', unheardHelp, countUnheard);
  return async () => {
    const report = await readWatchReport(db, clock.now(), realNow());
    failing = report.failing.length;
    oldestReadSeconds = report.oldestReadSeconds;
    unreadable = report.unreadableCount;
    unlisted = report.unlisted.length;
    sweptSlot = Number((await findSweptThrough(db))?.slot ?? 0);
  };
}
