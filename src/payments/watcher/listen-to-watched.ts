import { listWatchedNames } from '../../chain/solana/sweep-queries.ts';
import { scheduleTurns } from '../../chain/solana/watched-account.ts';
import { elapsedMs, realNow } from '../../platform/lib/clock.ts';
import { subscribeToAccounts } from './notifications.ts';
import { reportFailure, type WatcherParts } from './watcher-parts.ts';

/** Time after which all accounts are compared with those listened to; new ones are listened to immediately. */
const ALL_MS = 60_000;
/** Histories of accounts that were not heard for a while are read within so long: not all at once. */
const GAP_SECONDS = 600;

/** Listens to what is watched, and wakes the owner of whatever is mentioned. */
export function listenToWatched(parts: WatcherParts, wake: (destination: string) => void) {
  const { db, clock, log, wsUrl, wsMaxAccounts } = parts;
  if (!wsUrl) return { refresh: async () => {}, countUnheard: () => 0, close: () => {} };
  /** Several only where a row is wrong: it must not silence the others. */
  const owners = new Map<string, Set<string>>();
  let allAgainMs = 0;
  const notifications = subscribeToAccounts({
    url: wsUrl,
    maxPerSocket: wsMaxAccounts,
    onMention(account) {
      for (const owner of owners.get(account) ?? []) wake(owner);
    },
    onGap: (accounts) =>
      void scheduleTurns(db, accounts, realNow(), GAP_SECONDS).catch(
        reportFailure(log, new AbortController().signal, 'read what was not heard'),
      ),
  });
  return {
    async refresh(): Promise<void> {
      const isNew = elapsedMs() < allAgainMs;
      const names = await listWatchedNames(db, clock.now(), { isNew });
      if (!isNew) owners.clear();
      for (const { account, destination } of names) {
        const known = owners.get(account);
        if (known) known.add(destination);
        else owners.set(account, new Set([destination]));
      }
      const accounts = names.map(({ account }) => account);
      if (isNew) return notifications.addAccounts(accounts);
      notifications.listenTo(accounts);
      allAgainMs = elapsedMs() + ALL_MS;
    },
    countUnheard: notifications.countUnheard,
    close: notifications.close,
  };
}
