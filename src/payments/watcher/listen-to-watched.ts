import type { WatchedAccount } from '../../chain/solana/queries.ts';
import { listWatchedNames } from '../../chain/solana/sweep-queries.ts';
import { HEAD_START_MS, scheduleTurns } from '../../chain/solana/watched-account.ts';
import { elapsedMs, realNow } from '../../platform/lib/clock.ts';
import { missedMentions } from './missed-mentions.ts';
import { subscribeToAccounts } from './notifications.ts';
import { reportFailure, type WatcherParts } from './watcher-parts.ts';

/** Time after which all accounts are compared with those listened to; new ones are listened to immediately. */
const ALL_MS = 60_000;
/** Histories of accounts that were not heard for a while are read within so long: not all at once. */
const GAP_SECONDS = 600;
/** Notifications are not relied on for so long after one was missing. */
const DOUBT_MS = 10 * 60_000;

/** Called when an account is mentioned, with the transaction that mentions it where the node names it. */
type OnMention = (destination: string, signature: string | undefined) => void;

export interface Listening {
  refresh(): Promise<void>;
  countUnheard(): number;
  /** True while every account has working notifications and none was missing lately. */
  isHearing(): boolean;
  /** A look at the balances found a change since `sinceMs`, while all accounts were heard: it must have been announced. */
  noteMoved(account: WatchedAccount, sinceMs: number): void;
  close(): void;
}

const DEAF: Listening = {
  refresh: async () => {},
  countUnheard: () => 0,
  isHearing: () => false,
  noteMoved: () => {},
  close: () => {},
};

/** Listens to what is watched, and tells whatever is mentioned. */
export function listenToWatched(parts: WatcherParts, tell: OnMention): Listening {
  const { db, clock, log, wsUrl, wsMaxAccounts } = parts;
  if (!wsUrl) return DEAF;
  /** Several only where a row is wrong: it must not silence the others. */
  const owners = new Map<string, Set<string>>();
  const heard = missedMentions();
  let allAgainMs = 0;
  let doubtUntilMs = 0;
  const notifications = subscribeToAccounts({
    url: wsUrl,
    maxPerSocket: wsMaxAccounts,
    onMention(account, signature) {
      heard.noteMention(account);
      for (const owner of owners.get(account) ?? []) tell(owner, signature);
    },
    onGap: (accounts) =>
      void scheduleTurns(db, accounts, realNow(), GAP_SECONDS).catch(
        reportFailure(log, new AbortController().signal, 'read what was not heard'),
      ),
  });
  const isHearing = () => allAgainMs > 0 && elapsedMs() >= doubtUntilMs && notifications.countUnheard() === 0;

  function doubtWhatWasMissed(): void {
    const missed = heard.takeMissed();
    if (missed.length === 0 || !isHearing()) return;
    doubtUntilMs = elapsedMs() + DOUBT_MS;
    log.warn({ accounts: missed }, 'a change of these accounts was not announced; connecting again');
    for (const account of missed) notifications.doubt(account);
  }

  return {
    async refresh(): Promise<void> {
      doubtWhatWasMissed();
      const isNew = elapsedMs() < allAgainMs;
      // A watch begins a while before it is made, and its first reading may be over by now.
      const newSince = new Date(clock.now().getTime() - HEAD_START_MS - 2 * ALL_MS);
      const names = await listWatchedNames(db, clock.now(), isNew ? newSince : undefined);
      if (!isNew) owners.clear();
      for (const { account, destination } of names) {
        const known = owners.get(account);
        if (known) known.add(destination);
        else owners.set(account, new Set([destination]));
        heard.noteListed(account);
      }
      const accounts = names.map(({ account }) => account);
      if (isNew) return notifications.addAccounts(accounts);
      notifications.listenTo(accounts);
      heard.forget(new Set(accounts));
      allAgainMs = elapsedMs() + ALL_MS;
    },
    countUnheard: notifications.countUnheard,
    isHearing,
    // A balance that cannot be explained for long is seen at each look, and announced by nobody.
    noteMoved: ({ account, hasProblem }, sinceMs) => hasProblem || heard.noteMoved(account, sinceMs),
    close: notifications.close,
  };
}
