import { elapsedMs } from '../../platform/lib/clock.ts';

/** A notification may come so long before or after another node shows the same. */
const LATE_MS = 5_000;

/** Compares the changes that were seen with those that were heard of: a connection can answer pings and carry nothing else. */
export function missedMentions() {
  /** Since when it is listened to. */
  const listedMs = new Map<string, number>();
  const mentionedMs = new Map<string, number>();
  const moved = new Map<string, { sinceMs: number; seenMs: number }>();
  return {
    noteListed(account: string) {
      if (!listedMs.has(account)) listedMs.set(account, elapsedMs());
    },
    noteMention: (account: string) => void mentionedMs.set(account, elapsedMs()),
    noteMoved(account: string, sinceMs: number) {
      const wasListed = (listedMs.get(account) ?? Number.POSITIVE_INFINITY) < sinceMs;
      if (wasListed && !moved.has(account)) moved.set(account, { sinceMs, seenMs: elapsedMs() });
    },
    /** Accounts whose change should have been heard of by now, and was not. */
    takeMissed(): string[] {
      const due = [...moved].filter(([, { seenMs }]) => elapsedMs() - seenMs >= LATE_MS);
      for (const [account] of due) moved.delete(account);
      return due.flatMap(([account, { sinceMs }]) =>
        (mentionedMs.get(account) ?? Number.NEGATIVE_INFINITY) < sinceMs - LATE_MS ? [account] : [],
      );
    },
    /** All but these are no longer watched. */
    forget(watched: ReadonlySet<string>) {
      for (const known of [listedMs, mentionedMs])
        for (const account of known.keys()) if (!watched.has(account)) known.delete(account);
    },
  };
}
